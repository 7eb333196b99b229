import { answerOf, DESK, type Entry, type EntryDetail } from '../src/purchasing/model/entries.ts';
import { compare, difference, formatDollars, type Money } from '../src/purchasing/model/money.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { orderNumber } from './describe.ts';
import { person } from './people.ts';
import { literal } from './text.ts';
import { when } from './when.ts';

// What the ledger tells of one purchase, as lines of mrkdwn to be shown verbatim. Each is null, or none, where there is nothing to tell.

/** Of one foreign text in a line: a card holds several, and Slack refuses a message of more than about 10,000 characters. */
const LONGEST_FOREIGN = 700;

type Detail<K extends EntryDetail['kind']> = Extract<EntryDetail, { kind: K }>;
type Told<K extends EntryDetail['kind']> = { readonly at: number; readonly by: string; readonly detail: Detail<K> };

function told<K extends EntryDetail['kind']>(entries: readonly Entry[], kind: K): readonly Told<K>[] {
  return entries.flatMap(({ at, by, detail }) => (isKind(detail, kind) ? [{ at, by, detail }] : []));
}

function isKind<K extends EntryDetail['kind']>(detail: EntryDetail, kind: K): detail is Detail<K> {
  return detail.kind === kind;
}

/** Everything that has happened, as far as people have to know it. */
export function storyLines(record: PurchaseRecord): readonly string[] {
  return [
    decisionLine(record),
    ...answerLines(record),
    ...balanceLines(record),
    settlementLine(record),
    orderIdLine(record),
  ].filter((line) => line !== null);
}

export interface Decision {
  readonly approved: boolean;
  readonly by: string;
  readonly at: number;
}

/** Who decided, and when; null where nobody did. */
export function decisionOf({ entries }: PurchaseRecord): Decision | null {
  const entry = entries.findLast(
    ({ from, to, by }) => from === 'requested' && (to === 'approved' || to === 'rejected') && by !== DESK,
  );
  return entry ? { approved: entry.to === 'approved', by: entry.by, at: entry.at } : null;
}

export function decisionLine(record: PurchaseRecord): string | null {
  const { purchase } = record;
  const decision = decisionOf(record);
  if (decision) return `${decision.approved ? 'Approved' : 'Rejected'} by ${person(decision.by)}, ${when(decision.at)}`;
  if (purchase.needsApproval) return null;
  return `Confirmed by ${person(purchase.requester)}, ${when(purchase.createdAt)}; no approval needed`;
}

/** The answers, with the last word on whether one counts. The body is private, and never here. */
export function answerLines({ purchase, entries }: PurchaseRecord): readonly string[] {
  return told(ofLastAttempt(entries), 'answer')
    .slice(-2)
    .flatMap(({ at, detail: { answer, late } }) => {
      if (answer.outcome === 'not_sent' && purchase.state !== 'unknown') return [];
      const said = answer.vendorText === null ? '' : ` It says: ${literal(answer.vendorText, LONGEST_FOREIGN)}`;
      const codes = [
        answer.httpStatus === null ? null : `status ${answer.httpStatus}`,
        answer.code === null ? null : `code ${literal(answer.code, 40)}`,
      ].filter((code) => code !== null);
      const received = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
      const heading = late ? `A late answer, ${when(at)}` : 'What came back';
      const line = `${heading}: ${literal(answer.why, 300)}${received}.${said}`;
      return late ? [line, 'It came too late to count: it is evidence, and moves nothing.'] : [line];
    });
}

/** Balance before and after, with their times and differences. */
export function balanceLines({ purchase, entries }: PurchaseRecord): readonly string[] {
  const { attempt, state } = purchase;
  if (attempt === null || state === 'approved') return [];
  const before = attempt.balanceBefore;
  const readings = told(ofLastAttempt(entries), 'reading').map(({ detail }) => detail);
  const proving = readings.filter(isProving);
  const latest = proving.at(-1);
  return [
    `Balance before: ${formatDollars(before)}, ${when(attempt.balanceBeforeAt)}`,
    ...runsOf(readings).map(({ first, last }) => readingLine(first, last, before)),
    ...(proving.length > 0 ? ['Differences are observed between two readings, not a price.'] : []),
    ...(latest ? verdict(state, compare(latest.balance, before) === 0) : []),
    ...(state === 'declined' && purchase.declinedHow === 'vendor' && readings[0]?.balance === null
      ? ['The balance could not be compared at the first reading after the answer.']
      : []),
  ];
}

type Reading = Detail<'reading'>;

