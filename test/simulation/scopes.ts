import type { Content } from '../../src/purchasing/purchase.ts';
import type { Directory } from '../../src/purchasing/ports.ts';
import { RIGHTS } from '../../src/purchasing/rights.ts';
import type { Scope } from './exhaustive.ts';
import { ANN, BEN, LEA, LOU } from './people.ts';
import { PLAN, STRICT } from './policies.ts';
import { type Replica, startWorkers } from './replica.ts';
import { comeToRest } from './rest.ts';
import { settled } from './scheduler.ts';
import { type Reply, USUAL_ANSWERS } from './vendor.ts';
import type { World } from './world.ts';

const CONTENT: Content = { kind: 'buy', plan: PLAN, basket: [{ country: 'DE', quantity: 3 }] };
const OTHER: Content = { kind: 'buy', plan: PLAN, basket: [{ country: 'US', quantity: 2 }] };

const NEVER = Object.fromEntries(Object.keys(USUAL_ANSWERS).map((reply) => [reply, 0])) as Record<Reply, number>;
const replies = (...possible: Reply[]) => ({ ...NEVER, ...Object.fromEntries(possible.map((reply) => [reply, 1])) });

const crash = (process: string) => ({
  name: `${process} is killed`,
  strike: (world: World) => {
    for (const [task, { life }] of [...world.replicas]) if (life.process === process) world.replicas.delete(task);
    world.scheduler.kill(process);
  },
});
const pass = (seconds: number) => ({
  name: `${seconds} s pass`,
  strike: (world: World) => {
    world.scheduler.time += seconds * 1_000;
  },
});

/** Rights in one step, and never unreadable: what Slack's calls add stands in the seeded runs. */
function directory(world: World, replica: { readonly life: Replica['life'] }): Directory {
  return {
    standing: (user) =>
      world.scheduler.wait(replica.life, `asks for the rights of ${user}`, () => ({
        readable: true,
        person: user,
        barred: null,
        rights: new Set(RIGHTS.filter((right) => world.office.mayHaveHad(user, right, world.scheduler.time, world.scheduler.time))),
        nobodyHas: new Set(),
      })),
    approvers: async () => [LEA, LOU],
  };
}

/** A task of a process, on ports of its own; tasks of one process die together. */
function task(world: World, process: string, user: string, what: string, act: (replica: Replica) => Promise<unknown>): void {
  const replica = world.boot(`${process}:${what}`, STRICT, process, `${process}:${what}`);
  world.click(replica, user, what, () => act(replica));
}

async function sendOnce(world: World, replica: Replica): Promise<void> {
  replica.asked.since = world.scheduler.time;
  await replica.lane.send();
}

function approveAndSend(world: World, process: string, id: string, user: string): void {
  task(world, process, user, `approve as ${user}`, async (replica) => {
    await replica.purchasing.approve(id, user);
    await sendOnce(world, replica);
  });
}

/** Files, and approves where asked to, before anything is interleaved. */
async function stage(world: World, filings: readonly { content: Content; by: string; approved: boolean }[]): Promise<void> {
  for (const [index, { content, by, approved }] of filings.entries()) {
    const submission = `S${index}`;
    const proposal = { submission, requester: by, content, reason: 'r', separate: false, neverSeenAccepted: false };
    task(world, 'stage', by, 'file', (replica) => replica.purchasing.file(proposal, { needsApproval: true }));
    await runAll(world);
    if (approved) task(world, 'stage', LEA, 'approve', (replica) => replica.purchasing.approve(idOf(world, index), LEA));
    await runAll(world);
  }
  crash('stage').strike(world);
}

async function runAll(world: World): Promise<void> {
  await settled();
  for (let [step] = world.scheduler.ready(); step; [step] = world.scheduler.ready()) await world.scheduler.run(step);
  world.check();
}

function idOf(world: World, index: number): string {
  const id = [...world.known.purchases.keys()][index];
  if (id === undefined) throw new Error(`there is no purchase ${index}`);
  return id;
}

/** The processes are started again, and go on by themselves. */
async function end(world: World): Promise<void> {
  const boot = (name: string) => {
    if (world.replicas.has(name)) return;
    const replica = world.boot(name, STRICT);
    startWorkers(replica, () => world.askedSince(replica.life));
  };
  world.replicas.clear();
  await comeToRest(world, ['R1', 'R2'], boot);
}

