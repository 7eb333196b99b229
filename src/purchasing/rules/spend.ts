import type { Movement, MovementKind } from '../model/account.ts';
import { compare, difference, type Money, sum } from '../model/money.ts';
import { sentAt } from '../model/order.ts';
import type { Purchase } from '../model/purchase.ts';
import type { KindSum, Span, Spend, SpendFacts, SpendRow, SpentBy } from '../model/spend.ts';
import type { Account } from '../ports/account.ts';

const NO_MONEY = '0' as Money;

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
  const explaining = explainingIn(movements);
  const costs = await account.costs(purchases.flatMap(({ id }) => (explaining.has(id) ? [] : id)));
  return { span, begins, ends, movements, purchases, costs };
}

/**
 * A movement that is ours is put down to whom all its purchases belong to. Where they are several's, or a purchase is of several
 * countries, its cost stays in one sum: any way to share it out would be a guess.
 */
export function spendOf(facts: SpendFacts, by: SpentBy): Spend {
  const { movements, span, costs } = facts;
  const known = new Map(facts.purchases.map((purchase) => [purchase.id, purchase]));
  const ours = movements
    .filter(({ kind }) => kind === 'ours')
    .map((movement) => ({ movement, of: of(movement, known) }));
  const explaining = explainingIn(movements);
  const placed = facts.purchases.filter((purchase) => purchase.state === 'completed');
  const sentNow = (purchase: Purchase) => sentAt(purchase) > span.from && sentAt(purchase) <= span.to;
  // What the balance showed in another time is counted there.
  const notObserved = placed.filter(({ id }) => !explaining.has(id) && !costs.has(id)).filter(sentNow);
  const counted = [...placed.filter(({ id }) => explaining.has(id)), ...notObserved];

  const oursOf = Map.groupBy(ours, (one) => soleKey(one.of, by));
  const sharedMovements = oursOf.get(null) ?? [];
  const shared = new Set(sharedMovements.flatMap(({ movement }) => movement.purchases));
  const theirsOf = Map.groupBy(counted, (purchase) => soleKey([purchase], by));
  const rows = [...theirsOf].flatMap(([key, theirs]): SpendRow[] => {
    if (key === null) return [];
    const without = theirs.filter(({ id }) => shared.has(id) || !explaining.has(id));
    return [
      {
        key,
        spent: costOf((oursOf.get(key) ?? []).map(({ movement }) => movement)),
        purchases: theirs.length,
        ips: theirs.reduce<number | null>(addIps, 0),
        withoutCost: without.length,
      },
    ];
  });
  return {
    by,
    kinds: kindSums(movements),
    rows: rows.toSorted((a, b) => compare(b.spent, a.spent) || (a.key < b.key ? -1 : 1)),
    together:
      sharedMovements.length === 0
        ? null
        : { spent: costOf(sharedMovements.map(({ movement }) => movement)), purchases: shared.size },
    notObserved,
    doubtful: facts.purchases.filter(({ state }) => state === 'unknown' || state === 'sending').length,
  };
}

function explainingIn(movements: readonly Movement[]): ReadonlySet<string> {
  return new Set(movements.flatMap(({ kind, purchases }) => (kind === 'ours' ? purchases : [])));
}

function of({ purchases }: Movement, known: ReadonlyMap<string, Purchase>): readonly Purchase[] {
  return purchases.flatMap((id) => known.get(id) ?? []);
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

function addIps(all: number | null, { quantity }: Purchase): number | null {
  return all === null || quantity === null ? null : all + quantity;
}

function costOf(movements: readonly Movement[]): Money {
  return movements.reduce((all, { before, after }) => sum(all, difference(before, after)), NO_MONEY);
}

/** What left for purchases, above zero. */
export function spentHere({ kinds }: Pick<Spend, 'kinds'>): Money {
  return difference(NO_MONEY, kinds.ours.sum);
}

/** These add up to what the balance has changed by. */
export function kindSums(movements: readonly Movement[]): Readonly<Record<MovementKind, KindSum>> {
  const sumOf = (kind: MovementKind): KindSum => {
    const some = movements.filter((movement) => movement.kind === kind);
    return { movements: some.length, sum: some.reduce((all, one) => sum(all, one.difference), NO_MONEY) };
  };
  return { ours: sumOf('ours'), top_up: sumOf('top_up'), elsewhere: sumOf('elsewhere'), unknown: sumOf('unknown') };
}
