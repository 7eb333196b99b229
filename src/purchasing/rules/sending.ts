import type { Answer } from '../model/answer.ts';
import type { BalanceReading } from '../model/balance-reading.ts';
import type { Change, ChangeFacts, DueReading } from '../model/change.ts';
import { DESK, type NewEntry } from '../model/entries.ts';
import { compare, type Money } from '../model/money.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Policy } from '../model/policy.ts';
import type { Attempt, Purchase } from '../model/purchase.ts';
import { type Decided, move, wrongState } from './decisions.ts';
import { needsApproval, overLimits, samePlan } from './filing.ts';

/** The balance is read at once, and again when a slow vendor has booked: 10 s and 60 s after the attempt. */
const READINGS_AFTER_MS = [0, 10_000, 60_000] as const;

/** More tries of a request that provably never left only delay the news that the vendor is out of reach. */
const ATTEMPTS_AT_MOST = 3;
const ATTEMPTS_WITHIN_MS = 60_000;

/** A refused connection is often a restart of some seconds. */
const NEXT_ATTEMPT_AFTER_MS = 3_000;

/** Waits for a sending process that may still be alive at its deadline, before another calls its purchase unknown. */
export const OVERDUE_GRACE_MS = 15_000;

/** What the lane knows just before sending. */
export interface Departure {
  readonly attemptId: string;
  /** From the start of the connection to the last byte of the answer. */
  readonly answerWithinMs: number;
  readonly balance: Money;
  readonly balanceAt: number;
  /** When rights and balance were asked for, the last purchase sent was this one. */
  readonly lastSending: number;
}

export type Entered = { readonly entered: Attempt } | { readonly waits: string } | { readonly refused: 'gone' };

/**
 * May it be sent, again or for the first time? The one place where that is decided, inside the transaction that enters `sending`.
 * Rights and balance were asked just before; all else is read here.
 */
export function decideSending(
  purchase: Purchase,
  facts: ChangeFacts,
  departure: Departure,
  policy: Policy,
): Change<Entered> {
  const by = DESK;
  const { now } = facts;
  if (purchase.state !== 'approved') return { result: { refused: 'gone' }, by };
  if (facts.freeze) return { result: { waits: 'spending is frozen' }, by };
  if (facts.laneBusy) return { result: { waits: 'another purchase is being sent' }, by };
  // The balance before must be one that the purchase before has left behind.
  if (facts.lastSending !== departure.lastSending)
    return { result: { waits: 'another purchase was sent meanwhile' }, by };
  // Too old, by the time that this commits: the expiry moves it on.
  if (purchase.sendBy === null || now >= purchase.sendBy) return { result: { waits: 'it is too old' }, by };

  const last = purchase.attempt;
  const why =
    whyNoMore(last, now) ??
    whyNotAllowed(purchase, facts.countedBefore, policy) ??
    (facts.twin ? `another purchase of the same content, ${facts.twin.id}, is ${facts.twin.state}` : undefined);
  if (why !== undefined) return { ...declineUnsent(purchase, why), result: { refused: 'gone' } };

  const attempt: Attempt = {
    id: departure.attemptId,
    number: (last?.number ?? 0) + 1,
    firstAt: last?.firstAt ?? now,
    at: now,
    deadline: now + departure.answerWithinMs,
    balanceBefore: departure.balance,
    balanceBeforeAt: departure.balanceAt,
    refused: false,
  };
  return {
    ...move(purchase, 'sending', by, { attempt }, attempt.id),
    result: { entered: attempt },
    set: { attempt, sendAfter: null, why: null },
    readings: [],
  };
}

/** Declines what was never sent. */
export function declineUnsent(purchase: Purchase, why: string): Change<Decided> {
  if (purchase.state !== 'approved') return { result: wrongState(purchase), by: DESK };
  return { ...move(purchase, 'declined', DESK, { why }), set: { declinedHow: 'not_sent', why } };
}

/**
 * The vendor's answer, stored at once. Moves on what it proves; a refusal waits, still `sending`, for the first reading.
 * An answer that comes when the purchase has moved on already is kept as evidence and moves nothing.
 */
