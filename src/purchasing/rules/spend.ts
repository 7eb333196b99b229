import { inTurns } from '../../turns.ts';
import type { Movement, MovementKind } from '../model/account.ts';
import { compare, difference, type Money, NO_MONEY, sum } from '../model/money.ts';
import { sentAt } from '../model/order.ts';
import type { Purchase } from '../model/purchase.ts';
import type { KindSum, Span, Spend, SpendFacts, SpendRow, SpentBy } from '../model/spend.ts';
import type { Account } from '../ports/account.ts';

/** All that the ledger holds of a time. */
export async function spendFacts(
  account: Pick<Account, 'asOf' | 'movements' | 'purchases' | 'costs'>,
  span: Span,
): Promise<SpendFacts> {
  const { from, to } = span;
  const [begins, ends, movements, purchases] = await Promise.all([
    account.asOf(from),
    account.asOf(to),
    account.movements(from, to),
    account.purchases(from, to),
  ]);
  const explaining = await explainingIn(movements);
  const others: string[] = [];
  for await (const { id } of inTurns(purchases)) if (!explaining.has(id)) others.push(id);
  const costs = await account.costs(others);
  return { span, begins, ends, movements, purchases, costs };
}

/**
 * A movement that is ours is put down to whom all its purchases belong to. Where they are several's, or a purchase is of several
 * countries, its cost stays in one sum: any way to share it out would be a guess. A busy month is long: others go first in between.
 */
export async function spendOf(facts: SpendFacts, by: SpentBy): Promise<Spend> {
  const { movements, purchases, span, costs } = facts;
  const known = await byId(purchases);
  const explaining = await explainingIn(movements);
  const spent = new Map<string | null, Money>();
  const shared = new Set<string>();
  for await (const { kind, before, after, purchases: ids } of inTurns(movements)) {
    if (kind !== 'ours') continue;
    const key = soleKey(
      ids.flatMap((id) => known.get(id) ?? []),
      by,
    );
    spent.set(key, sum(spent.get(key) ?? NO_MONEY, difference(before, after)));
    if (key === null) for (const id of ids) shared.add(id);
  }
  const rows = new Map<string, Omit<SpendRow, 'key' | 'spent'>>();
  const notObserved: Purchase[] = [];
  for await (const purchase of inTurns(purchases)) {
    const { id, state, quantity } = purchase;
    if (state !== 'completed') continue;
    const explains = explaining.has(id);
    // What the balance showed in another time is counted there.
    if (!explains && (costs.has(id) || !isSentIn(purchase, span))) continue;
    if (!explains) notObserved.push(purchase);
    const key = soleKey([purchase], by);
    if (key === null) continue;
    const row = rows.get(key) ?? { purchases: 0, ips: 0, withoutCost: 0 };
    rows.set(key, {
      purchases: row.purchases + 1,
      ips: row.ips === null || quantity === null ? null : row.ips + quantity,
      withoutCost: row.withoutCost + (shared.has(id) || !explains ? 1 : 0),
    });
  }
  const together = spent.get(null);
  return {
    by,
    kinds: await kindSums(movements),
    rows: Array.from(rows, ([key, row]) => ({ key, spent: spent.get(key) ?? NO_MONEY, ...row })).toSorted(
      (a, b) => compare(b.spent, a.spent) || (a.key < b.key ? -1 : 1),
    ),
    together: together === undefined ? null : { spent: together, purchases: shared.size },
    notObserved,
    doubtful: purchases.filter(({ state }) => state === 'unknown' || state === 'sending').length,
  };
}

export async function byId(purchases: readonly Purchase[]): Promise<ReadonlyMap<string, Purchase>> {
  const known = new Map<string, Purchase>();
  for await (const purchase of inTurns(purchases)) known.set(purchase.id, purchase);
  return known;
}

async function explainingIn(movements: readonly Movement[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { kind, purchases } of inTurns(movements))
    if (kind === 'ours') for (const id of purchases) ids.add(id);
  return ids;
}

function isSentIn(purchase: Purchase, { from, to }: Span): boolean {
  const at = sentAt(purchase);
  return at > from && at <= to;
}

/** What all of these are put down to; null where that is not one. */
function soleKey(purchases: readonly Purchase[], by: SpentBy): string | null {
  const keys = new Set(purchases.flatMap((purchase) => keysOf(purchase, by)));
  const [only, ...others] = keys;
  return only !== undefined && others.length === 0 ? only : null;
}

/** A renewal of an order whose content is not known is of no country that could be named. */
function keysOf(purchase: Purchase, by: SpentBy): readonly (string | null)[] {
  switch (by) {
    case 'person':
      return [purchase.requesterPerson];
    case 'plan':
      return [purchase.plan.productId];
    case 'country':
      return purchase.basket.length === 0 ? [null] : purchase.basket.map(({ country }) => country);
    default:
      return by satisfies never;
  }
}

/** What left for purchases, above zero. */
export function spentHere({ kinds }: Pick<Spend, 'kinds'>): Money {
  return difference(NO_MONEY, kinds.ours.sum);
}

/**
 * What left, of each kind, in each of these times that follow on one another; what was before the first or after the last is counted there.
 * @param begins when each of them begins
 */
export async function leftBetween(
  movements: readonly Movement[],
  begins: readonly number[],
): Promise<ReadonlyMap<MovementKind, readonly Money[]>> {
  const left = new Map<MovementKind, Money[]>();
  for await (const { kind, before, after, to } of inTurns(movements)) {
    if (compare(after, before) >= 0) continue;
    const sums = left.get(kind) ?? begins.map(() => NO_MONEY);
    left.set(kind, sums);
    const nth = Math.max(
      0,
      begins.findLastIndex((at) => at <= to),
    );
    sums[nth] = sum(sums[nth] ?? NO_MONEY, difference(before, after));
  }
  return left;
}

/** These add up to what the balance has changed by. */
export async function kindSums(movements: readonly Movement[]): Promise<Readonly<Record<MovementKind, KindSum>>> {
  const none = { movements: 0, sum: NO_MONEY };
  const sums: Record<MovementKind, KindSum> = { ours: none, top_up: none, elsewhere: none, unknown: none };
  for await (const { kind, difference: by } of inTurns(movements))
    sums[kind] = { movements: sums[kind].movements + 1, sum: sum(sums[kind].sum, by) };
  return sums;
}
