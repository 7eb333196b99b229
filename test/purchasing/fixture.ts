import type { ChangeFacts } from '../../src/purchasing/model/change.ts';
import { NO_PRICE } from '../../src/purchasing/model/cost.ts';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import type { Policy, Right } from '../../src/purchasing/model/policy.ts';
import type { Purchase, State, Twin } from '../../src/purchasing/model/purchase.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Clicked } from '../../src/purchasing/rules/clicks.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import { attempt, NOW, POLICY, purchase } from '../views/fixture.ts';

export { answer, attempt, FREEZE, MONTHLY, money, NOW, YEARLY } from '../views/fixture.ts';

/** Somebody by the id as received and that of the organisation, with these rights. */
export function somebody(user: string, person: string, ...rights: Right[]) {
  const allowed = { person, ids: new Set([user, person]), rights: new Set(rights) };
  return { user, person, allowed } satisfies Clicker & { person: string };
}

/** A click in this channel, on a message that the ledger does not know, beside those that it knows in these channels. */
export function clickIn(channel: string, ...posted: string[]): Clicked {
  const message = { channel, ts: '2', isPrivateAnswer: false };
  return { message, notice: undefined, posted: posted.map((one) => ({ channel: one })) };
}

/** Sam has asked; he may approve as well, but nothing of his own. */
export const SAM = somebody('U0SAM', 'W0SAM', 'buy', 'approve');
export const ANN = somebody('U0ANN', 'W0ANN', 'approve');
export const BEN = somebody('U0BEN', 'W0BEN', 'approve');

/** What is true of a purchase of Sam's in each state, beside the state itself. */
const IN_STATE: Record<State, Partial<Purchase>> = {
  requested: {},
  approved: { approver: ANN.user, sendBy: NOW + 900_000 },
  sending: { approver: ANN.user, attempt: attempt() },
  completed: { approver: ANN.user, attempt: attempt() },
  declined: { approver: ANN.user, attempt: attempt(), declinedHow: 'vendor' },
  unknown: { approver: ANN.user, attempt: attempt() },
  rejected: { approver: ANN.user, why: 'not now' },
  withdrawn: {},
  expired: {},
};

/** Where the cards to decide by are posted. */
export const CHANNEL = 'C0APPROVALS';

export function inState(state: State, overrides: Partial<Purchase> = {}): Purchase {
  return purchase({ state, requester: SAM.user, requesterPerson: SAM.person, ...IN_STATE[state], ...overrides });
}

export function changeFacts(overrides: Partial<ChangeFacts> = {}): ChangeFacts {
  return {
    now: NOW,
    freeze: null,
    laneBusy: false,
    siblings: [],
    twin: null,
    countedBefore: 0,
    others: [],
    keptBy: null,
    cost: NO_PRICE,
    spent: null,
    sentSince: false,
    lastSending: 7,
    orderIdHolder: null,
    deliveredBefore: null,
    ...overrides,
  };
}

export function filingFacts(overrides: Partial<FilingFacts> = {}): FilingFacts {
  return {
    now: NOW,
    filed: null,
    twins: [],
    counted: 0,
    others: [],
    order: null,
    cost: NO_PRICE,
    spent: null,
    freeze: null,
    wentBackAt: null,
    deliveredBefore: null,
    ...overrides,
  };
}

export function twin(state: State, overrides: Partial<Twin & { declinedByVendor: boolean }> = {}) {
  return { id: 'P-TWIN', state, requester: BEN.user, changedAt: NOW - 1_000, declinedByVendor: false, ...overrides };
}

type Channel = Extract<Policy['approvals'], { mode: 'channel' }>;

/** What a row changes of the policy: something of its approvals, or `off`. */
export type GivenPolicy = Partial<Channel> | 'off';

export function policy(given: GivenPolicy): Policy {
  const { expireAfterMs, sendWithinMs } = POLICY.approvals;
  const approvals: Policy['approvals'] =
    given === 'off' ? { mode: 'off', expireAfterMs, sendWithinMs } : { ...(POLICY.approvals as Channel), ...given };
  return { ...POLICY, approvals };
}

/** "refused: why", or the state that it has now: what a row says of a decision. */
export function said(result: object): string {
  return 'refused' in result ? `refused: ${(result as Refusal).refused}` : String((result as Purchase).state);
}
