import type { Scope } from './exhaustive.ts';
import { ANN, directMessage, LEA, LOU } from './people.ts';
import {
  CONTENT,
  common,
  crash,
  directory,
  idOf,
  OTHER,
  pass,
  replies,
  runAll,
  sendOnce,
  stage,
  task,
} from './stage.ts';
import type { World } from './world.ts';

// Worlds as small as they can be, one for each way in which a promise could be broken.

const approved = (world: World) => stage(world, [{ content: CONTENT, by: ANN, approved: true }]);
const requested = (world: World) => stage(world, [{ content: CONTENT, by: ANN, approved: false }]);
const sendAt = (world: World, process: string) =>
  task(world, process, 'lane', 'send', (replica) => sendOnce(world, replica));

export const EVERY_ANSWER: Scope = {
  ...common,
  name: 'one lane and every kind of answer, with a crash',
  options: {
    directory,
    answers: replies(
      'yes',
      'no',
      'no_but_charged',
      'error_page',
      'reset',
      'reset_but_charged',
      'hangs',
      'hangs_but_charged',
    ),
  },
  branches: ['the vendor', 'connection'],
  strikes: [crash('R1')],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

export const A_PAUSE: Scope = {
  ...common,
  name: 'one lane, and 6 s that pass anywhere',
  strikes: [pass(6)],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

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

export const LOST_RIGHTS: Scope = {
  ...common,
  name: 'one lane, and rights that are lost anywhere',
  strikes: [
    {
      name: 'the approver loses the right',
      strike: (world) => world.office.toggle(LEA, 'S0LEADS', world.scheduler.time),
    },
    { name: 'the requester becomes a guest', strike: (world) => world.office.toggleGuest(ANN, world.scheduler.time) },
    pass(1),
  ],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

export const RIGHTS_LOST_BEFORE: Scope = {
  ...common,
  name: 'one lane, and rights that were lost since the approval',
  prepare: async (world) => {
    await approved(world);
    world.office.toggle(LEA, 'S0LEADS', world.scheduler.time);
    world.scheduler.time += 1_000;
  },
  begin: (world) => sendAt(world, 'R1'),
};

export const A_FREEZE: Scope = {
  ...common,
  name: 'one lane and a freeze',
  prepare: approved,
  begin(world) {
    sendAt(world, 'R1');
    task(world, 'R2', LOU, 'freeze', (replica, click) => replica.purchasing.freeze(click, 'wait'));
  },
};

export const DELIVERED_TWICE: Scope = {
  ...common,
  name: 'the end of a freeze, delivered twice, and another freeze',
  prepare: async (world) => {
    task(world, 'stage', LEA, 'freeze', (replica, click) => replica.purchasing.freeze(click, 'first'));
    await runAll(world);
  },
  begin(world) {
    const unfreeze = (process: string) =>
      task(world, process, LOU, 'unfreeze', (replica, click) => replica.purchasing.unfreeze(click), 'one click');
    unfreeze('R1');
    unfreeze('R2');
    task(world, 'R3', LEA, 'freeze', (replica, click) => replica.purchasing.freeze(click, 'second'));
  },
};

export const ONES_OWN: Scope = {
  ...common,
  name: 'the requester, who may approve, and another approve and withdraw',
  prepare: (world) => stage(world, [{ content: CONTENT, by: LOU, approved: false }]),
  begin(world) {
    const id = idOf(world, 0);
    task(world, 'R1', LOU, 'approve', (replica, click) => replica.purchasing.approve(id, click));
    task(world, 'R2', LEA, 'approve', (replica, click) => replica.purchasing.approve(id, click));
    task(world, 'R2', LOU, 'withdraw', (replica, click) => replica.purchasing.withdraw(id, click, directMessage(LOU)));
  },
};

export const ONE_LIMIT: Scope = {
  ...common,
  name: 'two requests of one person at two processes, one of which fits under the limit',
  strikes: [crash('R1')],
  prepare: async () => {},
  begin(world) {
    for (const [process, country] of [
      ['R1', 'DE'],
      ['R2', 'US'],
    ] as const) {
      const content = { ...CONTENT, basket: [{ country, quantity: 40 }] } as typeof CONTENT;
      const proposal = {
        submission: process,
        requester: ANN,
        content,
        reason: 'r',
        separate: false,
        neverSeenAccepted: false,
      };
      task(world, process, ANN, `file ${country}`, (replica) =>
        replica.purchasing.file(proposal, { needsApproval: true }),
      );
    }
  },
};

export const TWO_LANES: Scope = {
  ...common,
  name: 'two lanes that nothing holds apart but the commit, and two purchases',
  options: { ...common.options, unclaimed: true },
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

export const A_LOCKED_DATABASE: Scope = {
  ...common,
  name: 'one lane, and a database that is locked for a moment anywhere',
  strikes: [
    {
      name: 'the database is locked',
      strike: (world) => {
        world.locked = true;
      },
    },
  ],
  prepare: approved,
  begin: (world) => sendAt(world, 'R1'),
};

export const NEWS: Scope = {
  ...common,
  name: 'messages go out at two processes, one of which is killed',
  strikes: [crash('R1')],
  prepare: async (world) => {
    await requested(world);
    task(world, 'stage', LEA, 'reject', (replica, click) => replica.purchasing.reject(idOf(world, 0), click, 'no'));
    await runAll(world);
  },
  begin(world) {
    task(world, 'R1', 'outbox', 'deliver', (replica) => replica.delivery.deliver());
    task(world, 'R2', 'outbox', 'deliver', (replica) => replica.delivery.deliver());
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

export const CORNERS: readonly Scope[] = [
  EVERY_ANSWER,
  A_PAUSE,
  A_LONG_PAUSE,
  TOO_OLD_TO_SEND,
  TOO_OLD_TO_APPROVE,
  LOST_RIGHTS,
  RIGHTS_LOST_BEFORE,
  A_FREEZE,
  DELIVERED_TWICE,
  ONES_OWN,
  ONE_LIMIT,
  TWO_LANES,
  A_LOCKED_DATABASE,
  NEWS,
  A_LIE,
];
