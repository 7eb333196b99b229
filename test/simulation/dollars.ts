import type { Money } from '../../src/purchasing/model/money.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content, Kind } from '../../src/purchasing/model/purchase.ts';
import { proposalOf } from './actions.ts';
import type { Scope, Strike } from './exhaustive.ts';
import { anOrder, keeps, kept } from './kept.ts';
import { ANN, BEN, LEA, LOU } from './people.ts';
import { PLAN, STRICT } from './policies.ts';
import { approveAndSend, common, crash, idOf, pass, sendAt, sendOnce, stage, task } from './stage.ts';
import type { World } from './world.ts';

// Worlds in which the policy speaks of dollars. Prices are learned when the world says so.

const TEN = '10' as Money;
const { approvals } = STRICT;

const limited = (limits: Partial<Policy['limits']>) => ({
  ...common.options,
  policy: { ...STRICT, limits: { ...STRICT.limits, ...limits } },
});
const approving = (over: object) => ({
  ...common.options,
  policy: { ...STRICT, approvals: { ...approvals, ...over } as Policy['approvals'] },
});

const buys = (country: string, quantity: number): Content => ({
  kind: 'buy',
  plan: PLAN,
  basket: [{ country, quantity }],
});

/** An IP of that country costs so much, as somebody has just seen. */
const learns = (country: string, cents: number, kind: Kind = 'buy'): Strike => ({
  name: `to ${kind} ${country} is seen to cost ${cents} cents`,
  strike: (world) => world.learnPrice(country, cents, kind),
});

function learnBoth(world: World): void {
  for (const country of ['DE', 'US']) world.learnPrice(country, 100);
}

/** @param then what the process does next */
function file(
  world: World,
  process: string,
  by: string,
  content: Content,
  needsApproval = true,
  then: (replica: Parameters<typeof sendOnce>[1]) => Promise<unknown> = async () => {},
): void {
  const { country = '' } = content.kind === 'buy' ? (content.basket[0] ?? {}) : {};
  const submission = `${process} ${country}`;
  const proposal = { submission, requester: by, content, reason: 'r', separate: false, neverSeenAccepted: false };
  task(world, process, by, `file ${country}`, async (replica) => {
    await replica.purchasing.file(proposal, { needsApproval });
    await then(replica);
  });
}

function approve(world: World, process: string, index: number, user: string): void {
  const id = idOf(world, index);
  task(world, process, user, `approve ${index} as ${user}`, (replica, click) => replica.purchasing.approve(id, click));
}

const asked = (content: Content, by: string) => (world: World) => stage(world, [{ content, by, approved: false }]);

export const ONE_BUDGET: Scope = {
  ...common,
  options: limited({ dollarsPerMonth: TEN }),
  name: 'two people file at two processes, what one of them asks for fits under the limit of the month, and a crash',
  strikes: [crash('R1')],
  prepare: async (world) => learnBoth(world),
  begin(world) {
    file(world, 'R1', ANN, buys('DE', 6));
    file(world, 'R2', BEN, buys('US', 6));
  },
};

export const ONES_OWN_BUDGET: Scope = {
  ...common,
  options: limited({ dollarsPerPersonPerMonth: TEN }),
  name: 'one person files twice at two processes, one of which fits under their limit of the month, and the price rises',
  strikes: [learns('US', 150)],
  prepare: async (world) => learnBoth(world),
  begin(world) {
    file(world, 'R1', ANN, buys('DE', 5));
    file(world, 'R2', ANN, buys('US', 5));
    file(world, 'R2', BEN, buys('DE', 10));
  },
};

export const A_PRICE_LEARNED: Scope = {
  ...common,
  options: limited({ dollarsPerMonth: TEN }),
  name: 'what no price was known of is about to be sent, and turns out to cost more than the month has left',
  strikes: [learns('DE', 50), learns('DE', 100)],
  prepare: (world) => stage(world, [{ content: buys('DE', 12), by: ANN, approved: true }]),
  begin: (world) => sendAt(world, 'R1'),
};

export const FREE_OR_NOT: Scope = {
  ...common,
  options: approving({ freeUpTo: null, freeUpToDollars: TEN }),
  name: 'two people confirm what they ask for themselves, of which no price is known at first, and a lane',
  strikes: [learns('DE', 100)],
  prepare: async () => {},
  begin(world) {
    file(world, 'R1', ANN, buys('DE', 6), false, (replica) => sendOnce(world, replica));
    file(world, 'R2', BEN, buys('DE', 12), false);
  },
};

