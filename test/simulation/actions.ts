import type { Click, ClickedMessage } from '../../src/purchasing/model/click.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { type Content, OPEN_STATES, type Purchase, type State } from '../../src/purchasing/model/purchase.ts';
import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { Said } from '../../src/purchasing/order-book.ts';
import type { BatchProposal } from '../../src/purchasing/rules/batches.ts';
import { among, chance, weighed } from './choices.ts';
import { ANN, BEN, directMessage, EVERYBODY, LEA, LOU } from './people.ts';
import { PLAN } from './policies.ts';
import type { Replica } from './replica.ts';
import type { World } from './world.ts';

/** Few contents, so that people meet on them. */
const CONTENTS: readonly Content[] = [
  { kind: 'buy', plan: PLAN, basket: [{ country: 'DE', quantity: 3 }] },
  { kind: 'buy', plan: PLAN, basket: [{ country: 'US', quantity: 10 }] },
  {
    kind: 'buy',
    plan: PLAN,
    basket: [
      { country: 'DE', quantity: 2 },
      { country: 'US', quantity: 4 },
    ],
  },
  { kind: 'renew', plan: PLAN, orderId: '777' },
  { kind: 'renew', plan: PLAN, orderId: '9007199254740994' },
];

/** The first is due to be renewed where it is kept, the other in some minutes. */
export const ORDERS_THAT_END = ['901', '902'] as const satisfies readonly OrderId[];

/** One click, however often it is delivered. */
export type Deliver = (user: string, what: string, act: (replica: Replica, click: Click) => Promise<unknown>) => void;

/** Somebody does something. */
export function actSomehow(world: World, deliver: Deliver): void {
  const purchases = [...world.known.purchases.values()];
  const waiting = purchases.filter(({ state }) => (OPEN_STATES as readonly State[]).includes(state));
  const kind = weighed(world.choices, 'act', {
    file: 30,
    batch: 8,
    order: 8,
    decide: waiting.length > 0 ? 50 : 0,
    meddle: purchases.length > 0 ? 10 : 0,
    freeze: 4,
    unfreeze: world.known.frozen() ? 20 : 1,
  });
  switch (kind) {
    case 'file':
      file(world, deliver);
      break;
    case 'batch':
      fileBatch(world, deliver);
      break;
    case 'order':
      sayOfOrder(world, deliver);
      break;
    case 'decide':
      decide(world, deliver, among(world.choices, 'which', waiting));
      break;
    case 'meddle':
      meddle(world, deliver, among(world.choices, 'which', purchases));
      break;
    case 'freeze': {
      const user = somebodyWhoDecides(world);
      deliver(user, 'freezes', (replica, click) => replica.purchasing.freeze(click, 'wait'));
      break;
    }
    case 'unfreeze': {
      const user = somebodyWhoDecides(world);
      deliver(user, 'unfreezes', (replica, click) => replica.purchasing.unfreeze(click));
      break;
    }
  }
}

function file(world: World, deliver: Deliver): void {
  const { choices } = world;
  const user = among(choices, 'who', [ANN, ANN, BEN, BEN, LOU, LEA]);
  const content = among(choices, 'what', CONTENTS);
  const separate = chance(choices, 'ticked', 0.4);
  // The same form, submitted twice at once, or two forms with the same in them.
  const submissions = chance(choices, 'two forms', 0.15) ? [world.newId('S'), world.newId('S')] : [world.newId('S')];
  for (const submission of submissions) {
    if (separate) world.ticked.add(submission);
    const proposal = { submission, requester: user, content, reason: 'r', separate, neverSeenAccepted: true };
    const what = `${content.kind} ${content.kind === 'buy' ? JSON.stringify(content.basket) : content.orderId} as ${submission}`;
    deliver(user, `reviews ${what}`, async (replica) => {
      const { found } = await replica.purchasing.review(proposal);
      if (isRefusal(found)) return;
      const { needsApproval, lastTwin } = found;
      deliver(user, `files ${what}`, async (other, click) =>
        world.filedBy(click, await other.purchasing.file(proposal, { needsApproval, lastTwin }, click)),
      );
    });
  }
}

