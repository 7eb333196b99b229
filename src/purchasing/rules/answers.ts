import type { Answer, BalanceReading } from '../model/answer.ts';
import { type Change, type ChangeFacts, type DueReading, move } from '../model/change.ts';
import { type NewEntry, THE_BOT } from '../model/entries.ts';
import { compare } from '../model/money.ts';
import type { OrderId } from '../model/order-id.ts';
import { alert } from '../model/outbox.ts';
import type { Attempt, Purchase } from '../model/purchase.ts';
import { type Decided, wrongState } from './decisions.ts';
import { TOKEN_REFUSED } from './freezing.ts';
import { speaksOfMoney } from './holding.ts';
import { whyNoMore } from './sending.ts';

// What becomes of a purchase that was sent: by the vendor's answer, by the balance that follows it, or by silence.

/** The balance is read at once, and again when a slow vendor has booked: 10 s and 60 s after the attempt. */
const READINGS_AFTER_MS = [0, 10_000, 60_000] as const;

/** A refused connection is often a restart of some seconds. */
const NEXT_ATTEMPT_AFTER_MS = 3_000;

/** Waits for a sending process that may still be alive at its deadline, before another calls its purchase unknown. */
export const OVERDUE_GRACE_MS = 15_000;

/** `forgotten`: the ledger did not know the attempt. */
export type Stored = 'counts' | 'late' | 'forgotten';

/** The vendor's answer, stored at once; whatever it proves, one that does not accept the token (401) freezes spending. */
export function decideAnswer(purchase: Purchase, facts: ChangeFacts, attempt: Attempt, answer: Answer): Change<Stored> {
  const change = weighAnswer(purchase, facts, attempt, answer);
  return answer.unauthorized ? { ...change, freeze: { reason: TOKEN_REFUSED, occasion: attempt.id } } : change;
}

/**
 * Moves on what the answer proves; a refusal waits, still `sending`, for the first reading.
 * An answer that comes when the purchase has moved on already is kept as evidence and moves nothing.
 */
function weighAnswer(purchase: Purchase, facts: ChangeFacts, attempt: Attempt, answer: Answer): Change<Stored> {
  const own = purchase.attempt?.id === attempt.id;
  if (!own && answer.outcome !== 'not_sent') return decideForgotten(purchase, facts, attempt, answer);
  if (!own || purchase.state !== 'sending' || purchase.attempt.refused)
    return { result: 'late', by: THE_BOT, entries: [answerEntry(attempt, answer, 'late')] };

  const counts = { result: 'counts', entries: [answerEntry(attempt, answer)] } as const;
  const readings = readingsFrom(facts.now);
  switch (answer.outcome) {
    case 'completed': {
      const orderId = placedOrder(purchase, facts, answer);
      const set = { why: answer.why, ...(orderId === null ? {} : { orderId }) };
      return { ...move(purchase, 'completed', THE_BOT, { why: answer.why }), ...counts, set, readings };
    }
    case 'unknown':
      return {
        ...move(purchase, 'unknown', THE_BOT, { why: answer.why }),
        ...counts,
        set: { why: answer.why },
        readings,
      };
    case 'declined': {
      const short = speaksOfMoney(answer.vendorText) ? { short: true as const } : {};
      const set = { attempt: { ...purchase.attempt, refused: true, ...short }, why: answer.vendorText ?? answer.why };
      return { by: THE_BOT, ...counts, set, readings };
    }
    case 'not_sent': {
      const why = `the request never left: ${answer.why}`;
      if (whyNoMore(attempt, facts.now + NEXT_ATTEMPT_AFTER_MS) !== undefined)
        return {
          ...move(purchase, 'declined', THE_BOT, { why }),
          ...counts,
          set: { declinedHow: 'not_sent', why },
          readings,
        };
      const set = { sendAfter: facts.now + NEXT_ATTEMPT_AFTER_MS, why };
      return { ...move(purchase, 'approved', THE_BOT, { why }), ...counts, set, readings: readings.slice(0, 1) };
    }
    default:
      return answer.outcome satisfies never;
  }
}

/**
 * An answer for an attempt that the ledger does not know: it went back in time since, by a backup or by a standby that lacked the last
 * commits. In whatever state the purchase is now, it was sent, perhaps twice. It becomes unknown, unless a person or another attempt has
 * said that it was placed, or a person that it was not; the answer is kept in any case, and people are told.
 */
function decideForgotten(purchase: Purchase, facts: ChangeFacts, attempt: Attempt, answer: Answer): Change<Stored> {
  const orders = answer.orderIds.length > 0 ? `, order ${answer.orderIds.join(', ')}` : '';
  const why = `the ledger had forgotten that it was sent; the vendor's answer: ${answer.why}${orders}`;
  // An attempt that is under way, or was not answered yet, is still to be known by its own answer.
  const unanswered = purchase.state === 'sending' || purchase.state === 'unknown' ? purchase.attempt : null;
  const common = {
    result: 'forgotten' as const,
    by: THE_BOT,
    wentBack: `${purchase.id} was sent, and may have forgotten more: compare it with the vendor's console first`,
  };
  const set = unanswered === null ? { attempt: { ...attempt, forgotten: true as const } } : {};
  if (purchase.state === 'completed' || purchase.state === 'unknown' || purchase.declinedHow === 'settled') {
    const text = `${purchase.id}, which is ${purchase.state}: ${why}. Compare it with the vendor's console before anybody unfreezes spending.`;
    return {
      ...common,
      ...(purchase.state === 'unknown' && { set }),
      entries: [answerEntry(attempt, answer, 'late')],
      notices: [alert(`forgotten:${attempt.id}`, text)],
    };
  }
  return {
    ...move(purchase, 'unknown', THE_BOT, { why }, attempt.id),
    ...common,
    set: { ...set, why, declinedHow: null },
    entries: [answerEntry(attempt, answer)],
    readings: readingsFrom(facts.now),
  };
}

