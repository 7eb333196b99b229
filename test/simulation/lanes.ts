import type { Scope } from './exhaustive.ts';
import { ANN, BEN, LOU } from './people.ts';
import {
  approved,
  CONTENT,
  common,
  directory,
  OTHER,
  replies,
  runAll,
  runProcess,
  sendAt,
  sendOnce,
  stage,
  standsStill,
  task,
} from './stage.ts';
import type { World } from './world.ts';

// Worlds as small as they can be, in which one attempt meets another.

const stateOf = ({ known }: World) => [...known.purchases.values()][0]?.state;

export const TWO_LANES: Scope = {
  ...common,
  name: 'two lanes that nothing holds apart but the commit, and two purchases',
  options: { ...common.options, unleased: true },
  prepare: (world) =>
    stage(world, [
      { content: CONTENT, by: ANN, approved: true },
      { content: OTHER, by: ANN, approved: true },
    ]),
  begin(world) {
    sendAt(world, 'R1');
    task(world, 'R2', 'lane', 'send twice', async (replica) => {
      await sendOnce(world, replica);
      await sendOnce(world, replica);
    });
  },
};

export const SENT_BETWEEN_READS: Scope = {
  ...common,
  name: 'a lane that looks for the next purchase while another lane sends one and takes its reading',
  options: { ...common.options, unleased: true },
  strikes: [
    {
      name: 'R2 sends one',
      async strike(world) {
        task(world, 'R2', 'lane', 'send and read', async (replica) => {
          await sendOnce(world, replica);
          await replica.lane.read();
        });
        await runProcess(world, 'R2', 'has the answer');
        standsStill(world, 'R2', Number.POSITIVE_INFINITY);
      },
    },
    {
      name: 'R2 has the answer a second later, and takes the reading',
      when: ({ books }) => books.posts.length === 1,
      async strike(world) {
        world.scheduler.time += 1_000;
        standsStill(world, 'R2', 0);
        await runProcess(world, 'R2');
      },
    },
  ],
  prepare: (world) =>
    stage(world, [
      { content: CONTENT, by: ANN, approved: true },
      { content: OTHER, by: LOU, approved: true },
    ]),
  begin: (world) => sendAt(world, 'R1'),
};

export const AN_EARLIER_ATTEMPT: Scope = {
  ...common,
  name: 'a lane that does not hear that its answer is stored, and another lane that has begun the next attempt',
  options: { ...common.options, unleased: true },
  branches: ['connection'],
  strikes: [
    {
      name: 'the next commit is not heard of',
      when: (world) => stateOf(world) === 'sending',
      strike: (world) => {
        world.unheard = true;
      },
    },
    {
      name: 'R2 takes the reading, and is sending 4 s later',
      // R1 could not connect.
      when: (world) => stateOf(world) === 'approved' && world.known.tries.length > 0,
      async strike(world) {
        world.scheduler.time += 4_000;
        task(world, 'R2', 'lane', 'read and send', async (replica) => {
          await replica.lane.read();
          await sendOnce(world, replica);
        });
        await runProcess(world, 'R2', 'has the answer');
        standsStill(world, 'R2', Number.POSITIVE_INFINITY);
      },
    },
  ],
  prepare: approved,
  begin(world) {
    sendAt(world, 'R1');
    // Something else to do while R1 waits to store its answer again.
    task(world, 'R3', 'lane', 'sweep', (replica) => replica.lane.sweep());
  },
};

export const A_LATE_TWIN: Scope = {
  ...common,
  name: 'an approval, while a reading makes the same purchase of before unknown',
  options: { directory, answers: replies('no_but_charged_later') },
  async prepare(world) {
    await stage(world, [{ content: CONTENT, by: ANN, approved: true }]);
    task(world, 'stage', 'lane', 'send and read', async (replica) => {
      await sendOnce(world, replica);
      await replica.lane.read();
    });
    await runAll(world);
    // The money is taken meanwhile, and the same may be asked for again.
    world.scheduler.time += 61_000;
    await runAll(world);
    await stage(world, [{ content: CONTENT, by: BEN, approved: true }]);
  },
  begin(world) {
    task(world, 'R1', 'lane', 'read', (replica) => replica.lane.read());
    sendAt(world, 'R2');
  },
};

export const A_LIE: Scope = {
  ...common,
  name: 'a refusal that took the money, its readings, and the purchase after it',
  options: { directory, answers: replies('no_but_charged', 'no') },
  branches: ['the vendor'],
  prepare: (world) =>
    stage(world, [
      { content: CONTENT, by: ANN, approved: true },
      { content: OTHER, by: LOU, approved: true },
    ]),
  begin(world) {
    task(world, 'R1', 'lane', 'send, read, send, and read again', async (replica) => {
      await sendOnce(world, replica);
      await replica.lane.read();
      await sendOnce(world, replica);
      world.scheduler.time += 11_000;
      await replica.lane.read();
    });
  },
};
