import type { Fault } from '../../../sandbox/slack/index.ts';
import { BUYER, LEAD3 } from '../../support/people.ts';
import { type Dice, dice } from '../../support/random.ts';
import { AS_DOCUMENTED, VENDOR_FAULTS, type VendorFault } from './outcome-table.ts';

/** Starting and settling only where the round is about orders that end. */
export type Phase = 'starting' | 'filing' | 'deciding' | 'settling';

/** Moments that can be seen from outside. A strike falls at one, or some milliseconds later. */
export type Trigger =
  | 'rights asked'
  | 'click'
  | 'acknowledged'
  | 'balance asked'
  | 'POST'
  | 'answer'
  | 'message'
  | 'edit';

/** What happens to the processes, or to the disk and the database under them. */
export type StrikeKind =
  | 'nothing'
  | 'SIGKILL'
  | 'SIGKILL of all'
  | 'SIGKILL while starting'
  | 'SIGTERM'
  | 'SIGTERM twice'
  | 'paused for 9 s'
  | 'database locked for 1 s'
  | 'database read-only'
  | 'disk full'
  | 'disk full and SIGKILL'
  | 'connections cut';

export interface Strike {
  readonly kind: StrikeKind;
  readonly phase: Phase;
  readonly trigger: Trigger;
  readonly afterMs: number;
  /** For how long the disk stays full, or the process may start before it is killed. */
  readonly forMs: number;
  /** Which process, where there are several. */
  readonly victim: number;
}

export interface SlackFault {
  readonly method: string;
  readonly fault: Fault;
  readonly times: number;
  readonly phase: Phase;
}

export interface Wanted {
  readonly kind: 'buy' | 'renew';
  /** What is typed after `/proxy`. */
  readonly typed: string;
  readonly decision: 'approve' | 'reject' | 'both at once';
}

/** Orders that end: one keeps itself, the others are renewed together. All are the first buyer's. */
export interface Renewals {
  readonly together: {
    readonly orders: readonly string[];
    readonly by: string;
    /** `both at once`: one approver strikes a row out, another approves all. */
    readonly decision: 'approve' | 'strike one out' | 'reject' | 'both at once';
    /** The order of the row that is struck out. */
    readonly struck: string;
  };
  readonly kept: {
    readonly order: string;
    /** Who has said Keep. */
    readonly by: string;
    readonly decision: 'approve' | 'reject';
  };
  /** When Slack delivers each submit once more: long after in any case, and half of the time at once as well. */
  readonly deliveredTwice: 'at once' | 'long after';
}

export interface Plan {
  readonly seed: number;
  readonly processes: number;
  /** Nothing where the round is about orders that end. */
  readonly wanted: readonly Wanted[];
  readonly renewals: Renewals | null;
  /** For the first POST, the second, … whosever it is. */
  readonly vendor: readonly VendorFault[];
  /** The vendor's port is closed for a second just when the first POST would leave. */
  readonly refuseConnection: boolean;
  readonly slack: readonly SlackFault[];
  readonly strike: Strike;
}

export interface Means {
  readonly database: 'sqlite' | 'postgres';
  readonly replicas: number;
  /** A small disk that can be filled. */
  readonly smallDisk: boolean;
  /** A file can be made unwritable under a process that has it open. */
  readonly immutable: boolean;
}

export const ORDER_TO_RENEW = '9007199254750001';
const ORDERS_THAT_END = ['9007199254750002', '9007199254750003', '9007199254750004', '9007199254750005'] as const;

const DELAYS_MS = [0, 0, 3, 15, 60, 250];
const PROCESSES = [1, 1, 1, 2] as const;
const WHILE_SENT = ['balance asked', 'POST', 'POST', 'answer', 'answer', 'message', 'edit'] as const;
const TRIGGERS = {
  starting: ['rights asked', 'rights asked', 'message'],
  filing: ['click', 'acknowledged', 'message'],
  deciding: ['click', 'acknowledged', ...WHILE_SENT],
  settling: ['click', 'acknowledged', ...WHILE_SENT],
} as const satisfies Record<Phase, readonly Trigger[]>;
const PHASES_OF_PURCHASES = ['filing', 'deciding', 'deciding', 'deciding'] as const;
const PHASES_OF_RENEWALS = ['starting', 'starting', 'filing', 'deciding', 'deciding', 'settling'] as const;

const KILLS: readonly StrikeKind[] = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL of all', 'SIGKILL while starting'];

/** Everything that chance decides about a round, before it begins. */
export function drawPlan(seed: number, means: Means): Plan {
  const chance = dice(seed);
  return chance.once(3) ? drawRenewals(seed, chance, means) : drawPurchases(seed, chance, means);
}

function drawRenewals(seed: number, chance: Dice, means: Means): Plan {
  const [kept, ...others] = ORDERS_THAT_END;
  const orders = others.slice(0, 2 + chance.below(2));
  return {
    seed,
    processes: drawProcesses(chance, means),
    wanted: [],
    renewals: {
      together: {
        orders,
        by: chance.pick([BUYER, LEAD3]),
        decision: chance.pick(['approve', 'approve', 'strike one out', 'strike one out', 'reject', 'both at once']),
        struck: chance.pick(orders),
      },
      kept: { order: kept, by: chance.pick([BUYER, LEAD3]), decision: chance.pick(['approve', 'approve', 'reject']) },
      deliveredTwice: chance.pick(['at once', 'long after']),
    },
    vendor: ORDERS_THAT_END.map(() => drawVendorFault(chance)),
    refuseConnection: chance.once(12),
    slack: drawSlackFaults(chance, PHASES_OF_RENEWALS),
    strike: drawStrike(chance, means, PHASES_OF_RENEWALS),
  };
}

