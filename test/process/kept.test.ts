import { describe, expect } from 'vitest';
import { BUYER, LEAD, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { markKept, ORDERS_POLICY, ordersThatEnd } from '../support/site-orders.ts';
import { approve, cardsOf, directsOf, lineOf, played, told } from '../support/site-steps.ts';

const ORDER = '9007199254750001';

/** An order that is kept, and due to be renewed: whichever bot starts next files that. */
async function siteWithKept(open: (options: { policy: string }) => Promise<Site>): Promise<Site> {
  const site = await open({ policy: ORDERS_POLICY });
  const bot = await site.start();
  await ordersThatEnd(site, [ORDER]);
  await markKept(site, ORDER);
  await bot.end('SIGTERM');
  expect(await site.ledger()).toEqual([]);
  return site;
}

/** The one renewal, and the one card, goes the way of everybody's. */
async function renewedOnce(site: Site): Promise<void> {
  const [line, ...others] = await site.untilLedger((lines) => lines.length > 0);
  expect(others).toEqual([]);
  const id = line?.id ?? '';
  await site.slack.as(LEAD).waitFor(() => cardsOf(site, id).length > 0);
  await site.slack.as(BUYER).waitFor(() => directsOf(site, id).length > 0);
  await approve(site, id);
  await told(site, id, { directs: [/Renewed/, /Renewed/], cards: [/Renewed/] });
  expect(await site.ledger()).toHaveLength(1);
  expect((await lineOf(site, id)).orderId).toBe(ORDER);
  expect(site.vendor.posts).toBe(1);
}

describe.concurrent('the process is killed (SIGKILL) while an order that is kept files its renewal', () => {
  it('between finding the order and filing: it is filed once, by the next start', async ({ open }) => {
    const site = await siteWithKept(open);
    const hanging = site.slack.faults.add('users.info', { kind: 'hang', when: 'before' }, { times: Infinity });
    const bot = await site.start();
    await played(site, hanging);
    await bot.end('SIGKILL');
    expect(await site.ledger()).toEqual([]);

    site.slack.faults.clear();
    await site.start();
    await renewedOnce(site);
  });

  it('after it is filed, before anybody is told: it is told by the next start, and not filed again', async ({
    open,
  }) => {
    const site = await siteWithKept(open);
    const hanging = site.slack.faults.add('chat.postMessage', { kind: 'hang', when: 'before' }, { times: Infinity });
    const bot = await site.start();
    await site.untilLedger((lines) => lines.length === 1);
    await played(site, hanging);
    await bot.end('SIGKILL');

    site.slack.faults.clear();
    site.letTimePass();
    await site.start();
    await renewedOnce(site);
  });

  it('by two processes that start together, one of which is killed while they find it: it is filed once', async ({
    open,
  }) => {
    const site = await siteWithKept(open);
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    const held = site.slack.faults.add('users.info', { kind: 'hold', until }, { times: Infinity });
    const [one] = await Promise.all([site.start(), site.start()]);
    await played(site, held);
    await one.end('SIGKILL');
    expect(await site.ledger()).toEqual([]);

    site.letTimePass();
    site.slack.faults.clear();
    letGo();
    await renewedOnce(site);
  });
});
