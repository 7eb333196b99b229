import type { types } from '@slack/bolt';
import type { Core } from '../../sandbox/slack/core.ts';
import { createFeed } from '../../sandbox/slack/feed.ts';
import { requireContent, requireView } from '../../sandbox/slack/limits/payloads.ts';
import { defaultSettings } from '../../sandbox/slack/settings.ts';
import { renderText } from '../../sandbox/slack/text.ts';
import type { Message as SandboxMessage, ViewRecord } from '../../sandbox/slack/types.ts';
import type { Answer } from '../../src/purchasing/model/answer.ts';
import type { Entry, EntryDetail } from '../../src/purchasing/model/entries.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import { type Money, parseMoney } from '../../src/purchasing/model/money.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Notice } from '../../src/purchasing/model/outbox.ts';
import type { Plan, Policy } from '../../src/purchasing/model/policy.ts';
import type { Attempt, Purchase, State } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { HomeView } from '../../src/purchasing/ports/homes.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import type { Block, DrawnMessage } from '../../views/blocks.ts';
import { MONTHLY } from '../support/plan.ts';
import { NO_DOLLARS, NO_INTERVAL, NO_REPORTS, NOBODY_PRESSED, REMINDERS } from '../support/policy.ts';

export const NOW = Date.UTC(2026, 0, 5, 14, 3);
export const SAM = 'U0SAM';
export const ANN = 'U0ANN';
export const GROUP = 'S0LEADS';

export function money(text: string): Money {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`not money: ${text}`);
  return parsed;
}

/** Also of what no parser would let through. */
export const asOrderId = (text: string) => text as OrderId;

export { MONTHLY, YEARLY } from '../support/plan.ts';

export const POLICY: Policy = {
  access: { balance: ['S0TEAM'], buy: ['S0BUYERS'], renew: ['S0BUYERS'], approve: [GROUP] },
  approvals: {
    mode: 'channel',
    channel: 'C0APPROVALS',
    freeUpTo: 0,
    renewalsNeedApproval: true,
    ...NOBODY_PRESSED,
    expireAfterMs: 86_400_000,
    sendWithinMs: 900_000,
  },
  plans: [MONTHLY],
  limits: { ipsPerOrder: 500, ipsPerPersonPerDay: 1_000, ...NO_DOLLARS },
  reminders: REMINDERS,
  balance: NO_INTERVAL,
  reports: NO_REPORTS,
};

export function surroundings(overrides: Partial<Surroundings> = {}): Surroundings {
  const none = {
    freeze: null,
    mention: [],
    balance: null,
    order: null,
    orders: [],
    costs: new Map(),
    reminder: [],
    change: null,
    report: null,
    othersWhoApprove: undefined,
    twoPeople: null,
    contact: null,
    cardsIn: null,
    policy: '3f2a91c0d4e5f607',
  };
  return { ...none, now: NOW, links: { receipt: null, unknownCard: null }, ...overrides };
}

export const FREEZE: Freeze = { by: ANN, reason: 'bill looks odd', at: NOW - 60_000 };

export function purchase(overrides: Partial<Purchase> = {}): Purchase {
  return {
    id: 'p1',
    kind: 'buy',
    state: 'requested',
    version: 1,
    requester: SAM,
    requesterPerson: SAM,
    approver: null,
    firstApprover: null,
    plan: MONTHLY,
    basket: [
      { country: 'DE', quantity: 5 },
      { country: 'US', quantity: 10 },
    ],
    quantity: 15,
    orderId: null,
    reason: 'crawler for the Berlin team',
    submission: 'd1',
    contentKey: 'k',
    batch: null,
    needsApproval: true,
    createdAt: NOW - 600_000,
    expiresAt: NOW + 86_400_000,
    changedAt: NOW - 60_000,
    sendBy: null,
    sendAfter: null,
    attempt: null,
    declinedHow: null,
    why: null,
    ...overrides,
  };
}

