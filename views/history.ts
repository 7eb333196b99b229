import type { Answer } from '../src/purchasing/model/answer.ts';
import { type ExpectedCost, shownAmount } from '../src/purchasing/model/cost.ts';
import {
  answerOf,
  costAtFiling,
  type Entry,
  type EntryDetail,
  filingEvidence,
  keptOf,
  THE_BOT,
} from '../src/purchasing/model/entries.ts';
import {
  isProving,
  ofLastAttempt,
  type ProvingReading,
  type Reading,
  readingsOf,
  settlementOf,
} from '../src/purchasing/model/evidence.ts';
import {
  compare,
  difference,
  formatDollars,
  isPositive,
  type Money,
  NO_MONEY,
  times,
} from '../src/purchasing/model/money.ts';
import type { Purchase, State, Twin } from '../src/purchasing/model/purchase.ts';
import type { TwoPeople } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { both, capital, day, ips, orderNumber, person, quoted, signed, timeOfDay, when } from './format.ts';
import { literal } from './text.ts';

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
export function historyLines(record: PurchaseRecord): readonly string[] {
  return [
    keptLine(record),
    decisionLine(record),
    ...answerLines(record),
    frozenLine(record),
    ...balanceLines(record),
    settlementLine(record),
    orderIdLine(record),
  ].filter((line) => line !== null);
}

interface Decision {
  readonly approved: boolean;
  readonly by: string;
  readonly at: number;
}

/** Who decided, and when; null where nobody did. */
function decisionOf({ entries }: PurchaseRecord): Decision | null {
  const entry = entries.findLast(
    ({ from, to, by }) => from === 'requested' && (to === 'approved' || to === 'rejected') && by !== THE_BOT,
  );
  return entry ? { approved: entry.to === 'approved', by: entry.by, at: entry.at } : null;
}

export function decisionLine(record: PurchaseRecord): string | null {
  const { purchase } = record;
  const decision = decisionOf(record);
  // By whom it was rejected, and why, is what the state says.
  if (decision)
    return decision.approved
      ? `Approved by ${both(purchase.firstApprover, decision.by)}, ${when(decision.at)}`
      : `Rejected ${when(decision.at)}`;
  if (purchase.needsApproval) return null;
  if (keptOf(record)) return `Filed ${when(purchase.createdAt)}; no approval needed`;
  return `Confirmed by ${person(purchase.requester)}, ${when(purchase.createdAt)}; no approval needed`;
}

/** What two people who have to approve must know, as long as they have not. */
export function yesLines(
  { purchase, entries }: PurchaseRecord,
  twoPeople: TwoPeople | null,
): readonly (string | null)[] {
  const { firstApprover: first, quantity } = purchase;
  if (first !== null) {
    const at = entries.findLast(({ detail }) => detail.kind === 'first_yes')?.at ?? purchase.changedAt;
    return [`*${person(first)} said yes*, ${when(at)}${twoPeople ? '; one more is needed' : ''}.`];
  }
  if (twoPeople === null) return [];
  if (twoPeople.dollars)
    return [`*Two people have to approve it*${whyTwoForDollars(twoPeople.dollars, purchase.requester)}.`];
  const split =
    twoPeople.besides === 0 || quantity === null
      ? ''
      : `: with ${ips(twoPeople.besides)} of other requests of ${person(purchase.requester)} on the same plan within 24 hours, these are ${ips(quantity + twoPeople.besides)}`;
  return [`*Two people have to approve it*${split}.`];
}

/** The end of the sentence “Two people have to approve it”. */
export function whyTwoForDollars(
  { others, total, unpriced }: NonNullable<TwoPeople['dollars']>,
  requester: string,
): string {
  if (unpriced > 0)
    return others === 0
      ? ': no price is observed yet'
      : ': not all of what was asked for within 24 hours has an observed price';
  const besides = others === 0 ? 'it is' : `with the other requests of ${person(requester)} within 24 hours it is`;
  return `: ${besides} about ${formatDollars(total)} at prices observed`;
}

