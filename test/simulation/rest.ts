import type { Click } from '../../src/purchasing/model/click.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { type Deliver, settle } from './actions.ts';
import { among } from './choices.ts';
import { ANN, LEA, LOU, SUE } from './people.ts';
import { PLAN } from './policies.ts';
import { settled } from './scheduler.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Everything that has no due time is over after so many looks, or it never will be. */
const ROUNDS_AT_MOST = 3_000;

/** Turns of the three who may. */
const SETTLING_AT_MOST = 60;

/**
 * The trouble ends and time passes. Then everything must come to its end by itself; what is unknown is settled by people.
 * @returns the steps that it took.
 */
export async function comeToRest(
  world: World,
  names: readonly string[],
  boot: (name: string, policy?: Policy) => void,
): Promise<number> {
  const { scheduler, office, channels } = world;
  scheduler.note('world', 'THE TROUBLE ENDS');
  world.calm = true;
  world.revoked = false;
  world.books.balance = Math.max(world.books.balance, 500_00);
  office.restore(scheduler.time);
  channels.unreachable.clear();
  const revive = () => {
    for (const name of names) boot(name);
  };
  revive();
  for (const name of names) {
    const replica = world.replicas.get(name);
    if (!replica) continue;
    replica.life.pausedUntil = 0;
    replica.forget();
  }
  let steps = await untilQuiet(world, revive);
  // Slack may have said to wait before rights are asked for again.
  while (world.known.frozen()) {
    scheduler.time += 60_000;
    click(world, LEA, 'unfreezes', (purchasing, by) => purchasing.unfreeze(by));
    steps += await untilQuiet(world, revive);
  }
  // Nobody settles their own, nor what they have marked to be kept; Slack may have said to wait, too.
  for (let turn = 0; unknown(world).length > 0; turn += 1) {
    if (turn === SETTLING_AT_MOST) throw new Violation('not_back', 'what is unknown cannot be settled');
    scheduler.time += 60_000;
    // With the requester on one side and whoever said Keep on the other, another person has to be let in.
    if (turn === 2) office.toggle(SUE, 'S0LEADS', scheduler.time);
    const settler = [LEA, LOU, SUE][turn % 3] ?? LEA;
    for (const purchase of unknown(world)) settle(world, clickAnywhere(world), purchase, settler);
    steps += await untilQuiet(world, revive);
  }
  return steps;
}

/** A purchase of a content that was never asked for goes through: nothing is stuck. */
export async function goOn(
  world: World,
  names: readonly string[],
  boot: (name: string, policy?: Policy) => void,
): Promise<number> {
  const revive = () => {
    for (const name of names) boot(name);
  };
  // Processes with other policies may rightly refuse what the others take.
  const given = anyReplica(world).policy;
  for (const name of names) {
    if (world.replicas.get(name)?.policy === given) continue;
    world.scheduler.kill(name);
    boot(name, given);
  }
  world.scheduler.time += 25 * 3_600_000;
  let steps = await untilQuiet(world, revive);
  const { policy } = anyReplica(world);
  const [plan = PLAN] = policy.plans;
  const content = { kind: 'buy' as const, plan, basket: [{ country: 'FR', quantity: 1 }] };
  const needsApproval = policy.approvals.mode === 'channel';
  const proposal = {
    submission: 'last',
    requester: ANN,
    content,
    reason: 'r',
    separate: false,
    neverSeenAccepted: true,
  };
  click(world, ANN, 'files the last one', (purchasing) => purchasing.file(proposal, { needsApproval }));
  steps += await untilQuiet(world, revive, 'requested');
  const last = [...world.known.purchases.values()].find(({ submission }) => submission === 'last');
  if (!last) throw new Violation('not_back', 'nothing more can be filed');
  if (needsApproval) click(world, LEA, 'approves the last one', (purchasing, by) => purchasing.approve(last.id, by));
  steps += await untilQuiet(world, revive);
  const state = world.known.purchases.get(last.id)?.state;
  if (state !== 'completed') throw new Violation('not_back', `the last purchase is ${state}`);
  return steps;
}

function unknown({ known }: World): readonly Purchase[] {
  return [...known.purchases.values()].filter(({ state }) => state === 'unknown');
}

function clickAnywhere(world: World): Deliver {
  return (user, what, act) => {
    const replica = anyReplica(world);
    const by: Click = { user, id: world.newId('K') };
    world.click(replica, by, what, () => act(replica, by));
  };
}

function click(
  world: World,
  user: string,
  what: string,
  act: (purchasing: ReturnType<typeof anyReplica>['purchasing'], by: Click) => Promise<unknown>,
): void {
  clickAnywhere(world)(user, what, ({ purchasing }, by) => act(purchasing, by));
}

function anyReplica(world: World) {
  return among(
    world.choices,
    'replica',
    [...world.replicas.values()].filter(({ life }) => life.alive),
  );
}

/** Runs until nothing is owed, then as far as the next thing that has its time, until there is none. */
async function untilQuiet(world: World, revive: () => void, leave?: 'requested'): Promise<number> {
  const { scheduler, choices } = world;
  let steps = 0;
  for (let round = 0; round < ROUNDS_AT_MOST; round += 1) {
    // Some were about to stop when the trouble ended.
    revive();
    await settled();
    for (let ready = scheduler.ready(); ready.length > 0; ready = scheduler.ready()) {
      steps += 1;
      await scheduler.run(among(choices, 'step', ready));
      world.check();
    }
    const next = nextTime(world, leave);
    if (next === null) return steps;
    scheduler.time = Math.max(next, scheduler.time + 1_000);
  }
  throw new Violation(
    'not_back',
    JSON.stringify(
      world.known.rows("SELECT id, state FROM purchases WHERE state IN ('approved', 'sending', 'requested')"),
    ),
  );
}

/** Null: nothing is waited for any more. */
function nextTime({ scheduler, known }: World, leave?: 'requested'): number | null {
  const times = known.rows(
    `SELECT expires_at AS at FROM purchases WHERE state = 'requested' AND ${leave ? 0 : 1} = 1
     UNION ALL SELECT ${known.frozen() ? 'send_by' : scheduler.wall() + 1_000} FROM purchases WHERE state = 'approved'
     UNION ALL SELECT attempt_deadline + 15000 FROM purchases WHERE state = 'sending'
     UNION ALL SELECT MAX(due_at, claimed_until) FROM readings
     UNION ALL SELECT MAX(due_at, claimed_until) FROM notices WHERE pending = 1`,
  );
  const own = scheduler.steps.filter(({ what }) => what !== 'slept 1000 ms').map(({ dueAt }) => dueAt);
  const all = [...times.map(({ at }) => Number(at) - scheduler.wallOffset), ...own];
  return all.length === 0 ? null : Math.min(...all);
}
