import type { Allocation } from '../../purchasing/model/basket.ts';
import type { Entry } from '../../purchasing/model/entries.ts';
import { balanceAfter, settlementOf } from '../../purchasing/model/evidence.ts';
import type { Purchase } from '../../purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../purchasing/ports/ledger.ts';
import { type CsvCell, writeCsv } from './csv.ts';

// What the ledger command prints. People are Slack user ids, times are ISO 8601 in UTC, order ids text with every digit.

/** The other person who approved or rejected it; where it was withdrawn or expired in the end, nobody's decision holds. */
function deciderOf({ state, approver }: Purchase): string | null {
  return state === 'withdrawn' || state === 'expired' ? null : approver;
}

export function purchaseFields(purchase: Purchase) {
  const { attempt } = purchase;
  return {
    id: purchase.id,
    kind: purchase.kind,
    state: purchase.state,
    requester: purchase.requester,
    approver: deciderOf(purchase),
    firstApprover: purchase.firstApprover,
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
  };
}

export function entryFields({ seq, at, by, from, to, detail }: Entry) {
  return { seq, at: time(at), by, from, to, ...detail };
}

/** One line. Also what JSON leaves as it is but a terminal obeys is escaped. */
export function jsonLine(value: object): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(OBEYED, escaped)}\n`;
}

export function table(purchases: readonly Purchase[]): string {
  const rows = purchases.map((purchase) => [
    purchase.id,
    time(purchase.createdAt)?.slice(0, 16).replace('T', ' ') ?? '',
    purchase.state,
    purchase.kind,
    purchase.requester,
    deciderOf(purchase) ?? '-',
    purchase.orderId ?? '-',
    basketText(purchase.basket) || '-',
    literal(purchase.reason),
  ]);
  const head = ['ID', 'CREATED (UTC)', 'STATE', 'KIND', 'REQUESTER', 'APPROVER', 'ORDER', 'IPS', 'REASON'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
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

const COLUMNS: readonly [string, (fields: ReturnType<typeof exportFields>) => CsvCell][] = [
  ['id', ({ id }) => text(id)],
  ['kind', ({ kind }) => text(kind)],
  ['state', ({ state }) => text(state)],
  ['requester', ({ requester }) => text(requester)],
  ['approver', ({ approver }) => text(approver)],
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
];

export function csv(records: readonly PurchaseRecord[]): string {
  return writeCsv(
    COLUMNS.map(([name]) => name),
    records.map((record) => {
      const fields = exportFields(record);
      return COLUMNS.map(([, cell]) => cell(fields));
    }),
  );
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
function literal(shown: string): string {
  return jsonLine([shown]).slice(2, -3).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

function basketText(basket: readonly Allocation[]): string {
  return basket.map(({ country, quantity }) => `${country} ${quantity}`).join(', ');
}

function time(at: number): string;
function time(at: number | null): string | null;
function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function text(value: string | null): CsvCell {
  return value === null ? null : { text: value };
}

function exact(value: number | string | null): CsvCell {
  return value === null ? null : { exact: value };
}
