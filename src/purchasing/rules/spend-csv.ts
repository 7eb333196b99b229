import { type CsvCell, csvRow } from '../../csv.ts';
import { inTurns } from '../../turns.ts';
import type { Movement } from '../model/account.ts';
import { sentAt } from '../model/order.ts';
import type { Purchase } from '../model/purchase.ts';
import type { Spend, SpendFacts } from '../model/spend.ts';
import { byId } from './spend.ts';

/** What the balance did, or that it was not seen to; with the purchases that explain it. */
type Line =
  | { readonly movement: Movement; readonly purchases: readonly Purchase[] }
  | { readonly movement: null; readonly purchases: readonly [Purchase] };

const COLUMNS: readonly (readonly [name: string, cell: (line: Line) => CsvCell])[] = [
  ['from', ({ movement, purchases: [first] }) => time(movement?.from ?? (first ? sentAt(first) : null))],
  ['to', ({ movement }) => time(movement?.to ?? null)],
  ['before', ({ movement }) => movement && { exact: movement.before }],
  ['after', ({ movement }) => movement && { exact: movement.after }],
  ['difference', ({ movement }) => movement && { exact: movement.difference }],
  ['kind', ({ movement }) => ({ text: movement?.kind ?? 'not_observed' })],
  ['purchases', (line) => joined(line, ({ id }) => id)],
  ['requesters', (line) => joined(line, ({ requester }) => requester)],
  ['approvers', (line) => joined(line, ({ approver }) => approver ?? 'nobody')],
  ['what', (line) => joined(line, ({ kind }) => kind)],
  ['plans', (line) => joined(line, ({ plan }) => plan.productId)],
  ['baskets', (line) => joined(line, basketText)],
  [
    'order_id',
    ({ purchases: [only, ...others] }) => (only?.orderId && !others.length ? { digits: only.orderId } : null),
  ],
  ['known_by', ({ movement }) => (movement?.known ? { text: movement.known.by } : null)],
  ['known_at', ({ movement }) => time(movement?.known?.at ?? null)],
  ['note', ({ movement }) => (movement?.known ? { text: movement.known.note } : null)],
];

/**
 * One line a movement, and one for each purchase at which the balance was not seen to fall; the differences add up to what the balance
 * has changed by.
 */
export async function spendCsv(
  { movements, purchases }: SpendFacts,
  { notObserved }: Pick<Spend, 'notObserved'>,
): Promise<string> {
  const known = await byId(purchases);
  const rows = [csvRow(COLUMNS.map(([name]) => ({ text: name })))];
  for await (const movement of inTurns(movements))
    rows.push(row({ movement, purchases: movement.purchases.flatMap((id) => known.get(id) ?? []) }));
  for await (const purchase of inTurns(notObserved)) rows.push(row({ movement: null, purchases: [purchase] }));
  return rows.join('');
}

function row(line: Line): string {
  return csvRow(COLUMNS.map(([, cell]) => cell(line)));
}

function joined({ purchases }: Line, part: (purchase: Purchase) => string): CsvCell {
  return purchases.length === 0 ? null : { text: purchases.map(part).join(' + ') };
}

function basketText({ basket }: Purchase): string {
  return basket.map(({ country, quantity }) => `${country} ${quantity}`).join(' ') || 'not known';
}

function time(at: number | null): CsvCell {
  return at === null ? null : { text: new Date(at).toISOString() };
}
