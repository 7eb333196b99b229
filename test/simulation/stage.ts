import type { Click } from '../../src/purchasing/model/click.ts';
import { RIGHTS } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import { ANN, LEA } from './people.ts';
import { PLAN } from './policies.ts';
import { type Replica, startWorkers } from './replica.ts';
import { comeToRest } from './rest.ts';
import { type Step, settled } from './scheduler.ts';
import { type Reply, USUAL_ANSWERS } from './vendor.ts';
import type { World } from './world.ts';

export const CONTENT: Content = { kind: 'buy', plan: PLAN, basket: [{ country: 'DE', quantity: 3 }] };
export const OTHER: Content = { kind: 'buy', plan: PLAN, basket: [{ country: 'US', quantity: 2 }] };

const NEVER = Object.fromEntries(Object.keys(USUAL_ANSWERS).map((reply) => [reply, 0])) as Record<Reply, number>;
export const replies = (...possible: Reply[]) => ({
  ...NEVER,
  ...Object.fromEntries(possible.map((reply) => [reply, 1])),
});

export const crash = (process: string) => ({
  name: `${process} is killed`,
  strike: (world: World) => {
    for (const [task, { life }] of world.replicas) if (life.process === process) world.replicas.delete(task);
    world.scheduler.kill(process);
  },
});
export const pass = (seconds: number) => ({
  name: `${seconds} s pass`,
  strike: (world: World) => {
    world.scheduler.time += seconds * 1_000;
  },
});

/** The machine of a process sleeps: its monotonic clock stands still meanwhile. */
export function sleep(world: World, process: string, ms: number): void {
  world.scheduler.time += ms;
  for (const { life } of world.replicas.values()) if (life.process === process) life.asleepMs += ms;
}

/** Rights in one step, and never unreadable: what Slack's calls add stands in the seeded runs. */
export function directory(world: World, replica: { readonly life: Replica['life'] }): Directory {
  return {
    standing: (user) =>
      world.scheduler.wait(replica.life, `asks for the rights of ${user}`, () => ({
        readable: true,
        ids: world.office.idsOf(user),
        person: world.office.personOf(user),
        barred: null,
        rights: new Set(
          RIGHTS.filter((right) => world.office.mayHaveHad(user, right, world.scheduler.time, world.scheduler.time)),
        ),
        nobodyHas: new Set(),
      })),
    idsOf: async (user) => world.office.idsOf(user),
    timeZone: async () => null,
    approvers: async () => world.office.members('S0LEADS').map((user) => ({ user, ids: new Set([user]) })),
  };
}

/** A task of a process, on ports of its own; tasks of one process die together. @param id of the click, where it is delivered twice */
export function task(
  world: World,
  process: string,
  user: string,
  what: string,
  act: (replica: Replica, click: Click) => Promise<unknown>,
  id?: string,
): void {
  const name = `${process}:${what}`;
  const replica = world.boot(name, world.policy, process, name);
  // Stages are set one after the other, and each click of theirs is another.
  const click = { user, id: id ?? (world.scheduler.remembers ? name : world.newId('K')) };
  world.click(replica, click, what, () => act(replica, click));
}

export async function sendOnce(world: World, replica: Replica): Promise<void> {
  replica.asked.since = world.scheduler.time;
  await replica.lane.send();
}

export function approveAndSend(world: World, process: string, id: string, user: string): void {
  task(world, process, user, `approve as ${user}`, async (replica, click) => {
    await replica.purchasing.approve(id, click);
    await sendOnce(world, replica);
  });
}

/** Files, and approves where asked to, before anything is interleaved. */
export async function stage(
  world: World,
  filings: readonly { content: Content; by: string; approved: boolean }[],
): Promise<void> {
  const before = world.known.purchases.size;
  for (const [nth, { content, by, approved }] of filings.entries()) {
    const index = before + nth;
    const submission = `S${index}`;
    const proposal = { submission, requester: by, content, reason: 'r', separate: false, neverSeenAccepted: false };
    task(world, 'stage', by, 'file', (replica) => replica.purchasing.file(proposal, { needsApproval: true }));
    await runAll(world);
    if (approved)
      task(world, 'stage', LEA, 'approve', (replica, click) => replica.purchasing.approve(idOf(world, index), click));
    await runAll(world);
  }
  crash('stage').strike(world);
}

/** One purchase, of Ann. */
export const approved = (world: World) => stage(world, [{ content: CONTENT, by: ANN, approved: true }]);
export const requested = (world: World) => stage(world, [{ content: CONTENT, by: ANN, approved: false }]);

/** A lane that sends once. */
export const sendAt = (world: World, process: string) =>
  task(world, process, 'lane', 'send', (replica) => sendOnce(world, replica));

export async function runAll(world: World): Promise<void> {
  await settled();
  for (let [step] = world.scheduler.ready(); step; [step] = world.scheduler.ready()) await world.scheduler.run(step);
  world.check();
}

/** Runs what one process has to do; a step of that name is left for later. */
export async function runProcess(world: World, process: string, except?: string): Promise<void> {
  await settled();
  const due = (step: Step) => step.life.process === process && !(except && step.what.startsWith(except));
  for (let step = world.scheduler.ready().find(due); step; step = world.scheduler.ready().find(due))
    await world.scheduler.run(step);
  world.check();
}

/** A process does nothing of itself until then. */
export function standsStill(world: World, process: string, until: number): void {
  for (const { life } of world.replicas.values()) if (life.process === process) life.pausedUntil = until;
}

export function idOf(world: World, index: number): string {
  const id = [...world.known.purchases.keys()][index];
  if (id === undefined) throw new Error(`there is no purchase ${index}`);
  return id;
}

/** The processes are started again, and go on by themselves. */
async function end(world: World): Promise<void> {
  const boot = (name: string) => {
    if (world.replicas.has(name)) return;
    const replica = world.boot(name, world.policy);
    startWorkers(replica, () => world.askedSince(replica.life));
  };
  for (const process of ['R1', 'R2']) standsStill(world, process, 0);
  world.replicas.clear();
  await comeToRest(world, ['R1', 'R2'], boot);
}

export const common = {
  options: { directory, answers: replies('yes') },
  branches: [] as readonly string[],
  strikes: [],
  end,
};
