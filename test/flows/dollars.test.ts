import { describe, expect, it } from 'vitest';
import { inCents } from '../../src/purchasing/model/quotient.ts';
import { DAY, ending, goTo, keep } from '../support/ending.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { asked, choose, filedBatch, ownsOrders, rowsOf, rowsReach } from '../support/renewing.ts';
import {
  cardWith,
  decide,
  delivered,
  dmWith,
  filed,
  modalText,
  openDecision,
  reaches,
  renew,
  until,
} from '../support/steps.ts';

const HOUR = DAY / 24;
const LIMITS = 'ips_per_order: 500, ips_per_person_per_day: 1000';
const FREE = `approvals: { channel: ${CHANNEL}, free_up_to: 50, renewals: false }`;
const END = Date.parse('2027-02-02T12:00Z');

/** Bea owns so many orders of 2 IPs, and Bob has just renewed one of his for $6.40: $3.20 an IP are observed. */
async function officeOf(count: number, lines: Parameters<typeof openOffice>[0]) {
  const office = await openOffice({ reminders: 'reminders: { renew_kept_before: 3d }', ...lines });
  goTo(office, END - 3 * DAY - HOUR);
  const orders = await ownsOrders(office, count, END);
  await ending(office, '2001', END, { owner: BUYER2 });
  for (const id of [...orders, '2001']) office.vendor.addOrder({ id, quantity: 2 });
  return { office, orders };
}

/** The first of its kind has no price, and is approved by somebody: by two where the policy asks for that. */
async function observed(office: Office, approvers = [LEAD]): Promise<void> {
  const bob = await renew(office, '2001', BUYER2);
  await bob.submit('Review');
  const id = await filed(office, bob, 'Ask for approval');
  for (const user of approvers) {
    await decide(office, id, 'Approve', user);
    await until(async () => (await office.books.ledger.firstApprover(id)) !== null || approvers.length === 1);
  }
  await reaches(office, id, 'completed');
  await costs(office, '6.40');
}

/** As much as 2 IPs are expected to cost by now. */
async function costs(office: Office, total: string): Promise<void> {
  const of = { kind: 'renew', productId: 'lt-monthly', basket: [{ country: 'US', quantity: 2 }] } as const;
  await until(async () => {
    const [found] = await office.books.account.estimates([of]);
    return found !== undefined && inCents(found.amount) === total;
  }, `that 2 IPs cost ${total}`);
}

describe('limits in dollars and renewals that are asked for together', () => {
  it('are filed to the cent of what is left, or not at all, with the row that is too much', async () => {
    const { office, orders } = await officeOf(3, {
      approvals: FREE,
      limits: `limits: { ${LIMITS}, dollars_per_person_per_month: 12.80 }`,
    });
    await observed(office);
    const bea = await choose(office, orders);
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(
      /3\. Order 1003\n.*Cannot be filed: .*you have spent or asked for about \$12\.80 of \$12\.80/s,
    );
    expect(bea.screen.modal?.submit).toBeNull();
    const two = await choose(office, orders.slice(0, 2));
    await two.submit('Review');
    const batch = await filedBatch(office, two, 'Renew now');
    await rowsReach(office, batch, 'completed', 'completed');
    const third = await renew(office, '1003');
    await third.submit('Review');
    expect(modalText(third)).toContain('you have spent or asked for about $12.80 of $12.80');
    expect(office.vendor.posts).toBe(3);
  });

  it('are asked again before each row is sent: one that has become too dear since is not', async () => {
    const { office, orders } = await officeOf(2, {
      approvals: `approvals: { channel: ${CHANNEL} }`,
      limits: `limits: { ${LIMITS}, dollars_per_month: 28 }`,
    });
    await observed(office);
    const batch = await asked(office, orders);
    office.vendor.pricePerIp = '6.00';
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'declined');
    // $6.40 and $12.00, and $12.00 for the second, as the first has shown.
    expect((await rowsOf(office, batch))[1]?.why).toBe(
      'with it, more than $28.00 would be spent in all in this month ($18.40 is without it)',
    );
    expect(office.vendor.posts).toBe(2);
  });

  it('need two people where they cost too much together', async () => {
    const { office, orders } = await officeOf(2, {
      approvals: `approvals: { channel: ${CHANNEL}, two_people_above_dollars: 10 }`,
    });
    await observed(office, [LEAD, LEAD2]);
    const bea = await choose(office, orders);
    await bea.submit('Review');
    expect(modalText(bea)).toContain('by two people');
    const batch = await filedBatch(office, bea, 'Ask for approval');
    await cardWith(office, batch.id);
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await until(async () => (await rowsOf(office, batch)).every(({ firstApprover }) => firstApprover === LEAD));
    expect((await rowsOf(office, batch)).map(({ state }) => state)).toEqual(['requested', 'requested']);
    await (await openDecision(office, batch.id, 'Approve', LEAD2)).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed');
  });
});

describe('limits in dollars and an order that is kept', () => {
  it('is not renewed where too little is left of the month, which is told, and is in the next', async () => {
    const { office } = await officeOf(1, { approvals: FREE, limits: `limits: { ${LIMITS}, dollars_per_month: 10 }` });
    await observed(office);
    await keep(office, '1001', END);
    goTo(office, END - 3 * DAY);
    const words =
      'it would cost about $6.40, and everybody together has spent or asked for about $6.40 of $10.00 in this calendar month';
    await cardWith(office, words);
    await dmWith(office, BUYER, words);
    await delivered(office);
    goTo(office, Date.parse('2027-01-31T23:59Z'));
    await delivered(office);
    expect(await office.records()).toHaveLength(1);
    office.clock.advance(HOUR + 60_000);
    const kept = await until(async () => (await office.records())[1], 'the renewal');
    await reaches(office, kept.purchase.id, 'completed');
    expect(office.vendor.posts).toBe(2);
  });

  it('needs approval where nobody knows what it costs, and none once that was seen', async () => {
    const { office } = await officeOf(2, {
      approvals: `approvals: { channel: ${CHANNEL}, free_up_to_dollars: 13, renewals: false }`,
    });
    await keep(office, '1001', END);
    goTo(office, END - 3 * DAY);
    const first = (await until(async () => (await office.records())[0], 'the renewal')).purchase;
    const card = office.slack.as(LEAD).read(await cardWith(office, first.id));
    expect(card).toContain('No price observed yet');
    await decide(office, first.id, 'Approve');
    await reaches(office, first.id, 'completed');
    await costs(office, '6.40');
    await keep(office, '1002', END);
    office.clock.advance(60_000);
    const second = (await until(async () => (await office.records())[1], 'the other renewal')).purchase;
    expect((await reaches(office, second.id, 'completed')).purchase.approver).toBeNull();
  });
});