export const RENEWAL: Partial<Purchase> = { kind: 'renew', orderId: '9007199254740993' };

export function attempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: 'a1',
    number: 1,
    firstAt: NOW - 50_000,
    at: NOW - 50_000,
    deadline: NOW - 20_000,
    balanceBefore: money('20.00'),
    balanceBeforeAt: NOW - 51_000,
    refused: false,
    ...overrides,
  };
}

export function answer(overrides: Partial<Answer> = {}): Answer {
  return {
    outcome: 'completed',
    why: 'the vendor said yes',
    httpStatus: 200,
    code: '200',
    vendorText: null,
    orderIds: [],
    rawBody: '{"code":200}',
    rawBodyTruncated: false,
    startedAt: NOW - 50_000,
    endedAt: NOW - 49_000,
    unauthorized: false,
    ...overrides,
  };
}

export function entry(detail: EntryDetail, overrides: Partial<Entry> = {}): Entry {
  return { seq: 1, at: NOW - 40_000, by: 'desk', from: null, to: null, detail, ...overrides };
}

export function move(from: State | null, to: State, by = 'desk', evidence: object = {}): Entry {
  return entry({ kind: 'transition', evidence }, { from, to, by });
}

export function reading(
  balance: string | null,
  overrides: Partial<Extract<EntryDetail, { kind: 'reading' }>> = {},
): Entry {
  return entry({
    kind: 'reading',
    nth: 0,
    balance: balance === null ? null : money(balance),
    readAt: NOW - 30_000,
    why: balance === null ? 'the vendor answered with status 502' : null,
    alone: true,
    ...overrides,
  });
}

export function answered(overrides: Partial<Answer> = {}, late = false): Entry {
  return entry({ kind: 'answer', attemptId: 'a1', answer: answer(overrides), late });
}

export function notice(overrides: Partial<Notice> = {}): Notice {
  return {
    id: 1,
    key: 'p1:card',
    kind: 'card',
    audience: 'approvers',
    about: null,
    text: null,
    by: null,
    purchaseId: 'p1',
    batchId: null,
    channel: null,
    ts: null,
    attempts: 0,
    leasedUntil: 0,
    revision: 0,
    shown: null,
    createdAt: NOW,
    ...overrides,
  };
}

export function record(overrides: Partial<Purchase> = {}, entries: readonly Entry[] = []): PurchaseRecord {
  return { purchase: purchase(overrides), entries };
}

const APPROVED = [move(null, 'requested', SAM), move('requested', 'approved', ANN)];
const SENT = [...APPROVED, move('approved', 'sending')];

/** One record for each state, with what the ledger holds by then. */
export const RECORDS: Record<State, (overrides?: Partial<Purchase>) => PurchaseRecord> = {
  requested: (overrides) => record(overrides, [move(null, 'requested', SAM)]),
  approved: (overrides) => record({ state: 'approved', approver: ANN, sendBy: NOW + 900_000, ...overrides }, APPROVED),
  sending: (overrides) => record({ state: 'sending', approver: ANN, attempt: attempt(), ...overrides }, SENT),
  completed: (overrides) =>
    record({ state: 'completed', approver: ANN, attempt: attempt(), ...overrides }, [
      ...SENT,
      answered(),
      move('sending', 'completed'),
      reading('12.50'),
    ]),
  declined: (overrides) =>
    record(
      { state: 'declined', approver: ANN, attempt: attempt(), declinedHow: 'vendor', why: 'no stock', ...overrides },
      [
        ...SENT,
        answered({
          outcome: 'declined',
          why: 'the vendor refused it with code 402',
          code: '402',
          vendorText: 'no stock',
        }),
        move('sending', 'declined'),
        reading('20.00'),
      ],
    ),
  unknown: (overrides) =>
    record(
      { state: 'unknown', approver: ANN, attempt: attempt(), why: 'the answer did not come in time', ...overrides },
      [
        ...SENT,
        answered({
          outcome: 'unknown',
          why: 'the answer did not come in time',
          httpStatus: null,
          code: null,
          rawBody: null,
        }),
        move('sending', 'unknown'),
        reading('20.00'),
      ],
    ),
  rejected: (overrides) =>
    record({ state: 'rejected', approver: ANN, why: 'too many', ...overrides }, [
      move(null, 'requested', SAM),
      move('requested', 'rejected', ANN),
    ]),
  withdrawn: (overrides) => record({ state: 'withdrawn', ...overrides }, [move('requested', 'withdrawn', SAM)]),
  expired: (overrides) =>
    record({ state: 'expired', why: 'nobody decided in time', ...overrides }, [move('requested', 'expired')]),
};