export function decideAnswer(
  purchase: Purchase,
  facts: ChangeFacts,
  attemptId: string,
  answer: Answer,
): Change<Decided> {
  const late = purchase.state !== 'sending' || purchase.attempt?.id !== attemptId || purchase.attempt.refused;
  const entry: NewEntry = { by: DESK, from: null, to: null, detail: { kind: 'answer', attemptId, answer, late } };
  const entries = [entry];
  const attempt = purchase.attempt;
  if (late || attempt === null) return { result: purchase, by: DESK, entries };

  const readings = readingsFrom(facts.now);
  switch (answer.outcome) {
    case 'completed': {
      const orderId = placedOrder(purchase, facts, answer);
      return {
        ...move(purchase, 'completed', DESK, { why: answer.why }),
        set: { why: answer.why, ...(orderId === null ? {} : { orderId }) },
        entries,
        readings,
      };
    }
    case 'unknown':
      return { ...move(purchase, 'unknown', DESK, { why: answer.why }), set: { why: answer.why }, entries, readings };
    case 'declined':
      return {
        result: purchase,
        by: DESK,
        set: { attempt: { ...attempt, refused: true }, why: answer.vendorText ?? answer.why },
        entries,
        readings,
      };
    case 'not_sent': {
      const why = `the request never left: ${answer.why}`;
      if (whyNoMore(attempt, facts.now + NEXT_ATTEMPT_AFTER_MS) !== undefined)
        return {
          ...move(purchase, 'declined', DESK, { why }),
          set: { declinedHow: 'not_sent', why },
          entries,
          readings,
        };
      return {
        ...move(purchase, 'approved', DESK, { why }),
        set: { sendAfter: facts.now + NEXT_ATTEMPT_AFTER_MS, why },
        entries,
        readings: readings.slice(0, 1),
      };
    }
    default:
      return answer.outcome satisfies never;
  }
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
  if (purchase.attempt?.id !== awaited.attemptId) return { result: purchase, by: DESK };
  const { nth } = awaited;
  const alone = !facts.sentSince;
  const entry: NewEntry = {
    by: DESK,
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
  const common = { by: DESK, entries: [entry], taken: nth };
  const before = purchase.attempt?.balanceBefore;
  const fell = alone && before !== undefined && reading.ok && compare(reading.balance, before) < 0;

  if (purchase.state === 'sending' && purchase.attempt?.refused) {
    if (fell) return { ...unknownAfterFall(purchase), ...common };
    const evidence = { why: purchase.why, balanceCompared: reading.ok };
    const why = reading.ok ? purchase.why : `${purchase.why ?? 'refused'} (the balance could not be compared)`;
    return { ...move(purchase, 'declined', DESK, evidence), set: { declinedHow: 'vendor', why }, ...common };
  }
  if (purchase.state === 'declined' && purchase.declinedHow !== 'settled' && fell)
    return { ...unknownAfterFall(purchase), ...common };
  return { result: purchase, ...common };
}

/** A `sending` whose process is gone: unknown, never sent again. A stored refusal is finished by its reading instead. */
export function decideOverdue(purchase: Purchase, facts: ChangeFacts, graceMs: number): Change<Decided> {
  const { attempt } = purchase;
  const overdue = attempt !== null && facts.now >= attempt.deadline + graceMs;
  if (purchase.state !== 'sending' || !overdue || attempt.refused) return { result: wrongState(purchase), by: DESK };
  const why = 'the bot stopped while it was being sent, and no answer was kept';
  return { ...move(purchase, 'unknown', DESK, { why }), set: { why }, readings: readingsFrom(facts.now) };
}

/** Why a request that never left may not be tried once more. */
function whyNoMore(last: Attempt | null, now: number): string | undefined {
  if (last === null) return undefined;
  if (last.number >= ATTEMPTS_AT_MOST) return `it could not be sent in ${ATTEMPTS_AT_MOST} tries`;
  if (now - last.firstAt > ATTEMPTS_WITHIN_MS)
    return `it could not be sent within ${ATTEMPTS_WITHIN_MS / 1000} s of the first try`;
  return undefined;
}

/** The policy may have changed since the decision. */
function whyNotAllowed(purchase: Purchase, countedBefore: number, policy: Policy): string | undefined {
  if (!policy.plans.some((plan) => samePlan(plan, purchase.plan)))
    return `the plan ${purchase.plan.name} is no longer offered`;
  const over = overLimits(purchase.quantity, countedBefore, policy);
  if (over?.refused === 'over_order_limit') return `the limit is now ${over.limit} IPs an order`;
  if (over?.refused === 'over_day_limit') return `the limit is now ${over.limit} IPs a person in 24 h`;
  if (purchase.approver === null && needsApproval(purchase, purchase.quantity, countedBefore, policy))
    return 'it now needs approval, and has none';
  return undefined;
}

function readingsFrom(now: number): readonly DueReading[] {
  return READINGS_AFTER_MS.map((after, nth) => ({ nth, dueAt: now + after }));
}

function unknownAfterFall(purchase: Purchase): Change<Decided> {
  const said = purchase.declinedHow === 'not_sent' ? 'nothing was sent' : 'the vendor refused it';
  const why = `${said}, but the balance fell`;
  return { ...move(purchase, 'unknown', DESK, { why }, 'balance fell'), set: { why, declinedHow: null } };
}

/** The order that a buy has placed: exactly one id, and not one that another buy holds. */
function placedOrder(purchase: Purchase, facts: ChangeFacts, answer: Answer): OrderId | null {
  const [orderId, ...others] = answer.orderIds;
  if (purchase.kind !== 'buy' || orderId === undefined || others.length > 0) return null;
  return facts.orderIdHolder === null || facts.orderIdHolder === purchase.id ? orderId : null;
}