/** The reading that was due when the balance was asked for. */
export interface Awaited {
  readonly attemptId: string | undefined;
  readonly nth: number;
}

/**
 * A balance reading that follows an attempt. It makes a refusal `declined`, or contradicts one: a balance that fell although the
 * vendor said no means that nobody can tell.
 */
export function decideReading(
  purchase: Purchase,
  facts: ChangeFacts,
  awaited: Awaited,
  reading: BalanceReading,
): Change<Decided> {
  // It is older than the attempt that has begun since, and says nothing of it.
  if (purchase.attempt?.id !== awaited.attemptId) return { result: purchase, by: THE_BOT };
  const { nth } = awaited;
  const alone = !facts.sentSince && purchase.attempt?.forgotten !== true;
  const entry: NewEntry = {
    by: THE_BOT,
    from: null,
    to: null,
    detail: {
      kind: 'reading',
      nth,
      balance: reading.ok ? reading.balance : null,
      readAt: reading.at,
      why: reading.ok ? null : reading.why,
      alone,
    },
  };
  const common = { by: THE_BOT, entries: [entry], taken: nth };
  const before = purchase.attempt?.balanceBefore;
  const fell = alone && before !== undefined && reading.ok && compare(reading.balance, before) < 0;

  if (purchase.state === 'sending' && purchase.attempt?.refused) {
    if (fell) return { ...unknownAfterFall(purchase), ...common };
    const evidence = { why: purchase.why, balanceCompared: reading.ok };
    const why = reading.ok ? purchase.why : `${purchase.why ?? 'refused'} (the balance could not be compared)`;
    return { ...move(purchase, 'declined', THE_BOT, evidence), set: { declinedHow: 'vendor', why }, ...common };
  }
  if (purchase.state === 'declined' && purchase.declinedHow !== 'settled' && fell)
    return { ...unknownAfterFall(purchase), ...common };
  return { result: purchase, ...common };
}

/** A `sending` whose process is gone: unknown, never sent again. A stored refusal is finished by its reading instead. */
export function decideOverdue(purchase: Purchase, facts: ChangeFacts, graceMs: number): Change<Decided> {
  const { attempt } = purchase;
  const overdue = attempt !== null && facts.now >= attempt.deadline + graceMs;
  if (purchase.state !== 'sending' || !overdue || attempt.refused) return { result: wrongState(purchase), by: THE_BOT };
  const why = 'the process that was sending it was lost, or cut off from the ledger, and no answer was kept';
  return { ...move(purchase, 'unknown', THE_BOT, { why }), set: { why }, readings: readingsFrom(facts.now) };
}

function answerEntry({ id }: Attempt, answer: Answer, late?: 'late'): NewEntry {
  const detail = { kind: 'answer', attemptId: id, answer, late: late !== undefined } as const;
  return { by: THE_BOT, from: null, to: null, detail };
}

function readingsFrom(now: number): readonly DueReading[] {
  return READINGS_AFTER_MS.map((after, nth) => ({ nth, dueAt: now + after }));
}

function unknownAfterFall(purchase: Purchase<'sending' | 'declined'>): Change<Decided> {
  const said = purchase.declinedHow === 'not_sent' ? 'nothing was sent' : 'the vendor refused it';
  const why = `${said}, but the balance fell`;
  return { ...move(purchase, 'unknown', THE_BOT, { why }, 'balance fell'), set: { why, declinedHow: null } };
}

/** The order that a buy has placed: exactly one id, and not one that another buy holds. */
function placedOrder(purchase: Purchase, facts: ChangeFacts, answer: Answer): OrderId | null {
  const [orderId, ...others] = answer.orderIds;
  if (purchase.kind !== 'buy' || orderId === undefined || others.length > 0) return null;
  return facts.orderIdHolder === null || facts.orderIdHolder === purchase.id ? orderId : null;
}

/**
 * What becomes of a purchase on a ledger that may have gone back in time. If it was open it may have been approved, sent and paid for
 * since, by a process that is gone: sent now, it could be sent twice; expired, it would be asked for again. So nobody can tell, and the
 * same content is not taken until a person has looked in the vendor's console.
 */
export function decideGoneBack(purchase: Purchase): Change<null> {
  const { state } = purchase;
  if (state !== 'requested' && state !== 'approved' && state !== 'sending') return { result: null, by: THE_BOT };
  const why = 'the ledger may have gone back in time, and have forgotten that it was sent';
  return { ...move(purchase, 'unknown', THE_BOT, { why }, 'gone back'), result: null, set: { why } };
}