const common = { options: { directory, answers: replies('yes') }, branches: [] as readonly string[], strikes: [], end };

export const TWO_APPROVERS: Scope = {
  ...common,
  name: 'two approvers, each with a lane of its own, and a crash',
  strikes: [crash('R1')],
  prepare: (world) => stage(world, [{ content: CONTENT, by: ANN, approved: false }]),
  begin(world) {
    approveAndSend(world, 'R1', idOf(world, 0), LEA);
    approveAndSend(world, 'R2', idOf(world, 0), LOU);
  },
};

export const APPROVE_REJECT_WITHDRAW: Scope = {
  ...common,
  name: 'one approves, one rejects, the requester withdraws, and a crash',
  strikes: [crash('R1')],
  prepare: (world) => stage(world, [{ content: CONTENT, by: ANN, approved: false }]),
  begin(world) {
    const id = idOf(world, 0);
    approveAndSend(world, 'R1', id, LEA);
    task(world, 'R2', LOU, 'reject', (replica) => replica.purchasing.reject(id, LOU, 'no'));
    task(world, 'R2', ANN, 'withdraw', (replica) => replica.purchasing.withdraw(id, ANN));
  },
};

export const LANES_AND_TIME: Scope = {
  ...common,
  name: 'two lanes, a sweep, every kind of answer, a crash, and time that passes anywhere',
  options: { directory, answers: replies('yes', 'no', 'no_but_charged', 'reset_but_charged', 'hangs') },
  branches: ['the vendor', 'connection'],
  strikes: [crash('R1'), pass(6), pass(46)],
  prepare: (world) => stage(world, [{ content: CONTENT, by: ANN, approved: true }]),
  begin(world) {
    task(world, 'R1', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', 'lane', 'sweep', (replica) => replica.lane.sweep());
  },
};

export const FREEZE: Scope = {
  ...common,
  name: 'two lanes, a freeze, a withdrawal, and a lost right',
  strikes: [
    {
      name: 'the approver loses the right',
      strike: (world) => world.office.toggle(LEA, 'S0LEADS', world.scheduler.time),
    },
    pass(11),
  ],
  prepare: (world) => stage(world, [{ content: CONTENT, by: ANN, approved: true }]),
  begin(world) {
    const id = idOf(world, 0);
    task(world, 'R1', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', LOU, 'freeze', (replica) => replica.purchasing.freeze(LOU, 'wait'));
    task(world, 'R2', ANN, 'withdraw', (replica) => replica.purchasing.withdraw(id, ANN));
  },
};

export const SAME_CONTENT: Scope = {
  ...common,
  name: 'the same form twice and another with the same in it, at two processes, and a crash',
  strikes: [crash('R1')],
  prepare: async () => {},
  begin(world) {
    const file = (process: string, submission: string, by: string) =>
      task(world, process, by, `file ${submission} for ${by} at ${process}`, (replica) =>
        replica.purchasing.file(
          { submission, requester: by, content: CONTENT, reason: 'r', separate: false, neverSeenAccepted: false },
          { needsApproval: true },
        ),
      );
    file('R1', 'S1', ANN);
    file('R2', 'S1', ANN);
    file('R2', 'S2', ANN);
    file('R1', 'S3', BEN);
  },
};

export const TWO_PURCHASES: Scope = {
  ...common,
  name: 'two purchases, two lanes, the readings between them, and a crash',
  options: { directory, answers: replies('yes', 'no_but_charged') },
  branches: ['the vendor', 'connection'],
  strikes: [crash('R1'), pass(11)],
  prepare: (world) =>
    stage(world, [
      { content: CONTENT, by: ANN, approved: true },
      { content: OTHER, by: BEN, approved: true },
    ]),
  begin(world) {
    task(world, 'R1', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', 'lane', 'send', async (replica) => {
      await sendOnce(world, replica);
      await sendOnce(world, replica);
    });
    task(world, 'R1', 'lane', 'read', (replica) => replica.lane.read());
    task(world, 'R2', 'lane', 'read', (replica) => replica.lane.read());
  },
};

/** For every `npm test`; the rest is for campaigns. */
export const SMALL_SCOPES: readonly Scope[] = [TWO_APPROVERS, APPROVE_REJECT_WITHDRAW, SAME_CONTENT, FREEZE];
export const LARGE_SCOPES: readonly Scope[] = [LANES_AND_TIME, TWO_PURCHASES];
