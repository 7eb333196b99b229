import { type CsvCell, csvRow } from '../../csv.ts';
import { plural } from '../../plural.ts';
import type { Allocation } from '../../purchasing/model/basket.ts';
import type { Entry } from '../../purchasing/model/entries.ts';
import { balanceAfter, settlementOf } from '../../purchasing/model/evidence.ts';
import type { Purchase } from '../../purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../purchasing/ports/ledger.ts';
import type { Backup } from '../sqlite/backup.ts';

// What the ledger command prints. People are Slack user ids, times are ISO 8601 in UTC, order ids text with every digit.

/** The other person who approved or rejected it; where it was withdrawn or expired in the end, nobody's decision holds. */
function deciderOf({ state, approver }: Purchase): string | null {
  return state === 'withdrawn' || state === 'expired' ? null : approver;
}

/** Who said yes first of two, as long as it holds. */
function firstOf({ state, firstApprover }: Purchase): string | null {
  return state === 'withdrawn' || state === 'expired' || state === 'rejected' ? null : firstApprover;
}

export function purchaseFields(purchase: Purchase) {
  const { attempt } = purchase;
  return {
    id: purchase.id,
    kind: purchase.kind,
    state: purchase.state,
    requester: purchase.requester,
    approver: deciderOf(purchase),
    firstApprover: firstOf(purchase),
    plan: purchase.plan.productId,
    planName: purchase.plan.name,
    basket: purchase.basket,
    quantity: purchase.quantity,
    orderId: purchase.orderId,
    reason: purchase.reason,
    needsApproval: purchase.needsApproval,
    createdAt: time(purchase.createdAt),
    changedAt: time(purchase.changedAt),
    expiresAt: time(purchase.expiresAt),
    sendBy: time(purchase.sendBy),
    attempts: attempt?.number ?? 0,
    sentAt: time(attempt?.at ?? null),
    balanceBefore: attempt?.balanceBefore ?? null,
    balanceBeforeAt: time(attempt?.balanceBeforeAt ?? null),
    declinedHow: purchase.declinedHow,
    why: purchase.why,
    batch: purchase.batch?.id ?? null,
  };
}

function entryFields({ seq, at, by, from, to, detail }: Entry) {
  return { seq, at: time(at), by, from, to, ...detail };
}

