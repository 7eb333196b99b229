import { TWO_LANES_AND_A_BATCH } from './batches.ts';
import type { Scope } from './exhaustive.ts';
import { ANN, BEN, directMessage, LEA, LOU } from './people.ts';
import {
  approveAndSend,
  CONTENT,
  common,
  crash,
  directory,
  idOf,
  OTHER,
  pass,
  replies,
  sendOnce,
  stage,
  task,
} from './stage.ts';

// Worlds in which several things meet. What is at risk in each is told by its name.

export const TWO_APPROVERS: Scope = {
  ...common,
  name: 'two approvers, each with a lane of its own that leaves nothing to the other, and a crash',
  options: { ...common.options, unleased: true },
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
    task(world, 'R2', LOU, 'reject', (replica, click) => replica.purchasing.reject(id, click, 'no'));
    task(world, 'R2', ANN, 'withdraw', (replica, click) => replica.purchasing.withdraw(id, click, directMessage(ANN)));
  },
};

export const LANES_AND_TIME: Scope = {
  ...common,
  name: 'two lanes, a sweep, answers of several kinds, a crash, and time that passes anywhere',
  options: { directory, answers: replies('yes', 'no_but_charged', 'reset_but_charged') },
  branches: ['the vendor'],
  strikes: [crash('R1'), pass(46)],
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
  options: { ...common.options, unleased: true },
  strikes: [
    {
      name: 'the approver loses the right',
      strike: (world) => world.office.toggle(LEA, 'S0LEADS', world.scheduler.time),
    },
  ],
  prepare: (world) => stage(world, [{ content: CONTENT, by: ANN, approved: true }]),
  begin(world) {
    const id = idOf(world, 0);
    task(world, 'R1', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', 'lane', 'send', (replica) => sendOnce(world, replica));
    task(world, 'R2', LOU, 'freeze', (replica, click) => replica.purchasing.freeze(click, 'wait'));
    task(world, 'R2', ANN, 'withdraw', (replica, click) => replica.purchasing.withdraw(id, click, directMessage(ANN)));
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
  branches: ['the vendor'],
  strikes: [crash('R1')],
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

/** For every `npm test`. */
export const SMALL_SCOPES: readonly Scope[] = [TWO_APPROVERS, APPROVE_REJECT_WITHDRAW, SAME_CONTENT];
/** For campaigns. */
export const LARGE_SCOPES: readonly Scope[] = [LANES_AND_TIME, FREEZE, TWO_PURCHASES, TWO_LANES_AND_A_BATCH];
