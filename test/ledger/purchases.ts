import type { Answer } from '../../src/purchasing/model/answer.ts';
import type { DollarsBy } from '../../src/purchasing/model/cost.ts';
import type { FilingSubject, NewPurchase } from '../../src/purchasing/model/filing.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { freezeNotice } from '../../src/purchasing/model/outbox.ts';
import type { Attempt, PurchaseChange, State } from '../../src/purchasing/model/purchase.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import type { StatusReads } from '../../src/purchasing/ports/status.ts';
import { MONTHLY } from '../support/plan.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const START = Date.UTC(2026, 0, 31, 12);

/** A clock that stands still until a test moves it. */
export interface TestClock {
  now: number;
}

export const ANN = 'U0ANN';
export const BEN = 'U0BEN';

export const ANSWER: Answer = {
  outcome: 'completed',
  why: 'the vendor accepted it',
  httpStatus: 200,
  code: '200',
  vendorText: null,
  orderIds: ['9007199254740993'],
  rawBody: '{"code":200,"data":{"order_id":9007199254740993}}',
  rawBodyTruncated: false,
  startedAt: START,
  endedAt: START + 10,
  unauthorized: false,
};

let made = 0;

export function aPurchase(overrides: Partial<NewPurchase> = {}): NewPurchase {
  made += 1;
  const state = overrides.state ?? 'requested';
  return {
    id: `p${made}`,
    kind: 'buy',
    state,
    requester: ANN,
    requesterPerson: ANN,
    filedBy: ANN,
    evidence: {},
    plan: MONTHLY,
    basket: [
      { country: 'DE', quantity: 1 },
      { country: 'US', quantity: 2 },
    ],
    quantity: 3,
    orderId: null,
    reason: 'for the crawler',
    submission: `submission ${made}`,
    contentKey: `content ${made}`,
    batch: null,
    needsApproval: state === 'requested',
    createdAt: START,
    expiresAt: START + 24 * HOUR,
    sendBy: state === 'approved' ? START + 15 * MINUTE : null,
    why: null,
    notices: [],
    ...overrides,
  };
}

export function anAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: 'attempt 1',
    number: 1,
    firstAt: START,
    at: START,
    deadline: START + 30_000,
    balanceBefore: '12.50' as Money,
    balanceBeforeAt: START,
    refused: false,
    ...overrides,
  };
}

export function subjectOf(purchase: NewPurchase, dollars: DollarsBy | null = null): FilingSubject {
  const { submission, contentKey, requesterPerson, kind, orderId, plan, basket } = purchase;
  return {
    submission,
    contentKey,
    requesterIds: [requesterPerson],
    orderId: kind === 'renew' ? orderId : null,
    priced: { kind, productId: plan.productId, basket: kind === 'buy' ? basket : [] },
    dollars,
  };
}

/** Files it as it stands, whatever the facts. @returns its id. */
export async function filed(ledger: Ledger, overrides: Partial<NewPurchase> = {}): Promise<string> {
  const purchase = aPurchase(overrides);
  return ledger.file(subjectOf(purchase), () => ({ result: purchase.id, file: purchase }));
}

/** What the schema wants of a purchase that enters a state. */
const SET: Partial<Record<State, PurchaseChange>> = {
  approved: { approver: BEN, sendBy: START + 15 * MINUTE },
  sending: { attempt: anAttempt() },
  declined: { declinedHow: 'vendor' },
};

/** Moves it through these states, whatever the rules of people say. */
export async function walked(ledger: Ledger, id: string, ...states: State[]): Promise<string> {
  for (const to of states)
    await ledger.change(id, () => ({ result: null, to, by: BEN, ...(SET[to] ? { set: SET[to] } : {}) }));
  return id;
}

/** A listed way into each state. */
export const WAY_TO: Readonly<Record<State, readonly State[]>> = {
  requested: [],
  approved: ['approved'],
  sending: ['approved', 'sending'],
  completed: ['approved', 'sending', 'completed'],
  declined: ['approved', 'sending', 'declined'],
  unknown: ['approved', 'sending', 'unknown'],
  rejected: ['rejected'],
  withdrawn: ['withdrawn'],
  expired: ['expired'],
};

/** Freezes for a reason, or unfreezes with null, whatever the rules of people say. @returns what it was before. */
export function setFreeze(ledger: Ledger, reason: string | null, by: string): Promise<Freeze | null> {
  made += 1;
  const notice = freezeNotice(`occasion ${made}`, reason, by);
  return ledger.changeFreeze(({ now, freeze }) => ({
    result: freeze,
    by,
    to: reason === null ? null : { reason, by, at: now },
    notice,
  }));
}

export async function stateOf(ledger: Ledger, id: string): Promise<State | undefined> {
  return (await ledger.record(id))?.purchase.state;
}

/** How many notices are still to be posted or edited. */
export async function owedOf({ status }: { readonly status: StatusReads }): Promise<number> {
  return (await status.counts()).notices.count;
}
