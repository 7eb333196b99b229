import { pricedOf } from './model/account.ts';
import type { Order, OrderFacts } from './model/order.ts';
import type { Quotient } from './model/quotient.ts';
import type { Account } from './ports/account.ts';
import { orderOf } from './rules/orders.ts';

/** Those orders that are probably renewed, with what that costs: as the order's last renewal, or else at observed prices; null where neither is known. */
export async function priceRenewals(
  account: Pick<Account, 'costs' | 'estimates'>,
  orders: readonly OrderFacts[],
): Promise<readonly { readonly order: Order; readonly cost: Quotient | null }[]> {
  const probable = orders.flatMap((facts) => {
    const order = orderOf(facts);
    const renewal = facts.renewals.at(-1);
    if (!order || (order.intent !== 'keep' && !renewal) || order.intent === 'let_end') return [];
    return [{ order, renewal, priced: pricedOf({ ...order, kind: 'renew' }) }];
  });
  const costs = await account.costs(probable.flatMap(({ renewal }) => renewal?.id ?? []));
  const estimates = await account.estimates(probable.map(({ priced }) => priced));
  return probable.map(({ order, renewal }, nth) => {
    const paid = renewal && costs.get(renewal.id);
    if (paid !== undefined) return { order, cost: { amount: paid, divisor: 1n } };
    return { order, cost: estimates[nth]?.amount ?? null };
  });
}
