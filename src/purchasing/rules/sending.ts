import { type Change, type ChangeFacts, move } from '../model/change.ts';
import { amountOf } from '../model/cost.ts';
import { THE_BOT } from '../model/entries.ts';
import { compare, formatDollars, type Money } from '../model/money.ts';
import type { Policy } from '../model/policy.ts';
import { policyDigest } from '../model/policy-digest.ts';
import type { Attempt, Purchase } from '../model/purchase.ts';
import { type Decided, wrongState } from './decisions.ts';
import { overDollars } from './dollars.ts';
import { overLimits, peopleNeeded, samePlan } from './filing.ts';
import { heldBy } from './holding.ts';

/** More tries of a request that provably never left only delay the news that the vendor is out of reach. */
const ATTEMPTS_AT_MOST = 3;
const ATTEMPTS_WITHIN_MS = 60_000;

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

type Entered =
  | { readonly entered: Attempt }
  | { readonly waits: string }
  /** Its whole batch waits for money, for this reason. */
  | { readonly waits: string; readonly short: string }
  | { readonly refused: 'gone' };

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
  const by = THE_BOT;
  const { now } = facts;
  if (purchase.state !== 'approved') return { result: { refused: 'gone' }, by };
  if (facts.freeze) return { result: { waits: 'spending is frozen' }, by };
  if (facts.laneBusy) return { result: { waits: 'another purchase is being sent' }, by };
  // The balance before must be one that the purchase before has left behind.
  if (facts.lastSending !== departure.lastSending)
    return { result: { waits: 'another purchase was sent meanwhile' }, by };
  // Too old, by the time that this commits: the expiry moves it on.
  if (purchase.sendBy === null || now >= purchase.sendBy) return { result: { waits: 'it is too old' }, by };

  const held = heldBy(facts.siblings);
  if (held?.by === 'unknown') return { result: { waits: held.why }, by };
  if (held && compare(departure.balance, held.above) <= 0) return { result: { waits: held.why, short: held.why }, by };

  const last = purchase.attempt;
  const why =
    whyNoMore(last, now) ??
    whyNotAllowed(purchase, facts, policy) ??
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
    ...move(purchase, 'sending', by, { attempt, policy: policyDigest(policy) }, attempt.id),
    result: { entered: attempt },
    set: { attempt, sendAfter: null, why: null },
    readings: [],
  };
}

/** Declines what was never sent. */
export function declineUnsent(purchase: Purchase, why: string): Change<Decided> {
  if (purchase.state !== 'approved') return { result: wrongState(purchase), by: THE_BOT };
  return { ...move(purchase, 'declined', THE_BOT, { why }), set: { declinedHow: 'not_sent', why } };
}

/** Rights that could not be read keep only this purchase waiting. The lane comes back to it behind those that may be sent by then. */
export function postpone(purchase: Purchase, facts: ChangeFacts, ms: number): Change<Decided> {
  if (purchase.state !== 'approved') return { result: wrongState(purchase), by: THE_BOT };
  return { result: purchase, by: THE_BOT, set: { sendAfter: facts.now + ms } };
}

/** Why a request that never left may not be tried once more. */
export function whyNoMore(last: Attempt | null, now: number): string | undefined {
  if (last === null) return undefined;
  if (last.number >= ATTEMPTS_AT_MOST) return `it could not be sent in ${ATTEMPTS_AT_MOST} tries`;
  if (now - last.firstAt > ATTEMPTS_WITHIN_MS)
    return `it could not be sent within ${ATTEMPTS_WITHIN_MS / 1000} s of the first try`;
  return undefined;
}

/** The policy may have changed since the decision. What was asked for since does not count: it is decided on its own. */
function whyNotAllowed(purchase: Purchase, facts: ChangeFacts, policy: Policy): string | undefined {
  const { countedBefore } = facts;
  if (!policy.plans.some((plan) => samePlan(plan, purchase.plan)))
    return `the plan ${purchase.plan.name} is no longer offered`;
  const over = overLimits(purchase.quantity, countedBefore, policy);
  if (over?.refused === 'over_order_limit') return `the limit is now ${over.limit} IPs an order`;
  if (over?.refused === 'over_day_limit') return `the limit is now ${over.limit} IPs a person in 24 h`;
  const cost = amountOf(facts.cost);
  const much = overDollars(cost, facts.spent, policy);
  if (much?.refused === 'over_dollar_limit') {
    const { limit, spent, whose } = much;
    return `with it, more than ${formatDollars(limit)} would be spent ${whose === 'person' ? 'by one person' : 'in all'} in this month (${formatDollars(spent)} is without it)`;
  }
  const others = facts.others.filter(({ before }) => before);
  const { spent } = facts;
  const own = { plan: purchase.plan, quantity: purchase.quantity, cost };
  const people = peopleNeeded(purchase.kind, own, { counted: countedBefore, others, spent }, policy);
  if (people > 0 && purchase.approver === null) return 'it now needs approval, and has none';
  if (people === 2 && purchase.firstApprover === null) return 'it now needs two approvals, and has one';
  return undefined;
}
