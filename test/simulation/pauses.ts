import type { Scope } from './exhaustive.ts';
import { LEA } from './people.ts';
import { approved, common, idOf, pass, requested, sendAt, sleep, task } from './stage.ts';
import type { World } from './world.ts';

// Worlds as small as they can be: one lane, and time that passes where nobody looks.

export const A_PAUSE: Scope = {
  ...common,
  name: 'one lane, and 6 s that pass anywhere',
  strikes: [pass(6)],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

export const A_SLOW_COMMIT: Scope = {
  ...common,
  name: 'one lane whose commit is heard of late',
  options: { ...common.options, slowCommits: true },
  strikes: [pass(6)],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

/** What only one of the two clocks tells. */
const oneLaneAnd = (name: string, strike: (world: World) => void): Scope => ({
  ...common,
  name: `one lane, and ${name}`,
  strikes: [{ name, strike }],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
});

export const A_HIDDEN_PAUSE = oneLaneAnd('6 s that pass while the clock is set back by as much', (world) => {
  world.scheduler.time += 6_000;
  world.scheduler.wallOffset -= 6_000;
});

export const A_SLEEP = oneLaneAnd('a machine that sleeps for 6 s', (world) => sleep(world, 'R1', 6_000));

export const A_HIDDEN_SLEEP = oneLaneAnd('a machine that sleeps for 6 s and wakes with its clock set back', (world) => {
  sleep(world, 'R1', 6_000);
  world.scheduler.wallOffset -= 90_000;
});

export const A_LONG_PAUSE: Scope = {
  ...common,
  name: 'one lane that stands still until another process sweeps',
  strikes: [
    {
      name: '46 s pass, and R2 sweeps',
      strike: (world) => {
        world.scheduler.time += 46_000;
        task(world, 'R2', 'lane', 'sweep', (replica) => replica.lane.sweep());
      },
    },
  ],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

export const TOO_OLD_TO_SEND: Scope = {
  ...common,
  name: 'one lane, and an approval that grows too old anywhere',
  strikes: [pass(121)],
  prepare: async (world) => {
    await approved(world);
    // The check itself may take so long that the process asks anew; the age is to show at the commit.
    world.scheduler.time += 100_000;
  },
  begin: (world) => sendAt(world, 'R1'),
};

export const TOO_OLD_TO_APPROVE: Scope = {
  ...common,
  name: 'an approval, and a request that expires anywhere',
  strikes: [pass(601)],
  prepare: requested,
  begin: (world) =>
    task(world, 'R1', LEA, 'approve', (replica, click) => replica.purchasing.approve(idOf(world, 0), click)),
};
