import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import type { Scope } from './exhaustive.ts';
import { ANN, directMessage, LEA, LOU } from './people.ts';
import { PLAN, STRICT } from './policies.ts';
import { CHANNEL } from './slack.ts';
import { common, crash, idOf, runAll, sendAt, stage, task } from './stage.ts';
import type { World } from './world.ts';

// Worlds in which more than 10 IPs need two people.

const TWO_PEOPLE: Policy = {
  ...STRICT,
  approvals: { ...STRICT.approvals, ...(STRICT.approvals.mode === 'channel' ? { twoPeopleAbove: 10 } : {}) },
};

const options = { ...common.options, policy: TWO_PEOPLE };
const buys = (country: string, quantity: number): Content => ({
  kind: 'buy',
  plan: PLAN,
  basket: [{ country, quantity }],
});
const MANY = buys('DE', 12);

function approve(world: World, process: string, user: string, index = 0): void {
  const id = idOf(world, index);
  task(world, process, user, `approve ${index} as ${user}`, (replica, click) => replica.purchasing.approve(id, click));
}

function takeBack(world: World, process: string, user: string): void {
  const card = { ...directMessage(user), channel: CHANNEL };
  const id = idOf(world, 0);
  task(world, process, user, 'take back', (replica, click) => replica.purchasing.takeBack(id, click, card));
}

const asked = (content: Content, by: string) => (world: World) => stage(world, [{ content, by, approved: false }]);

export const TWO_YESES: Scope = {
  ...common,
  options,
  name: 'two say yes at two processes, the first takes it back, and a crash',
  strikes: [crash('R1')],
  prepare: asked(MANY, ANN),
  begin(world) {
    approve(world, 'R1', LEA);
    approve(world, 'R2', LOU);
    takeBack(world, 'R2', LEA);
  },
};

export const ONE_YES_TWICE: Scope = {
  ...common,
  options,
  name: 'one says yes twice at two processes, and another takes it back for them, and the workspace joins an organisation',
  strikes: [
    {
      name: 'people have ids of the organisation',
      strike: (world) => {
        world.office.inOrganisation = true;
      },
    },
  ],
  prepare: asked(MANY, ANN),
  begin(world) {
    approve(world, 'R1', LEA);
    approve(world, 'R2', LEA);
    takeBack(world, 'R2', LOU);
  },
};

export const ONES_OWN_SECOND: Scope = {
  ...common,
  options,
  name: 'the requester, who may approve, says yes beside another',
  prepare: asked(MANY, LOU),
  begin(world) {
    approve(world, 'R1', LEA);
    approve(world, 'R2', LOU);
  },
};

export const A_SPLIT: Scope = {
  ...common,
  options,
  name: 'one request in two parts, each decided at a process of its own, and one of them a second time',
  prepare: (world) =>
    stage(world, [
      { content: buys('DE', 6), by: ANN, approved: false },
      { content: buys('US', 6), by: ANN, approved: false },
    ]),
  begin(world) {
    approve(world, 'R1', LEA, 0);
    approve(world, 'R2', LEA, 1);
    approve(world, 'R2', LOU, 1);
  },
};

export const FIRST_LOSES_RIGHT: Scope = {
  ...common,
  options,
  name: 'one lane, and the first of two who said yes has lost the right since',
  async prepare(world) {
    await asked(MANY, ANN)(world);
    for (const user of [LEA, LOU]) {
      approve(world, 'stage', user);
      await runAll(world);
    }
    crash('stage').strike(world);
    world.office.toggle(LEA, 'S0LEADS', world.scheduler.time);
    world.scheduler.time += 1_000;
  },
  begin: (world) => sendAt(world, 'R1'),
};

export const TWO_PEOPLE_SCOPES: readonly Scope[] = [
  TWO_YESES,
  ONE_YES_TWICE,
  ONES_OWN_SECOND,
  A_SPLIT,
  FIRST_LOSES_RIGHT,
];