function isProving(reading: Reading): reading is Reading & { readonly balance: Money } {
  return reading.alone && reading.balance !== null;
}

/** Readings that say the same, one after the other, are one line: on a phone, three are a screen. */
function runsOf(readings: readonly Reading[]): readonly { readonly first: Reading; readonly last: Reading }[] {
  const runs: { first: Reading; last: Reading }[] = [];
  for (const reading of readings) {
    const run = runs.at(-1);
    if (run && run.first.balance === reading.balance && run.first.alone === reading.alone) run.last = reading;
    else runs.push({ first: reading, last: reading });
  }
  return runs;
}

function readingLine(first: Reading, last: Reading, before: Money): string {
  const { balance, readAt, why, alone } = first;
  const still = first === last ? '' : `, and still ${when(last.readAt)}`;
  if (balance === null)
    return `Balance after: could not be read, ${when(readAt)}${still}${why === null ? '' : ` (${literal(why, 200)})`}`;
  const after = `Balance after: ${formatDollars(balance)}, ${when(readAt)}${still}`;
  return alone
    ? `${after} (${movement(balance, before)})`
    : `${after}; another purchase was sent in between, so it proves nothing`;
}

function movement(after: Money, before: Money): string {
  const moved = compare(after, before);
  if (moved === 0) return 'no difference';
  return `difference ${moved > 0 ? '+' : ''}${formatDollars(difference(after, before))}`;
}

function verdict(state: string, still: boolean): readonly string[] {
  if (!still) return [];
  if (state === 'completed')
    return ['*Attention: the balance has not moved.* The vendor may book later: look in its console.'];
  return state === 'unknown' ? ['So far the balance has not moved; that alone proves nothing.'] : [];
}

export function settlementLine({ purchase, entries }: PurchaseRecord): string | null {
  const entry = entries.findLast(
    ({ from, to, by }) => from === 'unknown' && (to === 'completed' || to === 'declined') && by !== DESK,
  );
  if (entry?.detail.kind !== 'transition') return null;
  const note = textOf(entry.detail.evidence, 'note') ?? purchase.why;
  const how = entry.to === 'completed' ? 'placed' : 'not placed';
  return `Settled as ${how} by ${person(entry.by)}, ${when(entry.at)}${note === null ? '' : `: ${literal(note, LONGEST_FOREIGN)}`}`;
}

function textOf(evidence: object, name: string): string | null {
  const value: unknown = Object.hasOwn(evidence, name) ? Reflect.get(evidence, name) : null;
  return typeof value === 'string' ? value : null;
}

/** Which order it became; for a renewal, only whether the answer names another one. */
export function orderIdLine(record: PurchaseRecord): string | null {
  const { purchase, entries } = record;
  const answer = answerOf(record);
  const named = answer?.orderIds ?? [];
  if (purchase.kind === 'renew') {
    const others = named.filter((id) => id !== purchase.orderId);
    if (others.length === 0) return null;
    return `*Look at this*: the answer names ${orders(others)}, but order ${orderNumber(purchase.orderId)} was to be renewed.`;
  }
  if (purchase.orderId !== null) {
    const entered = told(entries, 'order_id').at(-1);
    return `Order id: *${orderNumber(purchase.orderId)}*${entered ? ` (entered by ${person(entered.by)})` : ''}`;
  }
  if (purchase.state !== 'completed') return null;
  const [only, ...more] = named;
  if (only === undefined) return 'The answer names no order id. Enter it when you know it: renewals need it.';
  if (more.length > 0) return `The answer names several: ${orders(named)}. None is taken; enter the right one.`;
  return `The answer names order id ${orderNumber(only)}, but another purchase holds it. Look in the vendor's console.`;
}

function orders(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).map(orderNumber).join(', ');
  return `order id ${shown}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;
}

/** May a person (still) type the order id? What the vendor's answer named stays; what a person typed may be corrected. */
export function canEnterOrderId(record: PurchaseRecord): boolean {
  const { purchase } = record;
  if (purchase.kind !== 'buy' || purchase.state !== 'completed') return false;
  return purchase.orderId === null || answerOf(record)?.orderIds.length !== 1;
}

/** Is there something to open? */
export function hasAnswerToShow(record: PurchaseRecord): boolean {
  return (answerOf(record)?.rawBody ?? '') !== '';
}

/** Answers and readings of earlier tries, which never left, prove nothing of the last. */
function ofLastAttempt(entries: readonly Entry[]): readonly Entry[] {
  const started = entries.findLastIndex(({ to }) => to === 'sending');
  return started === -1 ? entries : entries.slice(started);
}
