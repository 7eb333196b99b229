import type { Intent, OrderEntryDetail } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import type { Said } from '../../src/purchasing/order-book.ts';
import { ORDERS_THAT_END } from './actions.ts';
import type { Scope } from './exhaustive.ts';
import { ANN, BEN, LEA, LOU } from './people.ts';
import { PLAN } from './policies.ts';
import { common, crash, idOf, pass, runAll, sendAt, task } from './stage.ts';
import type { World } from './world.ts';

// Worlds as small as they can be, in which an order that is kept, or is about to end, meets other things.

const DAY_MS = 86_400_000;
const ORDER: OrderId = '901';
/** As long as January is; a world begins on the 31st. */
const MONTHLY: Plan = { ...PLAN, term: { amount: 1, unit: 'month' }, termText: '1 month' };

/** An order of Ann's that ends so many days after the world begins. */
export async function anOrder(world: World, days: number, order: OrderId = ORDER): Promise<void> {
  // A month before that end.
  const boughtAt = new Date(world.scheduler.wall() + days * DAY_MS);
  boughtAt.setUTCMonth(boughtAt.getUTCMonth() - 1);
  const detail: OrderEntryDetail = {
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 2 }],
    boughtAt: boughtAt.getTime(),
    owner: ANN,
    note: null,
  };
  const entry = { orderId: order, by: LEA, detail };
  task(world, 'stage', LEA, `import ${order}`, ({ orders }) =>
    orders.change([order], () => ({ result: null, entries: [entry] })),
  );
  await runAll(world);
}

/** What a seeded run begins with. */
export async function ordersThatEnd(world: World): Promise<void> {
  const [one, other] = ORDERS_THAT_END;
  world.calm = true;
  await anOrder(world, 2, one);
  await anOrder(world, 3 + 2 / 1_440, other);
  crash('stage').strike(world);
  world.calm = false;
}

function say(world: World, process: string, user: string, said: Said, order = ORDER): void {
  const what = said.say === 'intent' ? `says ${said.intent}` : 'hands over';
  task(world, process, user, what, ({ orderBook }, click) => orderBook.say(order, click, said));
}

const intends = (intent: Intent | null): Said => ({ say: 'intent', intent });
export const keeps = (world: World, process: string) =>
  task(world, process, 'keeper', 'keep', ({ keeping }) => keeping.keep());
const approves = (world: World, process: string, user: string) =>
  task(world, process, user, `approve as ${user}`, (replica, click) =>
    replica.purchasing.approve(idOf(world, 0), click),
  );

/** Two days before its end, and kept. */
export async function kept(world: World, by = ANN): Promise<void> {
  await anOrder(world, 2);
  say(world, 'stage', by, intends('keep'));
  await runAll(world);
}

/** Its renewal is filed, too. */
async function filed(world: World, by = ANN): Promise<void> {
  await kept(world, by);
  keeps(world, 'stage');
  await runAll(world);
  crash('stage').strike(world);
}

export const KEPT_AT_TWO: Scope = {
  ...common,
  name: 'an order that is kept, two processes that look for such, a rejection, and a crash',
  strikes: [crash('R1')],
  prepare: (world) => kept(world),
  begin(world) {
    task(world, 'R1', LEA, 'keep, and reject', async ({ keeping, purchasing }, click) => {
      await keeping.keep();
      const [id] = world.scheduler.glance(world.vendor, [...world.known.purchases.keys()]);
      if (id !== undefined) await purchasing.reject(id, click, 'no');
    });
    keeps(world, 'R2');
  },
};

export const KEPT_AND_LET_END: Scope = {
  ...common,
  name: 'an order that is kept files its renewal, while its owner lets it end, and hands it over',
  prepare: (world) => kept(world),
  begin(world) {
    keeps(world, 'R1');
    say(world, 'R2', ANN, intends('let_end'));
    say(world, 'R2', ANN, { say: 'owner', owner: BEN });
  },
};

export const KEPT_SENT_AND_LET_END: Scope = {
  ...common,
  name: 'the renewal that an order has filed is approved and sent, while an approver lets the order end, and a crash',
  strikes: [crash('R1')],
  async prepare(world) {
    await filed(world);
    approves(world, 'stage', LEA);
    await runAll(world);
    crash('stage').strike(world);
  },
  begin(world) {
    sendAt(world, 'R1');
    say(world, 'R2', LOU, intends('let_end'));
  },
};

export const KEPT_BY_ANOTHER: Scope = {
  ...common,
  name: 'who has marked somebody else’s order Keep approves what it files, and another, and it is handed over to them',
  prepare: (world) => filed(world, LOU),
  begin(world) {
    approves(world, 'R1', LOU);
    approves(world, 'R2', LEA);
    say(world, 'R2', ANN, { say: 'owner', owner: LOU });
  },
};

export const REMINDED: Scope = {
  ...common,
  name: 'two processes remind of an order that ends, its owner lets it end, a crash, and a day that passes',
  strikes: [crash('R1'), pass(DAY_MS / 1_000)],
  prepare: (world) => anOrder(world, 2),
  begin(world) {
    for (const process of ['R1', 'R2'])
      task(world, process, 'reminder', 'remind', ({ reminding }) => reminding.remind());
    say(world, 'R2', ANN, intends('let_end'));
  },
};

export const KEPT_SCOPES: readonly Scope[] = [
  KEPT_AT_TWO,
  KEPT_AND_LET_END,
  KEPT_SENT_AND_LET_END,
  KEPT_BY_ANOTHER,
  REMINDED,
];