/** The purchase of the same content that was completed before this was filed; the requester confirmed that this is a separate one. */
export function repeatOf({ entries }: PurchaseRecord): Twin | null {
  return filingEvidence(entries)?.repeats ?? null;
}

/** Who has filed it, where that was nobody; and that it does so once, where it came to nothing. */
export function keptLine(record: PurchaseRecord): string | null {
  const kept = keptOf(record);
  if (kept === null) return null;
  const filed = `Filed by Proxy Desk itself, because the order is kept: ${person(kept.by)} said so, and it ends about ${day(kept.endsAt)}.`;
  const back = kept.wentBack
    ? `\n*The ledger went back in time after that*, and may have forgotten a renewal: look into the vendor's console before you approve it.`
    : '';
  const over: readonly State[] = ['rejected', 'withdrawn', 'expired', 'declined'];
  return over.includes(record.purchase.state)
    ? `${filed} It is not filed again for that end: renew it by hand if it is still wanted.`
    : `${filed}${back}`;
}

/** The answers that say anything beyond a plain yes. The body is private, and never here. */
export function answerLines({ purchase, entries }: PurchaseRecord): readonly string[] {
  return told(ofLastAttempt(entries), 'answer')
    .slice(-2)
    .flatMap(({ at, detail: { answer, late } }) => {
      if (late)
        return [
          `A late answer, ${when(at)}: ${answerText(answer)}`,
          'It came too late to count: it is evidence, and moves nothing.',
        ];
      const isClear = answer.outcome === 'completed' && purchase.state === 'completed';
      const isNone = answer.outcome === 'not_sent' && purchase.state !== 'unknown';
      // Where nothing came, the state says why.
      const isSaid = answer.why === purchase.why && answer.httpStatus === null;
      return isClear || isNone || isSaid ? [] : [capital(answerText(answer))];
    });
}

function answerText({ why, httpStatus, code, vendorText }: Answer): string {
  const codes = [
    httpStatus === null ? null : `status ${httpStatus}`,
    code === null ? null : `code ${literal(code, 40)}`,
  ].filter((part) => part !== null);
  const received = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  return `${literal(why, 300)}${received}.${vendorText === null ? '' : ` It says: ${quoted(vendorText, LONGEST_FOREIGN)}`}`;
}

/** The vendor refused the account's token: spending was frozen by itself then, whatever holds now. */
export function frozenLine(record: PurchaseRecord): string | null {
  if (!answerOf(record)?.unauthorized) return null;
  return "*Spending was frozen* with it: the vendor does not accept the account token (401). That is nobody's fault who asked for something; an approver has to look at it.";
}

/** Balance before and after, with their times and differences. */
export function balanceLines({ purchase, entries }: PurchaseRecord): readonly string[] {
  const { attempt, state } = purchase;
  if (attempt === null || state === 'approved') return [];
  const before = attempt.balanceBefore;
  const readings = readingsOf(entries);
  const proving = readings.filter(isProving);
  const latest = proving.at(-1);
  return [
    ...movementLines(before, attempt.balanceBeforeAt, proving),
    ...(state === 'completed' && latest
      ? notAsExpected(costAtFiling(entries), difference(before, latest.balance))
      : []),
    ...readings.filter((reading) => !isProving(reading)).map(notProvingLine),
    ...(latest ? verdict(state, compare(latest.balance, before) === 0) : []),
    ...(state === 'declined' && purchase.declinedHow === 'vendor' && readings[0]?.balance === null
      ? ['The balance could not be compared at the first reading after the answer.']
      : []),
  ];
}

