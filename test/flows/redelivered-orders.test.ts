import { describe, expect, it } from 'vitest';
import type { Delivery, Hands } from '../../sandbox/slack/index.ts';
import { DAY, ending, goTo } from '../support/ending.ts';
import { BUYER, BUYER2, LEAD, type Office, openOffice } from '../support/office.ts';
import { daysAgo, openOrder, writeDown } from '../support/orders.ts';
import { allWait } from '../support/passing.ts';
import { asked, batches, choose, filedBatch, officeWith, rowsOf, rowsReach } from '../support/renewing.ts';
import { askFor, comesTo, command, delivered, openDecision, until } from '../support/steps.ts';

const DAYS = 3 * DAY;

describe('what was said of an order, and Slack delivers again days after', () => {
  it('does not undo what was said since, whichever process it reaches', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER, boughtAt: daysAgo(office, 1) });
    const bea = await openOrder(office, '5');
    const first = [
      await bea.press('Keep'),
      await handOver(bea, 'bob'),
      await note(await openOrder(office, '5', LEAD), 'for the crawler'),
    ];
    const lea = office.slack.as(LEAD);
    const since = [
      await lea.press('Let it end'),
      await note(lea, 'for nobody'),
      await handOver(lea, 'bea'),
      await lea.press('Let it end'),
    ];
    await lea.waitFor((screen) => !screen.text().includes('To be let end'));
    const { entries } = await office.books.ledger.order('5');
    expect(entries.map(({ by, detail }) => `${by} ${detail.kind}`)).toEqual([
      `${LEAD} order_imported`,
      `${BUYER} order_intent`,
      `${BUYER} order_owner`,
      `${LEAD} order_note`,
      `${LEAD} order_intent`,
      `${LEAD} order_note`,
      `${LEAD} order_owner`,
      `${LEAD} order_intent`,
    ]);
    await later(office);
    for (const delivery of [...since, ...first]) await again(office, delivery);
    expect((await office.books.ledger.order('5')).entries).toEqual(entries);
  });

  it('hands nothing over where Slack did not tell of the new owner at first', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER, boughtAt: daysAgo(office, 1) });
    const bea = await openOrder(office, '5');
    await bea.press('Hand over');
    await bea.waitFor('== Hand over ==');
    await bea.pick('New owner, who may renew orders', 'bob');
    const unreadable = office.slack.faults.add(
      'users.info',
      { kind: 'status', status: 503 },
      { times: Infinity, only: ({ args }) => args['user'] === BUYER2 },
    );
    const { delivery } = await bea.submit('Hand over');
    expect(unreadable.hits).toBeGreaterThan(0);
    office.slack.faults.clear();
    await again(office, delivery);
    expect((await office.books.ledger.order('5')).entries).toHaveLength(1);
  });

  it('reminds of it no second time', async () => {
    const office = await openOffice();
    office.slack.world.setPerson(BUYER, { timeZone: 'Etc/UTC' });
    const end = Date.parse('2027-02-15T12:00Z');
    goTo(office, Date.parse('2027-02-08T08:00Z'));
    await ending(office, '1001', end);
    goTo(office, Date.parse('2027-02-08T09:00Z'));
    const bea = office.slack.as(BUYER);
    const offers = 'Remind me tomorrow';
    const reminder = await bea.waitFor((screen) => screen.dm.find((message) => bea.read(message).includes(offers)));
    const tomorrow = await bea.pressOn(reminder, offers);
    await until(async () => (await office.books.ledger.order('1001')).entries.length === 2);
    goTo(office, Date.parse('2027-02-09T10:00Z'));
    await delivered(office);
    await again(office, tomorrow);
    const { entries } = await office.books.ledger.order('1001');
    expect(entries.map(({ detail }) => detail.kind)).toEqual(['order_imported', 'order_remind_again']);
  });
});

describe('a submit that Slack delivers again days after', () => {
  it('files nothing more of what has expired since, alone or together', async () => {
    const { office, orders } = await officeWith(2);
    const bea = await askFor(office, 'US 10');
    const alone = (await bea.submit('Ask for approval')).delivery;
    const id = (await office.records()).at(-1)?.purchase.id ?? '';
    const bob = await choose(office, orders);
    await bob.submit('Review');
    const together = (await bob.submit('Ask for approval')).delivery;
    const [batch] = await batches(office);
    if (!batch) throw new Error('nothing was filed');
    await comesTo(office, id, 'expired', DAY);
    await rowsReach(office, batch, 'expired', 'expired');
    const records = (await office.records()).length;
    await later(office);
    for (const delivery of [alone, together]) await again(office, delivery);
    expect(await office.records()).toHaveLength(records);
    expect(await batches(office)).toHaveLength(1);
  });

  it('strikes nothing out and approves nothing once more', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Approve');
    await lea.tick(`Order ${orders[1]}`);
    await lea.type('Reason', 'nobody uses it');
    const { delivery } = await lea.submit('Approve');
    await rowsReach(office, batch, 'completed', 'rejected', 'completed');
    // What was struck out is asked for anew, and waits.
    const anew = await choose(office, [orders[1] ?? '']);
    await anew.submit('Review');
    const second = await filedBatch(office, anew, 'Ask for approval');
    const { posts } = office.vendor;
    office.clock.advance(DAY / 2);
    await again(office, delivery);
    await delivered(office);
    expect((await rowsOf(office, second)).map(({ state }) => state)).toEqual(['requested']);
    expect((await rowsOf(office, batch)).map(({ state }) => state)).toEqual(['completed', 'rejected', 'completed']);
    expect(office.vendor.posts).toBe(posts);
  });
});

async function handOver(person: Hands, to: string): Promise<Delivery | null> {
  await person.press('Hand over');
  await person.waitFor('== Hand over ==');
  await person.pick('New owner, who may renew orders', to);
  const { delivery } = await person.submit('Hand over');
  await person.waitFor(`Handed over to @${to}`);
  return delivery;
}

async function note(person: Hands, text: string): Promise<Delivery | null> {
  await person.press('Note');
  await person.waitFor('== Note ==');
  await person.type('Note', text);
  const { delivery } = await person.submit('Save');
  await person.waitFor(`Note: ${text}`);
  return delivery;
}

/** Another process, some days on, in which others have used forms: those of then are gone. */
async function later(office: Office): Promise<void> {
  await office.restart();
  office.clock.advance(DAYS);
  const lou = await command(office, 'buy US 1', BUYER2);
  await lou.waitFor('Buy proxies');
}

async function again(office: Office, delivery: Delivery | null): Promise<void> {
  if (!delivery) throw new Error('nothing was sent');
  const repeated = await office.slack.redeliver(delivery);
  expect(repeated.failure).toBeNull();
  // What is acked first is done after.
  await allWait(office);
}