export const TWO_YESES_FOR_DOLLARS: Scope = {
  ...common,
  options: approving({ twoPeopleAboveDollars: TEN }),
  name: 'two say yes at two processes, and what they decide on turns out to be cheap, and dear after that',
  strikes: [learns('DE', 50), learns('DE', 100)],
  prepare: asked(buys('DE', 12), ANN),
  begin(world) {
    approve(world, 'R1', 0, LEA);
    approve(world, 'R2', 0, LOU);
  },
};

export const DEAR_SINCE: Scope = {
  ...common,
  options: approving({ twoPeopleAboveDollars: TEN }),
  name: 'what one person has approved as cheap is about to be sent, and becomes dear',
  strikes: [learns('DE', 100)],
  async prepare(world) {
    world.learnPrice('DE', 50);
    await stage(world, [{ content: buys('DE', 12), by: ANN, approved: true }]);
  },
  begin: (world) => sendAt(world, 'R1'),
};

export const A_SPLIT_IN_DOLLARS: Scope = {
  ...common,
  options: approving({ twoPeopleAboveDollars: TEN }),
  name: 'one request in two parts that cost too much together, each decided at a process of its own, one of them twice',
  async prepare(world) {
    learnBoth(world);
    await stage(world, [
      { content: buys('DE', 6), by: ANN, approved: false },
      { content: buys('US', 6), by: ANN, approved: false },
    ]);
  },
  begin(world) {
    approve(world, 'R1', 0, LEA);
    approve(world, 'R2', 1, LEA);
    approve(world, 'R2', 1, LOU);
  },
};

export const A_MONTH_ENDS: Scope = {
  ...common,
  options: limited({ dollarsPerMonth: TEN }),
  name: 'a month ends while what was asked for in it is approved and sent, and somebody else files',
  strikes: [pass(90)],
  async prepare(world) {
    learnBoth(world);
    const { scheduler } = world;
    scheduler.time += Date.UTC(2026, 1, 1) - 60_000 - scheduler.wall();
    await asked(buys('US', 6), BEN)(world);
  },
  begin(world) {
    approveAndSend(world, 'R1', idOf(world, 0), LEA);
    file(world, 'R2', ANN, buys('DE', 6));
  },
};

export const A_BATCH_BUDGET: Scope = {
  ...common,
  options: limited({ dollarsPerMonth: TEN }),
  name: 'two renewals are asked for together, and somebody else files; one of these fits, and together they become too dear',
  strikes: [learns('US', 300, 'renew')],
  async prepare(world) {
    world.learnPrice('DE', 100);
    world.learnPrice('US', 200, 'renew');
    for (const order of ['1', '2'] as const) await anOrder(world, 20, order);
    crash('stage').strike(world);
  },
  begin(world) {
    const proposal = proposalOf(world, 'S1', ANN, ['1', '2']);
    task(world, 'R1', ANN, 'file both', ({ batches }, click) => batches.file(proposal, { needsApproval: true }, click));
    file(world, 'R2', BEN, buys('DE', 6));
  },
};

export const A_KEPT_BUDGET: Scope = {
  ...common,
  options: limited({ dollarsPerMonth: TEN }),
  name: 'an order that is kept files its renewal, and somebody else files, of which one fits, and a crash',
  strikes: [crash('R1')],
  async prepare(world) {
    world.learnPrice('DE', 100);
    world.learnPrice('US', 300, 'renew');
    await kept(world);
    crash('stage').strike(world);
  },
  begin(world) {
    keeps(world, 'R1');
    file(world, 'R2', BEN, buys('DE', 6));
  },
};

export const DOLLAR_SCOPES: readonly Scope[] = [
  ONE_BUDGET,
  ONES_OWN_BUDGET,
  A_PRICE_LEARNED,
  FREE_OR_NOT,
  TWO_YESES_FOR_DOLLARS,
  DEAR_SINCE,
  A_SPLIT_IN_DOLLARS,
  A_MONTH_ENDS,
  A_BATCH_BUDGET,
  A_KEPT_BUDGET,
];