/** One line. Also what JSON leaves as it is but a terminal obeys is escaped. */
export function jsonLine(value: object): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(OBEYED, escaped)}\n`;
}

/** Columns are as wide as what has been seen so far: to know the widest cell of all, all would have to be held. */
export async function* table<T>(
  head: readonly string[],
  row: (of: T) => readonly string[],
  pages: AsyncIterable<readonly T[]>,
): AsyncGenerator<string> {
  let widths = head.map(() => 0);
  const aligned = (rows: readonly (readonly string[])[]) => {
    widths = widths.map((width, column) => Math.max(width, ...rows.map((cells) => cells[column]?.length ?? 0)));
    return rows
      .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
  };
  let first = [head];
  for await (const page of pages) {
    yield aligned([...first, ...page.map(row)]);
    first = [];
  }
  if (first.length > 0) yield aligned(first);
}

export async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map(jsonLine).join('');
}

/** A column of the CSV: its name, and its cell in a row. */
export type Column<T> = readonly [name: string, cell: (of: T) => CsvCell];

export async function* csv<T>(
  columns: readonly Column<T>[],
  pages: AsyncIterable<readonly T[]>,
): AsyncGenerator<string> {
  yield csvRow(columns.map(([name]) => text(name)));
  for await (const page of pages) yield page.map((of) => csvRow(columns.map(([, cell]) => cell(of)))).join('');
}

const HEAD = ['ID', 'CREATED (UTC)', 'STATE', 'KIND', 'REQUESTER', 'APPROVER', 'ORDER', 'IPS', 'REASON'];

export function purchaseTable(pages: AsyncIterable<readonly Purchase[]>): AsyncGenerator<string> {
  return table(HEAD, tableRow, pages);
}

function tableRow(purchase: Purchase): string[] {
  return [
    purchase.id,
    time(purchase.createdAt).slice(0, 16).replace('T', ' '),
    purchase.state,
    purchase.kind,
    purchase.requester,
    deciderOf(purchase) ?? '-',
    purchase.orderId ?? '-',
    basketText(purchase.basket) || '-',
    literal(purchase.reason),
  ];
}

export function purchaseLines(pages: AsyncIterable<readonly Purchase[]>): AsyncGenerator<string> {
  return jsonLines(mapped(pages, purchaseFields));
}

export function recordJson({ purchase, entries }: PurchaseRecord): string {
  return jsonLine({ ...purchaseFields(purchase), entries: entries.map(entryFields) });
}

export function recordText({ purchase, entries }: PurchaseRecord): string {
  const { basket, ...fields } = purchaseFields(purchase);
  const shown = Object.entries({ ...fields, basket: basketText(basket) || null });
  const head = shown.map(([name, value]) => `${name.padEnd(16)} ${literal(String(value ?? '-'))}\n`);
  return [...head, '\n', ...entries.map(entryText)].join('');
}

/** What the entries add, for whoever does the books. */
function exportFields({ purchase, entries }: PurchaseRecord) {
  const after = balanceAfter(purchase.attempt, entries);
  const settled = settlementOf(purchase, entries);
  return {
    ...purchaseFields(purchase),
    balanceAfter: after?.balance ?? null,
    difference: after?.difference ?? null,
    settledBy: settled?.by ?? null,
    note: settled?.note ?? null,
  };
}

const COLUMNS: readonly Column<ReturnType<typeof exportFields>>[] = [
  ['id', ({ id }) => text(id)],
  ['kind', ({ kind }) => text(kind)],
  ['state', ({ state }) => text(state)],
  ['requester', ({ requester }) => text(requester)],
  ['approver', ({ approver }) => text(approver)],
  ['first_approver', ({ firstApprover }) => text(firstApprover)],
  ['plan', ({ plan }) => text(plan)],
  ['plan_name', ({ planName }) => text(planName)],
  ['basket', ({ basket }) => text(basketText(basket))],
  ['quantity', ({ quantity }) => exact(quantity)],
  ['order_id', ({ orderId }) => (orderId === null ? null : { digits: orderId })],
  ['reason', ({ reason }) => text(reason)],
  ['needs_approval', ({ needsApproval }) => text(needsApproval ? 'yes' : 'no')],
  ['created_at', ({ createdAt }) => text(createdAt)],
  ['changed_at', ({ changedAt }) => text(changedAt)],
  ['sent_at', ({ sentAt }) => text(sentAt)],
  ['balance_before', ({ balanceBefore }) => exact(balanceBefore)],
  ['declined_how', ({ declinedHow }) => text(declinedHow)],
  ['why', ({ why }) => text(why)],
  ['balance_after', (fields) => exact(fields.balanceAfter)],
  ['difference', (fields) => exact(fields.difference)],
  ['settled_by', ({ settledBy }) => text(settledBy)],
  ['note', ({ note }) => text(note)],
  ['batch', ({ batch }) => text(batch)],
];

export function purchaseCsv(pages: AsyncIterable<readonly PurchaseRecord[]>): AsyncGenerator<string> {
  return csv(COLUMNS, mapped(pages, exportFields));
}

/** Page by page, in another form. */
export async function* mapped<T, R>(
  pages: AsyncIterable<readonly T[]>,
  to: (of: T) => R,
): AsyncGenerator<readonly R[]> {
  for await (const page of pages) yield page.map(to);
}

export function backupText({ file, bytes, purchases }: Backup): string {
  return `wrote ${file}: ${plural(purchases, 'purchase')}, ${bytes} bytes; spending on it is frozen until somebody unfreezes it\n`;
}

function entryText(entry: Entry): string {
  const { detail } = entry;
  const what = entry.to === null ? detail.kind : `${entry.from ?? 'filed'} -> ${entry.to}`;
  const head = `${time(entry.at)}  ${literal(entry.by)}  ${what}`;
  if (detail.kind !== 'answer') {
    const { kind: _, ...rest } = detail;
    return `${head}  ${jsonLine(detail.kind === 'transition' ? detail.evidence : rest)}`;
  }
  const { rawBody, ...answer } = detail.answer;
  const raw = (rawBody ?? '(no body)').split('\n').map((line) => `    ${literal(line)}\n`);
  return `${head}  ${jsonLine({ attemptId: detail.attemptId, late: detail.late, ...answer })}${raw.join('')}`;
}

/** Controls beyond those that JSON escapes, direction and line marks: a terminal or an editor obeys them. */
const OBEYED = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** On one line, with nothing in it that a terminal would obey. */
export function literal(shown: string): string {
  return jsonLine([shown]).slice(2, -3).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

export function basketText(basket: readonly Allocation[]): string {
  return basket.map(({ country, quantity }) => `${country} ${quantity}`).join(', ');
}

export function time(at: number): string;
export function time(at: number | null): string | null;
export function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function text(value: string | null): CsvCell {
  return value === null ? null : { text: value };
}

export function exact(value: number | string | null): CsvCell {
  return value === null ? null : { exact: value };
}