/** Anybody says what is to become of an order that ends, or hands it over. */
function sayOfOrder(world: World, deliver: Deliver): void {
  const { choices } = world;
  const user = among(choices, 'who', [ANN, ANN, BEN, LOU, LEA]);
  const said = among<Said>(choices, 'said', [
    { say: 'intent', intent: 'keep' },
    { say: 'intent', intent: 'keep' },
    { say: 'intent', intent: 'let_end' },
    { say: 'intent', intent: null },
    { say: 'owner', owner: among(choices, 'heir', [ANN, BEN, LOU]) },
  ]);
  const order = among(choices, 'order', ORDERS_THAT_END);
  deliver(user, `says ${JSON.stringify(said)} of ${order}`, ({ orderBook }, click) =>
    orderBook.say(order, click, said),
  );
}

/** Two or three renewals, asked for together. */
function fileBatch(world: World, deliver: Deliver): void {
  const { choices } = world;
  const user = among(choices, 'who', [ANN, BEN, LOU]);
  const orders = (['777', '778', '9007199254740994'] as const).slice(choices.pick('how many', [1, 1]));
  const submission = world.newId('S');
  const separate = chance(choices, 'ticked', 0.4);
  if (separate) for (const orderId of orders) world.ticked.add(`${submission}:${orderId}`);
  const proposal = { ...proposalOf(world, submission, user, orders), separate: separate ? orders : [] };
  deliver(user, `reviews ${orders.join(', ')} as ${submission}`, async (replica) => {
    const { found } = await replica.batches.review(proposal);
    if (isRefusal(found)) return;
    const { needsApproval } = found;
    const lastTwins = found.rows.map((row) => (isRefusal(row) ? null : row.lastTwin));
    deliver(user, `files ${submission}`, async (other, click) =>
      world.filedBy(click, await other.batches.file(proposal, { needsApproval, lastTwins }, click)),
    );
  });
}

/** An approver says yes to all rows that wait, or strikes some out; or the requester withdraws. */
function decideOnBatch(world: World, deliver: Deliver, { requester, batch }: Purchase, user: string): void {
  const { choices } = world;
  const id = batch?.id ?? '';
  const waiting = [...world.known.purchases.values()].filter(
    (row) => row.batch?.id === id && row.state === 'requested',
  );
  if (chance(choices, 'withdraw', 0.15)) {
    deliver(requester, `withdraws ${id}`, (replica, click) =>
      replica.batches.withdraw(id, click, directMessage(requester)),
    );
    return;
  }
  const struck = waiting.filter(() => chance(choices, 'strikes out', 0.2)).map((row) => row.id);
  const kept = waiting.map((row) => row.id).filter((row) => !struck.includes(row));
  deliver(user, `approves ${kept.join(', ')} of ${id}, and not ${struck.join(', ')}`, (replica, click) =>
    decideRows(world, click, id, kept, struck)(replica),
  );
}

/** What is sensible where the purchase stands; sometimes two do it at once. */
function decide(world: World, deliver: Deliver, purchase: Purchase): void {
  const { choices } = world;
  const times = chance(choices, 'two of them', 0.3) ? 2 : 1;
  for (let n = 0; n < times; n += 1) {
    const user = somebodyWhoDecides(world);
    if (purchase.state === 'unknown') settle(world, deliver, purchase, user);
    else if (purchase.batch !== null && chance(choices, 'all of it', 0.8))
      decideOnBatch(world, deliver, purchase, user);
    else if (purchase.firstApprover !== null && chance(choices, 'second thoughts', 0.2))
      takeBack(deliver, purchase, purchase.firstApprover);
    else if (chance(choices, 'yes', 0.85)) approve(world, deliver, purchase, user);
    else if (chance(choices, 'withdraw', 0.5))
      deliver(purchase.requester, `withdraws ${purchase.id}`, (replica, click) =>
        replica.purchasing.withdraw(purchase.id, click, directMessage(purchase.requester)),
      );
    else reject(deliver, purchase, user);
  }
}

