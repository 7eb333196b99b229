import { afterEach, describe, expect, test } from 'vitest';
import type { State } from '../../src/purchasing/model/purchase.ts';
import type { Choices } from './choices.ts';
import { ANN, BEN, LEA } from './people.ts';
import { STRICT } from './policies.ts';
import type { Replica } from './replica.ts';
import { CONTENT, directory, idOf, OTHER, replies, runProcess, sendOnce, stage, task } from './stage.ts';
import type { Reply } from './vendor.ts';
import { World } from './world.ts';

// What the simulation has found, each told once more in its own words.

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** Nothing goes wrong but what `answers` says, in their order: the vendor's replies, and whether it can be reached. */
async function office(
  answers: readonly (Reply | 'refused connection')[],
  contents = [CONTENT],
  options = {},
): Promise<World> {
  const left = [...answers];
  const kinds = Object.keys(replies());
  const choices: Choices = {
    pick(what, weights) {
      if (what === 'connection' && left[0] === 'refused connection') return left.splice(0, 1).length;
      if (what === 'the vendor') return kinds.indexOf(left.shift() ?? 'yes');
      return weights.findIndex((weight) => weight > 0);
    },
  };
  const world = new World({ choices, directory, unleased: true, ...options });
  worlds.push(world);
  await stage(
    world,
    contents.map((content, index) => ({ content, by: index === 0 ? ANN : BEN, approved: true })),
  );
  return world;
}

const send = (world: World, process: string) =>
  task(world, process, 'lane', `send ${world.scheduler.time}`, (r) => sendOnce(world, r));
const read = (world: World, process: string) =>
  task(world, process, 'lane', `read ${world.scheduler.time}`, (r) => r.lane.read());
const stateOf = (world: World, index = 0): State | undefined => world.known.purchases.get(idOf(world, index))?.state;

/** A whole try and the reading after it, at one process. */
async function sendAndRead(world: World, process: string): Promise<void> {
  send(world, process);
  await runProcess(world, process);
  read(world, process);
  await runProcess(world, process);
}

describe('a balance that was asked for before an attempt', () => {
  test('says nothing of it when it arrives after', async () => {
    const world = await office(['refused connection', 'no_but_charged']);
    send(world, 'R1');
    await runProcess(world, 'R1');
    read(world, 'R1');
    await runProcess(world, 'R1', 'has the balance');
    world.scheduler.time += 11_000;
    read(world, 'R2');
    await runProcess(world, 'R2');
    send(world, 'R2');
    await runProcess(world, 'R2');
    await runProcess(world, 'R1');
    expect(stateOf(world), 'a refusal waits for a reading of its own').toBe('sending');
    world.scheduler.time += 11_000;
    read(world, 'R2');
    await runProcess(world, 'R2');
    expect(stateOf(world)).toBe('unknown');
  });
});

describe('what was asked before sending', () => {
  test('is asked again by a process that was paused since', async () => {
    const world = await office(['yes']);
    send(world, 'R1');
    await runProcess(world, 'R1', 'has the balance');
    world.office.toggle(LEA, 'S0LEADS', world.scheduler.time);
    world.scheduler.time += 40_000;
    await runProcess(world, 'R1');
    expect(world.books.posts).toEqual([]);
    send(world, 'R1');
    await runProcess(world, 'R1');
    expect(stateOf(world)).toBe('declined');
  });

  test('is asked again where the machine slept, and only the wall clock tells', async () => {
    const world = await office(['yes']);
    send(world, 'R1');
    await runProcess(world, 'R1', 'has the balance');
    world.scheduler.wallOffset += 40_000;
    await runProcess(world, 'R1');
    expect(world.books.posts).toEqual([]);
  });

  test('does not hold when another process has sent since: the balance before belongs to one attempt', async () => {
    const world = await office(['refused connection', 'yes']);
    send(world, 'R1');
    await runProcess(world, 'R1', 'writes change');
    await sendAndRead(world, 'R2');
    expect(stateOf(world)).toBe('approved');
    await runProcess(world, 'R1');
    expect(stateOf(world)).toBe('approved');
    expect(world.books.posts).toEqual([]);
  });
});

describe('a process that is killed', () => {
  test('leaves alone what another process is sending by then', async () => {
    const world = await office(['yes'], [CONTENT, OTHER], { slowCommits: true });
    let first: Replica | undefined;
    task(world, 'R1', 'lane', 'send', (replica) => {
      first = replica;
      return sendOnce(world, replica);
    });
    await runProcess(world, 'R1', 'has the answer');
    // Its answer is stored, which it has not heard yet.
    await runProcess(world, 'R1', 'hears of');
    expect(stateOf(world)).toBe('completed');
    read(world, 'R2');
    await runProcess(world, 'R2');
    send(world, 'R2');
    await runProcess(world, 'R2', 'has the answer');
    expect(stateOf(world, 1)).toBe('sending');
    if (first)
      world.click(
        first,
        { user: 'signal', id: 'signal' },
        'abandons',
        () => first?.lane.abandon() ?? Promise.resolve(),
      );
    await runProcess(world, 'R1', 'hears of');
    await runProcess(world, 'R2');
    expect(stateOf(world, 1)).toBe('completed');
  });
});

describe('messages', () => {
  const deliver = (world: World, process: string) =>
    task(world, process, 'outbox', `deliver ${world.scheduler.time}`, (replica) => replica.delivery.deliver());

  test('of a process whose lease runs out are left to the next', async () => {
    const world = await office([]);
    deliver(world, 'R1');
    await runProcess(world, 'R1', 'hears from Slack: post');
    const posted = world.channels.posted.length;
    world.scheduler.time += 16_000;
    await runProcess(world, 'R1');
    expect(world.channels.posted).toHaveLength(posted);
  });

  test('for those who approve wait until there is somebody', async () => {
    const world = await office([]);
    const off = { ...STRICT, approvals: { mode: 'off', expireAfterMs: 600_000, sendWithinMs: 120_000 } } as const;
    for (const user of world.office.members('S0LEADS')) world.office.toggle(user, 'S0LEADS', world.scheduler.time);
    const replica = world.boot('R1', off);
    world.click(replica, { user: 'outbox', id: 'outbox' }, 'deliver', () => replica.delivery.deliver());
    await runProcess(world, 'R1');
    world.office.toggle(LEA, 'S0LEADS', world.scheduler.time);
    world.scheduler.time += 61_000;
    for (let n = 0; n < 2; n += 1) {
      world.click(replica, { user: 'outbox', id: 'outbox' }, 'deliver', () => replica.delivery.deliver());
      await runProcess(world, 'R1');
    }
    expect(world.channels.posted.map(({ channel }) => channel)).toContain(`D${LEA}`);
  });
});