/** `Balance $1,000.00 → $952.00 (−$48.00), read 6:00`; one line for each amount that was read after the attempt. */
function movementLines(before: Money, beforeAt: number, readings: readonly ProvingReading[]): readonly string[] {
  if (readings.length === 0) return [`Balance before: ${formatDollars(before)}, read ${timeOfDay(beforeAt)}`];
  const amounts = readings.filter(({ balance }, index) => index === 0 || readings[index - 1]?.balance !== balance);
  return amounts.map(({ balance, readAt }, index) => {
    const moved = compare(balance, before) !== 0;
    const from = index === 0 ? `Balance ${formatDollars(before)}` : 'Then it was';
    const note = moved ? ' · observed, not a quoted price' : '';
    const amount = moved
      ? `${index === 0 ? '→ ' : ''}${formatDollars(balance)} (${signed(difference(balance, before))})`
      : 'unchanged';
    return `${from} ${amount}, read ${timeOfDay(readAt)}${note}`;
  });
}

/** Vendors may round. What is further off by one part in so many is told. */
const NEAR = 100n;

/** What left is not what its requester saw. Which of the two it is, no balance tells. @param fell by how much the balance did */
function notAsExpected(expected: ExpectedCost | null, fell: Money): readonly string[] {
  const amount = expected && shownAmount(expected);
  if (amount === null || !isPositive(fell)) return [];
  const off = difference(fell, amount);
  const distance = isPositive(off) ? off : difference(NO_MONEY, off);
  if (compare(times(distance, NEAR), amount) <= 0) return [];
  return [
    `*Expected were about ${formatDollars(amount)}* at prices observed: a price has changed, or money moved by another way meanwhile.`,
  ];
}

function notProvingLine({ balance, readAt, why }: Reading): string {
  if (balance === null)
    return `Balance after: could not be read, ${timeOfDay(readAt)}${why === null ? '' : ` (${literal(why, 200)})`}`;
  return `Balance ${formatDollars(balance)}, read ${timeOfDay(readAt)}: another purchase was sent in between, so it proves nothing`;
}

function verdict(state: string, still: boolean): readonly string[] {
  if (!still) return [];
  if (state === 'completed')
    return ['*Attention: the balance has not moved.* The vendor may book later: look in its console.'];
  return state === 'unknown' ? ['So far the balance has not moved; that alone proves nothing.'] : [];
}

/** Whether there is a card of its own on which it is, or was, settled. */
export function wasUnknown({ entries }: PurchaseRecord): boolean {
  return entries.some(({ to }) => to === 'unknown');
}

export function settlementLine({ purchase, entries }: PurchaseRecord): string | null {
  const settled = settlementOf(purchase, entries);
  if (settled === null) return null;
  const { by, at, placed, note } = settled;
  return `Settled as ${placed ? 'placed' : 'not placed'} by ${person(by)}, ${when(at)}${note === null ? '' : `: ${quoted(note, LONGEST_FOREIGN)}`}`;
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
    return `Order *${orderNumber(purchase.orderId)}*${entered ? ` (entered by ${person(entered.by)})` : ''}`;
  }
  if (purchase.state !== 'completed') return null;
  const [only, ...more] = named;
  if (only === undefined) {
    const why = answer?.rawBody ? 'The answer names no order id.' : 'The order id is not known.';
    return `${why} Enter it when you know it: renewals need it.`;
  }
  if (more.length > 0) return `The answer names several: ${orders(named)}. None is taken; enter the right one.`;
  return `The answer names order id ${orderNumber(only)}, but another purchase holds it. Look in the vendor's console.`;
}

function orders(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).map(orderNumber).join(', ');
  return `order id ${shown}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;
}

/** A person may type the order id of a completed buy as long as it is not known. */
export function canEnterOrderId({ kind, state, orderId }: Purchase): boolean {
  return kind === 'buy' && state === 'completed' && orderId === null;
}

/** Is there something to open? */
export function hasAnswerToShow(record: PurchaseRecord): boolean {
  return (answerOf(record)?.rawBody ?? '') !== '';
}