export function facts(overrides: Partial<OrderFacts> = {}): OrderFacts {
  return { orderId: '123', bought: null, renewals: [], entries: [], ...overrides };
}

/** As much of the local Slack as its limits need: what it refuses is thrown, with Slack's words. */
function core(): Core {
  return { violations: [], feed: createFeed(), settings: defaultSettings(), now: () => NOW } as unknown as Core;
}

type View = types.ModalView | (HomeView & { readonly blocks: readonly Block[] });

/** Fails with Slack's own words where Slack would refuse it. */
export function accepted<T extends DrawnMessage | View>(thing: T): T {
  const refused = (error: unknown): never => {
    throw new Error(JSON.stringify(error));
  };
  try {
    if ('blocks' in thing && 'type' in thing) requireView(core(), thing, thing.type, 'test');
    else requireContent(core(), { ...thing }, 'test');
  } catch (error) {
    refused(error);
  }
  return thing;
}

/** As a person reads it. */
export function readsAs(thing: DrawnMessage | View): string {
  accepted(thing);
  return 'type' in thing
    ? renderText({ ...thing, inputs: {}, errors: {} } as unknown as ViewRecord)
    : renderText({ ...thing, ts: '1' } as unknown as SandboxMessage);
}

/** The labels of its buttons, in order. */
export function buttonsOf(thing: DrawnMessage | View): string[] {
  return blocksOf(thing).flatMap((block) => {
    const beside = block.type === 'section' && block.accessory ? [block.accessory] : [];
    const elements = block.type === 'actions' ? block.elements : beside;
    return elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []));
  });
}

/** Typed as what they are: Bolt's type of a view also lets unknown blocks through. */
export function blocksOf(thing: DrawnMessage | View): types.KnownBlock[] {
  return thing.blocks as types.KnownBlock[];
}

export function blockIds(view: types.ModalView): string[] {
  return view.blocks.flatMap(({ block_id }) => (block_id === undefined ? [] : [block_id]));
}

/** Ids r1, r2, … */
export function rowIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `r${count}`;
  };
}

/** What a policy may name at the most, in characters that Slack counts many times. */
export const LONGEST_PLAN: Plan = {
  ...MONTHLY,
  name: '&'.repeat(75),
  productId: '&'.repeat(75),
  type: '&'.repeat(75),
  networkType: '&'.repeat(75),
  termText: '&'.repeat(40),
};

/** 25 countries with the longest names there are. */
export { LONGEST_BASKET } from './longest-basket.ts';

/** Everything that could be live in mrkdwn, in the blocks of a message or view; our own tokens are taken out first. */
export function liveTokens(thing: DrawnMessage | View): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const inner of value) visit(inner);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const { type, text, verbatim } = value as { type?: unknown; text?: unknown; verbatim?: unknown };
    if (type === 'mrkdwn' && typeof text === 'string') {
      if (verbatim !== true) found.push(`not verbatim: ${text}`);
      found.push(...(text.match(/<[^>]*>/g) ?? []).filter((token) => !token.startsWith('<!date^')));
      found.push(...(text.match(/\w:\/\/\S+/g) ?? []));
    }
    if (type === 'plain_text' && typeof text === 'string') found.push(...(text.match(/<[^>]*>/g) ?? []));
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(thing.blocks);
  return found;
}
