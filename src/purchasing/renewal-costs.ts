import { pricedOf } from './model/account.ts';
import type { Order, OrderFacts } from './model/order.ts';
import type { Quotient } from './model/quotient.ts';
import type { Account } from './ports/account.ts';
import { orderOf } from './rules/orders.ts';

type Prices = Pick<Account, 'costs' | 'estimate'>;

/** Those orders that are probably renewed, with what that costs: as the order's last renewal, or else at observed prices; null where neither is known. */
export async function priceRenewals(
  account: Prices,
  orders: readonly OrderFacts[],
): Promise<readonly { readonly order: Order; readonly cost: Quotient | null }[]> {
  const last = orders.flatMap(({ renewals }) => renewals.at(-1)?.id ?? []);
  const costs = await account.costs(last);
  const priced = await Promise.all(
    orders.map(async (facts) => {
      const order = orderOf(facts);
      const renewal = facts.renewals.at(-1);
      if (!order || (order.intent !== 'keep' && !renewal) || order.intent === 'let_end') return [];
      const paid = renewal && costs.get(renewal.id);
      if (paid !== undefined) return [{ order, cost: { amount: paid, divisor: 1n } }];
      return [{ order, cost: await priceOf(account, { ...order, kind: 'renew' }) }];
    }),
  );
  return priced.flat();
}

/** At observed prices; null where none is known. */
export async function priceOf(
  account: Pick<Account, 'estimate'>,
  of: Parameters<typeof pricedOf>[0],
): Promise<Quotient | null> {
  return (await account.estimate(pricedOf(of)))?.amount ?? null;
}
