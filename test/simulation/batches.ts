import type { Click } from '../../src/purchasing/model/click.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { decideRows, proposalOf } from './actions.ts';
import type { Scope } from './exhaustive.ts';
import { ANN, BEN, directMessage, LEA, LOU } from './people.ts';
import { PLAN } from './policies.ts';
import type { Replica } from './replica.ts';
import { common, crash, directory, idOf, OTHER, replies, runAll, sendAt, sendOnce, stage, task } from './stage.ts';
import type { World } from './world.ts';

// Worlds as small as they can be, in which renewals that were asked for together meet other things.

const file = (world: World, submission: string, by: string, orders: readonly OrderId[]) => {
  const proposal = proposalOf(world, submission, by, orders);
  return ({ batches }: Replica, click: Click) => batches.file(proposal, { needsApproval: true }, click);
};

const batchId = (world: World) => String(world.known.rows('SELECT id FROM batches')[0]?.['id']);

/** A batch of two renewals of Ann's, or of somebody else's. */
async function stageBatch(world: World, approved: boolean, by = ANN): Promise<void> {
  task(world, 'stage', by, 'file', file(world, 'S1', by, ['1', '2']));
  await runAll(world);
  if (!approved) return;
  task(world, 'stage', LEA, 'approve all', (replica, click) =>
    decideRows(world, click, batchId(world), [idOf(world, 0), idOf(world, 1)], [])(replica),
  );
  await runAll(world);
}

export const A_BATCH_FILED: Scope = {
  ...common,
  name: 'a form with two renewals, submitted at two processes, and a request for one of them, and a crash',
  strikes: [crash('R1')],
  prepare: async () => {},
  begin(world) {
    task(world, 'R1', ANN, 'file at R1', file(world, 'S1', ANN, ['1', '2']));
    task(world, 'R2', ANN, 'file at R2', file(world, 'S1', ANN, ['1', '2']));
    const content = { kind: 'renew', plan: PLAN, orderId: '2' } as const;
    const proposal = {
      submission: 'S2',
      requester: BEN,
      content,
      reason: 'r',
      separate: false,
      neverSeenAccepted: false,
    };
    task(world, 'R2', BEN, 'file alone', (replica) => replica.purchasing.file(proposal, { needsApproval: true }));
  },
};

export const A_ROW_STRUCK_OUT: Scope = {
  ...common,
  name: 'a batch of which one approver strikes a row out and another approves all, and the requester withdraws',
  prepare: (world) => stageBatch(world, false),
  begin(world) {
    const id = batchId(world);
    const [one, two] = [idOf(world, 0), idOf(world, 1)];
    task(world, 'R1', LEA, 'approve one', (replica, click) => decideRows(world, click, id, [one], [two])(replica));
    task(world, 'R2', LOU, 'approve all', (replica, click) => decideRows(world, click, id, [one, two], [])(replica));
    task(world, 'R2', ANN, 'withdraw', (replica, click) => replica.batches.withdraw(id, click, directMessage(ANN)));
  },
};

export const ONES_OWN_BATCH: Scope = {
  ...common,
  name: 'a batch of somebody who may approve: they approve, and another, and one row alone is approved by its id',
  prepare: (world) => stageBatch(world, false, LOU),
  begin(world) {
    const id = batchId(world);
    const [one, two] = [idOf(world, 0), idOf(world, 1)];
    task(world, 'R1', LOU, 'approve their own', (replica, click) =>
      decideRows(world, click, id, [one, two], [])(replica),
    );
    task(world, 'R2', LEA, 'approve all', (replica, click) => decideRows(world, click, id, [one, two], [])(replica));
    task(world, 'R2', LOU, 'approve a row', (replica, click) => replica.purchasing.approve(two, click));
  },
};

export const A_ROW_UNKNOWN: Scope = {
  ...common,
  name: 'a lane, and a batch whose rows may become unknown, and a crash',
  options: { directory, answers: replies('yes', 'reset_but_charged') },
  branches: ['the vendor'],
  strikes: [crash('R1')],
  prepare: (world) => stageBatch(world, true),
  begin: sendTwiceAtR1,
};

/** For campaigns. */
export const TWO_LANES_AND_A_BATCH: Scope = {
  ...common,
  name: 'two lanes, a batch whose rows may become unknown, and what somebody else has asked for, and a crash',
  options: { directory, answers: replies('yes', 'reset_but_charged') },
  branches: ['the vendor'],
  strikes: [crash('R1')],
  async prepare(world) {
    await stageBatch(world, true);
    await stage(world, [{ content: OTHER, by: BEN, approved: true }]);
  },
  begin(world) {
    sendTwiceAtR1(world);
    sendAt(world, 'R2');
  },
};

export const A_ROW_UNKNOWN_LATE: Scope = {
  ...common,
  name: 'the second row of a batch is about to be sent, while a reading makes the first unknown',
  options: { directory, answers: replies('no_but_charged_later') },
  async prepare(world) {
    await stageBatch(world, true);
    task(world, 'stage', 'lane', 'send and read', async (replica) => {
      await sendOnce(world, replica);
      await replica.lane.read();
    });
    await runAll(world);
    // The money is taken meanwhile.
    world.scheduler.time += 61_000;
    await runAll(world);
    crash('stage').strike(world);
  },
  begin(world) {
    task(world, 'R1', 'lane', 'read', (replica) => replica.lane.read());
    sendAt(world, 'R2');
  },
};

export const NO_MONEY: Scope = {
  ...common,
  name: 'a batch for which the money does not do, a lane, and money that comes at any time',
  options: { ...common.options, balance: 5_00 },
  strikes: [
    {
      name: 'the account is topped up',
      strike: (world) => {
        world.books.balance += 20_00;
      },
    },
  ],
  prepare: (world) => stageBatch(world, true),
  begin: sendTwiceAtR1,
};

function sendTwiceAtR1(world: World): void {
  task(world, 'R1', 'lane', 'send, read, send', async (replica) => {
    await sendOnce(world, replica);
    await replica.lane.read();
    await sendOnce(world, replica);
  });
}

export const BATCHES: readonly Scope[] = [
  A_BATCH_FILED,
  A_ROW_STRUCK_OUT,
  ONES_OWN_BATCH,
  A_ROW_UNKNOWN,
  A_ROW_UNKNOWN_LATE,
  NO_MONEY,
];