/** Anybody tries anything with anything. */
function meddle(world: World, deliver: Deliver, purchase: Purchase): void {
  const user = among(world.choices, 'who', EVERYBODY);
  switch (
    weighed(world.choices, 'meddle', {
      approve: 3,
      takeBack: 1,
      reject: 1,
      withdraw: 1,
      settle: 3,
      orderId: 1,
      answer: 1,
    })
  ) {
    case 'approve':
      approve(world, deliver, purchase, user);
      break;
    case 'takeBack':
      takeBack(deliver, purchase, user);
      break;
    case 'reject':
      reject(deliver, purchase, user);
      break;
    case 'withdraw':
      deliver(user, `withdraws ${purchase.id}`, (replica, click) =>
        replica.purchasing.withdraw(purchase.id, click, directMessage(user)),
      );
      break;
    case 'settle':
      settle(world, deliver, purchase, user);
      break;
    case 'orderId':
      deliver(user, `names the order of ${purchase.id}`, (replica, click) =>
        replica.purchasing.enterOrderId(purchase.id, click, among(world.choices, 'order', ['777', '778'])),
      );
      break;
    case 'answer':
      deliver(user, `opens the answer of ${purchase.id}`, (replica, click) =>
        replica.purchasing.openAnswer(purchase.id, click, directMessage(user)),
      );
      break;
  }
}

function approve(world: World, deliver: Deliver, { id }: Purchase, user: string): void {
  deliver(user, `approves ${id}`, async (replica, click) => {
    if (
      chance(world.choices, 'by the card', 0.5) &&
      isRefusal(await replica.purchasing.open(id, opening(click), cardsOf(replica, user), 'approve'))
    )
      return;
    await replica.purchasing.approve(id, click);
  });
}

function takeBack(deliver: Deliver, { id }: Purchase, user: string): void {
  deliver(user, `takes back the yes to ${id}`, (replica, click) =>
    replica.purchasing.takeBack(id, click, cardsOf(replica, user)),
  );
}

function reject(deliver: Deliver, { id }: Purchase, user: string): void {
  deliver(user, `rejects ${id}`, (replica, click) => replica.purchasing.reject(id, click, 'no'));
}

/** The click on the card, before that on the submit button. */
function opening({ user, id }: Click): Click {
  return { user, id: `${id}, on the card` };
}

/** Whoever settles has seen that it is unknown, looks into the vendor's console, and finds the truth there. */
export function settle(world: World, deliver: Deliver, { id }: Purchase, user: string): void {
  deliver(user, `settles ${id}`, async (replica, click) => {
    const opened = await replica.purchasing.open(id, opening(click), cardsOf(replica, user), 'settle');
    if (isRefusal(opened)) return;
    const placed = world.books.takesMoneyFor(id);
    await replica.purchasing.settle(id, click, { placed, note: 'as the console says', orderId: null });
  });
}

/** Where this person sees cards. */
function cardsOf({ policy }: Replica, user: string): ClickedMessage {
  const { approvals } = policy;
  return approvals.mode === 'channel' ? { ...directMessage(user), channel: approvals.channel } : directMessage(user);
}

function somebodyWhoDecides(world: World): string {
  return among(world.choices, 'who', [LEA, LEA, LOU, LOU, ANN]);
}

/** Renewals of these orders, asked for together. */
export function proposalOf(world: World, submission: string, by: string, orders: readonly OrderId[]): BatchProposal {
  world.batchSizes.set(submission, orders.length);
  const contents = orders.map((orderId) => ({ kind: 'renew', plan: PLAN, orderId }) as const);
  return { submission, requester: by, contents, reason: 'r', separate: [] };
}

/** Decides on these rows as shown. */
export function decideRows(
  world: World,
  click: Click,
  id: string,
  approve: readonly string[],
  reject: readonly string[],
) {
  world.struck.set(click.id, new Set(reject));
  return ({ batches }: Replica) =>
    batches.decide(id, click, { approve: new Set(approve), reject: new Set(reject), reason: 'no' });
}
