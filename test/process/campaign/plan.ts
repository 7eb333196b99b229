import type { Fault } from '../../../sandbox/slack/index.ts';
import { type Dice, dice } from '../../support/random.ts';
import { AS_DOCUMENTED, VENDOR_FAULTS, type VendorFault } from './outcome-table.ts';

export const PHASES = ['filing', 'deciding'] as const;
export type Phase = (typeof PHASES)[number];

/** Moments that can be seen from outside. A strike falls at one, or some milliseconds later. */
export type Trigger = 'click' | 'acknowledged' | 'balance asked' | 'POST' | 'answer' | 'message' | 'edit';

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

export interface Plan {
  readonly seed: number;
  readonly processes: number;
  readonly wanted: readonly Wanted[];
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

const DELAYS_MS = [0, 0, 3, 15, 60, 250];
const PROCESSES = [1, 1, 1, 2] as const;
const TRIGGERS = {
  filing: ['click', 'acknowledged', 'message'],
  deciding: ['click', 'acknowledged', 'balance asked', 'POST', 'POST', 'answer', 'answer', 'message', 'edit'],
} as const satisfies Record<Phase, readonly Trigger[]>;

const KILLS: readonly StrikeKind[] = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL of all', 'SIGKILL while starting'];

/** Everything that chance decides about a round, before it begins. */
export function drawPlan(seed: number, means: Means): Plan {
  const chance = dice(seed);
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
    processes: means.replicas > 1 ? means.replicas : chance.pick(PROCESSES),
    wanted: both ? [first, second] : [first],
    vendor: [drawVendorFault(chance), drawVendorFault(chance)],
    refuseConnection: chance.once(12),
    slack: Array.from({ length: chance.pick([0, 0, 1, 1, 2]) }, () => drawSlackFault(chance)),
    strike: drawStrike(chance, means),
  };
}

/** One line, for whoever reads what went wrong. */
export function describe({ seed, processes, wanted, vendor, refuseConnection, slack, strike }: Plan): string {
  const parts = [
    `${processes} process${processes > 1 ? 'es' : ''}`,
    ...wanted.map(({ typed, decision }) => `${typed}: ${decision}`),
    `vendor: ${wanted.map((_, index) => vendor[index]?.name).join(', ')}`,
    ...(refuseConnection ? ['connection refused'] : []),
    ...slack.map(({ method, fault, phase }) => `Slack: ${method} ${JSON.stringify(fault)} at ${phase}`),
    `${strike.kind} at ${strike.phase}, ${strike.afterMs} ms after ${strike.trigger}`,
  ];
  return `seed ${seed}: ${parts.join('; ')}`;
}

function drawDecision(chance: Dice): Wanted['decision'] {
  return chance.pick(['approve', 'approve', 'approve', 'approve', 'approve', 'approve', 'reject', 'both at once']);
}

function drawVendorFault(chance: Dice): VendorFault {
  return chance.once(4) ? AS_DOCUMENTED : chance.pick(VENDOR_FAULTS);
}

function drawSlackFault(chance: Dice): SlackFault {
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
  return { method, fault, times: 1 + chance.below(2), phase: chance.pick(['filing', 'deciding', 'deciding']) };
}

function drawStrike(chance: Dice, means: Means): Strike {
  const phase = chance.pick<Phase>(['filing', 'deciding', 'deciding', 'deciding']);
  return {
    kind: chance.pick<StrikeKind>([
      'nothing',
      'nothing',
      ...KILLS,
      ...KILLS,
      'SIGTERM',
      'SIGTERM',
      'SIGTERM twice',
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
