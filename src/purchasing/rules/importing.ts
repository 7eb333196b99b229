import {
  type FoundOwner,
  IMPORT_COLUMNS,
  type ImportColumn,
  type ImportReview,
  type ImportRow,
  type LineFault,
  type LineProblem,
  type ListedOrder,
  type ListedOwner,
} from '../model/import.ts';
import { type ImportedOrder, importedOf, type OrderFacts } from '../model/order.ts';
import type { NewOrderEntry, OrderChange, OrderChangeFacts } from '../model/order-change.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Plan } from '../model/policy.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { countedOnce } from './clicks.ts';
import type { Clicker } from './rights.ts';

/** The orders that a list names, each once. */
export function ordersNamed(lines: readonly ListedOrder[]): readonly OrderId[] {
  return [...new Set(lines.flatMap(({ orderId }) => orderId ?? []))];
}

/** As an owner stands in a list, so that each is looked for once. */
export function ownerText(owner: ListedOwner): string {
  return 'user' in owner ? owner.user : owner.email;
}

interface Surroundings {
  readonly facts: Pick<OrderChangeFacts, 'now' | 'orders'>;
  readonly plans: readonly Plan[];
  readonly ownerOf: (listed: ListedOwner) => FoundOwner;
}

/**
 * What a list would add to the ledger, and all that is wrong with it.
 * @param unread what could not be read of it
 */
export function reviewImport(
  lines: readonly ListedOrder[],
  unread: readonly LineProblem[],
  { facts, plans, ownerOf }: Surroundings,
): ImportReview {
  const known = new Map(facts.orders.map((order) => [order.orderId, order]));
  const byProduct = new Map(plans.map((plan) => [plan.productId, plan]));
  const add: ImportRow[] = [];
  const problems = [...unread];
  let there = 0;
  for (const listed of lines) {
    const { line, orderId } = listed;
    const { order, faults } = understood(listed, byProduct, ownerOf, facts.now);
    for (const [column, fault] of faults) problems.push({ line, column, fault });
    if (orderId === undefined) continue;
    const standing = standingOf(known.get(orderId) ?? { orderId, bought: null, renewals: [], entries: [] }, order);
    if (standing === 'there') there += 1;
    else if (standing !== 'new') problems.push({ line, column: 'order_id', fault: standing });
    else if (order) add.push({ line, orderId, order });
  }
  return {
    add,
    there,
    problems: problems.sort((one, other) => one.line - other.line || placeOf(one) - placeOf(other)),
  };
}

/** In the order of the columns; what is about the whole line comes first. */
function placeOf({ column }: LineProblem): number {
  return column === null ? -1 : IMPORT_COLUMNS.indexOf(column);
}

/** With plan and owner looked up; no order where a part of it is wrong. */
function understood(
  { productId, basket, boughtAt, owner, note }: ListedOrder,
  plans: ReadonlyMap<string, Plan>,
  ownerOf: Surroundings['ownerOf'],
  now: number,
) {
  const faults: [ImportColumn, LineFault][] = [];
  const plan = productId === undefined ? undefined : plans.get(productId);
  if (productId !== undefined && plan === undefined)
    faults.push(['product_id', { fault: 'plan_unknown', productId, known: [...plans.keys()] }]);
  const isToCome = typeof boughtAt === 'number' && boughtAt > now;
  if (isToCome) faults.push(['bought_on', { fault: 'day_to_come' }]);
  const found = owner && ownerOf(owner);
  if (owner && found && found.found !== 'user')
    faults.push(['owner', { fault: 'owner_not_found', owner: ownerText(owner), why: found }]);
  const ownerId = found?.found === 'user' ? found.user : owner === null ? null : undefined;
  const whole =
    plan && basket && !isToCome && boughtAt !== undefined && ownerId !== undefined && note !== undefined
      ? ({ plan, basket, boughtAt, owner: ownerId, note } satisfies ImportedOrder)
      : undefined;
  return { order: whole, faults };
}

/** Whether an order may be written down. The same line once more is no fault: it is there. */
function standingOf(
  { bought, renewals, entries }: OrderFacts,
  order: ImportedOrder | undefined,
): 'new' | 'there' | LineFault {
  const before = importedOf(entries);
  if (before) {
    const differs = order ? differences(before.detail, order) : [];
    if (differs.length === 0) return 'there';
    return { fault: 'imported_otherwise', by: before.by, at: before.at, differs };
  }
  const purchase = bought ?? renewals[0];
  if (!purchase) return 'new';
  const { id, kind, requester, createdAt } = purchase;
  return { fault: 'held', purchase: id, kind, by: requester, at: createdAt };
}

/** A plan is the same by its product id, whatever the policy calls it since; a basket in whichever order it was written. */
function differences(before: ImportedOrder, now: ImportedOrder): readonly ImportColumn[] {
  const basketOf = ({ basket }: ImportedOrder) =>
    basket
      .map(({ country, quantity }) => `${country} ${quantity}`)
      .sort()
      .join();
  return [
    ...(before.plan.productId === now.plan.productId ? [] : ['product_id' as const]),
    ...(basketOf(before) === basketOf(now) ? [] : ['countries' as const]),
    ...(before.boughtAt === now.boughtAt ? [] : ['bought_on' as const]),
    ...(before.owner === now.owner ? [] : ['owner' as const]),
    ...(before.note === now.note ? [] : ['note' as const]),
  ];
}

/** Written down in the name of whoever imports them. */
export function importEntries(rows: readonly ImportRow[], by: string): readonly NewOrderEntry[] {
  return rows.map(({ orderId, order }) => ({ orderId, by, detail: { kind: 'order_imported', ...order } }));
}

export type Imported = { readonly imported: number } | Refusal;

/** Exactly the rows that were reviewed, or none where one of them can no longer be added; a click counts once. */
export function decideImport(
  facts: OrderChangeFacts,
  { user, allowed }: Clicker,
  rows: readonly ImportRow[],
): OrderChange<Imported> {
  const done = { imported: rows.length };
  return countedOnce<OrderChange<Imported>>(facts.deliveredBefore, done, () => {
    if (isRefusal(allowed)) return { result: allowed };
    const outdated = facts.orders.some((order) => standingOf(order, undefined) !== 'new');
    return outdated ? { result: { refused: 'review_outdated' } } : { result: done, entries: importEntries(rows, user) };
  });
}
