import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { subMonths } from 'date-fns/subMonths';
import type { Hands } from '../slack/index.ts';
import type { Sandbox } from './start-sandbox.ts';

const DAY_MS = 86_400_000;
const MONTHLY = 'Static residential, monthly';
const REQUEST_ID = /\bP-[0-9A-Z]{8}\b/;
const QUARTERLY = 'Static residential, quarterly';

/** When the past begins: what is bought then for one month ends in three days, or as soon after as the calendar has it. */
export function beginningOfPast(now: number): number {
  const [first] = [3, 4, 5, 6]
    .map((days) => subMonths(addDays(now, days), 1))
    .filter((at) => addMonths(at, 1).getTime() - now > 2 * DAY_MS);
  if (!first) throw new Error('There is no such day');
  return first.getTime();
}

/**
 * What people have bought in the last weeks, through the product itself, in a sandbox whose time stands back: three orders, of
 * which one ends in three days, and an outcome that nobody knows yet. At the end it is today, also where something went wrong.
 */
export async function liveThroughPast(sandbox: Sandbox, isAsked: () => boolean): Promise<void> {
  const { slack, vendor } = sandbox;
  const [ada, ben, hana] = [slack.as('U0ADA'), slack.as('U0BEN'), slack.as('U0HANA')];
  const [clara, david] = [slack.as('U0CLARA'), slack.as('U0DAVID')];
  // What is told late would carry the time of the next purchase.
  const untilTold = (requester: Hands) =>
    requester.waitFor(({ dm }) => {
      const texts = dm.map((message) => requester.read(message));
      const id = texts.flatMap((text) => text.match(REQUEST_ID) ?? []).at(-1);
      // The message that follows a request, and the one that rings the bell.
      return id !== undefined && texts.filter((text) => text.includes(id)).length >= 2;
    });
  const weeks: [untilDaysAgo: number, () => Promise<unknown>][] = [
    [
      daysAgo(sandbox),
      async () => {
        await ask(ada, 'buy US 3', MONTHLY, 'Price checks', 'Buy now');
        await vendor.until(() => vendor.orders.length === 1);
        await untilTold(ada);
      },
    ],
    [
      17,
      async () => {
        await ask(ben, 'buy DE 10, GB 5', MONTHLY, 'Search results in two countries', 'Ask for approval');
        await approve(clara);
        await vendor.until(() => vendor.orders.length === 2);
        await untilTold(ben);
      },
    ],
    [
      9,
      async () => {
        await ask(hana, 'buy JP 20', QUARTERLY, 'The launch in Japan', 'Ask for approval');
        await approve(david);
        await vendor.until(() => vendor.orders.length === 3);
        await untilTold(hana);
      },
    ],
    [
      2,
      async () => {
        vendor.next('create', { name: 'reset_before_answer', charge: true });
        await ask(ben, 'buy FR 8', MONTHLY, 'Load test in France', 'Ask for approval');
        await approve(clara);
        await clara.waitFor('[It was placed]');
        await untilTold(ben);
      },
    ],
  ];
  try {
    for (const [days, live] of weeks) {
      if (isAsked()) break;
      await toDaysAgo(sandbox, days);
      await live();
    }
  } finally {
    await toDaysAgo(sandbox, 0);
  }
}

const daysAgo = ({ clock }: Sandbox) => -clock.aheadMs / DAY_MS;

async function toDaysAgo(sandbox: Sandbox, days: number): Promise<void> {
  const ms = Math.round(-days * DAY_MS) - sandbox.clock.aheadMs;
  if (ms > 0) await sandbox.putForward(ms);
}

async function ask(hands: Hands, typed: string, plan: string, reason: string, button: string): Promise<void> {
  await hands.command('/proxy', typed);
  await hands.waitFor(({ modal }) => modal);
  await hands.pick('Plan', plan);
  await hands.type('Reason', reason);
  await hands.submit('Review');
  await hands.submit(button);
  await hands.close({ all: true });
}

async function approve(hands: Hands): Promise<void> {
  const card = await hands.waitFor(({ channels }) =>
    channels['approvals']?.findLast((message) => hands.read(message).includes('[Approve]')),
  );
  await hands.pressOn(card, 'Approve');
  await hands.waitFor(({ modal }) => modal);
  await hands.submit('Approve');
}
