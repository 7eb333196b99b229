import type { Click } from '../../src/purchasing/model/click.ts';
import type { Scope } from './exhaustive.ts';
import { A_LATE_TWIN, A_LIE, AN_EARLIER_ATTEMPT, SENT_BETWEEN_READS, TWO_LANES } from './lanes.ts';
import {
  A_HIDDEN_PAUSE,
  A_HIDDEN_SLEEP,
  A_LONG_PAUSE,
  A_PAUSE,
  A_SLEEP,
  A_SLOW_COMMIT,
  TOO_OLD_TO_APPROVE,
  TOO_OLD_TO_SEND,
} from './pauses.ts';
import { ANN, directMessage, LEA, LOU } from './people.ts';
import type { Replica } from './replica.ts';
import {
  approved,
  CONTENT,
  common,
  crash,
  directory,
  idOf,
  pass,
  replies,
  requested,
  runAll,
  sendAt,
  stage,
  task,
} from './stage.ts';

// Worlds as small as they can be, one for each way in which a promise could be broken.

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

export const SUBMITTED_TWICE: Scope = {
  ...common,
  name: 'a submit, delivered twice, by somebody who may buy from some moment on',
  strikes: [
    {
      name: 'the requester becomes a buyer',
      strike: (world) => world.office.toggle(ANN, 'S0BUYERS', world.scheduler.time),
    },
  ],
  prepare: async (world) => {
    world.office.toggle(ANN, 'S0BUYERS', world.scheduler.time);
    world.scheduler.time += 1_000;
  },
  begin(world) {
    const asked = { submission: 'S', requester: ANN, content: CONTENT, reason: 'r' };
    const proposal = { ...asked, separate: false, neverSeenAccepted: false };
    const file = async ({ purchasing }: Replica, click: Click) =>
      world.filedBy(click, await purchasing.file(proposal, { needsApproval: true }, click));
    for (const process of ['R1', 'R2']) task(world, process, ANN, 'file', file, 'one submit');
  },
};

export const ONES_OWN_UNKNOWN: Scope = {
  ...common,
  name: 'the requester, who may settle, and another settle',
  options: { directory, answers: replies('reset_but_charged') },
  async prepare(world) {
    await stage(world, [{ content: CONTENT, by: LOU, approved: true }]);
    sendAt(world, 'stage');
    await runAll(world);
  },
  begin(world) {
    const id = idOf(world, 0);
    const placed = { placed: true, note: 'in the console', orderId: null };
    task(world, 'R1', LOU, 'settle', (replica, click) => replica.purchasing.settle(id, click, placed));
    task(world, 'R2', LEA, 'settle', (replica, click) => replica.purchasing.settle(id, click, placed));
  },
};

export const ONES_OWN: Scope = {
  ...common,
  name: 'the requester, who may approve, and another approve and withdraw, and the workspace joins an organisation',
  strikes: [
    {
      name: 'people have ids of the organisation',
      strike: (world) => {
        world.office.inOrganisation = true;
      },
    },
  ],
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

export const CORNERS: readonly Scope[] = [
  EVERY_ANSWER,
  A_PAUSE,
  A_SLOW_COMMIT,
  A_HIDDEN_PAUSE,
  A_SLEEP,
  A_HIDDEN_SLEEP,
  A_LONG_PAUSE,
  TOO_OLD_TO_SEND,
  TOO_OLD_TO_APPROVE,
  LOST_RIGHTS,
  RIGHTS_LOST_BEFORE,
  A_FREEZE,
  DELIVERED_TWICE,
  SUBMITTED_TWICE,
  ONES_OWN,
  ONES_OWN_UNKNOWN,
  ONE_LIMIT,
  TWO_LANES,
  SENT_BETWEEN_READS,
  AN_EARLIER_ATTEMPT,
  A_LATE_TWIN,
  A_LOCKED_DATABASE,
  NEWS,
  A_LIE,
];