function drawPurchases(seed: number, chance: Dice, means: Means): Plan {
  const both = chance.once(3);
  const second: Wanted = chance.once(2)
    ? { kind: 'renew', typed: `renew ${ORDER_TO_RENEW}`, decision: 'approve' }
    : { kind: 'buy', typed: `buy FR ${1 + chance.below(9)}`, decision: drawDecision(chance) };
  const first: Wanted = {
    kind: 'buy',
    typed: `buy US ${1 + chance.below(20)}, DE ${1 + chance.below(9)}`,
    decision: drawDecision(chance),
  };
  return {
    seed,
    processes: drawProcesses(chance, means),
    wanted: both ? [first, second] : [first],
    renewals: null,
    vendor: [drawVendorFault(chance), drawVendorFault(chance)],
    refuseConnection: chance.once(12),
    slack: drawSlackFaults(chance, PHASES_OF_PURCHASES),
    strike: drawStrike(chance, means, PHASES_OF_PURCHASES),
  };
}

/** One line, for whoever reads what went wrong. */
export function describe(plan: Plan): string {
  const { seed, processes, wanted, renewals, vendor, refuseConnection, slack, strike } = plan;
  const met = renewals ? vendor : vendor.slice(0, wanted.length);
  const parts = [
    `${processes} process${processes > 1 ? 'es' : ''}`,
    ...wanted.map(({ typed, decision }) => `${typed}: ${decision}`),
    ...(renewals ? describeRenewals(renewals) : []),
    `vendor: ${met.map(({ name }) => name).join(', ')}`,
    ...(refuseConnection ? ['connection refused'] : []),
    ...slack.map(({ method, fault, phase }) => `Slack: ${method} ${JSON.stringify(fault)} at ${phase}`),
    `${strike.kind} at ${strike.phase}, ${strike.afterMs} ms after ${strike.trigger}`,
  ];
  return `seed ${seed}: ${parts.join('; ')}`;
}

function describeRenewals({ together, kept, deliveredTwice }: Renewals): readonly string[] {
  const { orders, by, decision, struck } = together;
  return [
    `renew ${orders.join(', ')} by ${by}: ${decision} (${struck})`,
    `${kept.order} kept by ${kept.by}: ${kept.decision}`,
    `each submit twice: ${deliveredTwice}`,
  ];
}

function drawProcesses(chance: Dice, { replicas }: Means): number {
  return replicas > 1 ? replicas : chance.pick(PROCESSES);
}

function drawDecision(chance: Dice): Wanted['decision'] {
  return chance.pick(['approve', 'approve', 'approve', 'approve', 'approve', 'approve', 'reject', 'both at once']);
}

function drawVendorFault(chance: Dice): VendorFault {
  return chance.once(4) ? AS_DOCUMENTED : chance.pick(VENDOR_FAULTS);
}

function drawSlackFaults(chance: Dice, phases: readonly Phase[]): readonly SlackFault[] {
  return Array.from({ length: chance.pick([0, 0, 1, 1, 2]) }, () => drawSlackFault(chance, phases));
}

function drawSlackFault(chance: Dice, phases: readonly Phase[]): SlackFault {
  const method = chance.pick([
    'chat.update',
    'chat.update',
    'chat.postMessage',
    'chat.postMessage',
    'conversations.open',
    'users.info',
    'usergroups.users.list',
    'views.open',
    'views.update',
  ]);
  const fault = chance.pick<Fault>([
    { kind: 'rate_limit', retryAfter: 1 },
    { kind: 'status', status: 500 },
    { kind: 'hang', when: 'before' },
    { kind: 'hang', when: 'after' },
    { kind: 'reset', when: 'before' },
    { kind: 'reset', when: 'after' },
    { kind: 'delay', ms: 300 },
  ]);
  return { method, fault, times: 1 + chance.below(2), phase: chance.pick(phases) };
}

function drawStrike(chance: Dice, means: Means, phases: readonly Phase[]): Strike {
  const phase = chance.pick(phases);
  return {
    kind: chance.pick<StrikeKind>([
      'nothing',
      'nothing',
      ...KILLS,
      ...KILLS,
      // Before it has begun to listen for it, SIGTERM ends any program with no exit code of its own.
      ...(phase === 'starting' ? [] : (['SIGTERM', 'SIGTERM', 'SIGTERM twice'] as const)),
      'paused for 9 s',
      'database locked for 1 s',
      ...(means.immutable || means.database === 'postgres' ? (['database read-only'] as const) : []),
      ...(means.smallDisk ? (['disk full', 'disk full and SIGKILL'] as const) : []),
      ...(means.database === 'postgres' ? (['connections cut'] as const) : []),
    ]),
    phase,
    trigger: chance.pick<Trigger>(TRIGGERS[phase]),
    afterMs: chance.pick(DELAYS_MS),
    forMs: 100 + chance.below(1_200),
    victim: chance.below(means.replicas > 1 ? means.replicas : 2),
  };
}
