import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2 } from '../support/office.ts';
import {
  asked,
  batches,
  cardOn,
  choose,
  filedBatch,
  messagesAbout,
  newsOf,
  officeWith,
  rowsOf,
  rowsReach,
  SOON_MS,
} from '../support/renewing.ts';
import {
  bodies,
  buyNow,
  cardWith,
  command,
  delivered,
  dmWith,
  modalText,
  openDecision,
  press,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

const DAY = 24 * 60 * 60 * 1_000;
const OWN = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 50, renewals: false }` };

describe('renewals that are asked for together', () => {
  it('are reviewed row by row, approved on one card, and each is paid for once', async () => {
    const { office, orders } = await officeWith(3);
    const bea = await choose(office, orders);
    await bea.submit('Review');
    for (const orderId of orders) expect(modalText(bea)).toContain(`Order ${orderId} · 1 IP (`);
    expect(modalText(bea)).toContain('Needs approval, asked for once');
    expect(modalText(bea)).toContain('no price observed yet');
    const batch = await filedBatch(office, bea, 'Ask for approval');
    const card = office.slack.as(LEAD).read(await cardWith(office, batch.id));
    expect(card).toContain('Approval needed: renew 3 orders');
    for (const orderId of orders) expect(card).toContain(`Order ${orderId}`);
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
    expect(bodies(office).slice(3)).toEqual(
      orders.map((orderId) => `{"order_id":${orderId},"renew_product_id":"lt-monthly"}`),
    );
    await delivered(office);
    expect(await newsOf(office, batch)).toContain('Renew 3 orders: 3 completed');
    expect(office.slack.as(LEAD).read(await cardWith(office, batch.id))).toContain('3 completed');
    expect(messagesAbout(office, LEAD, batch.id)).toHaveLength(1);
  });

  it('need no approval where none of them would alone', async () => {
    const { office, orders } = await officeWith(2, OWN);
    const bea = await choose(office, orders);
    await bea.submit('Review');
    expect(modalText(bea)).toContain('No approval needed');
    const batch = await filedBatch(office, bea, 'Renew now');
    await rowsReach(office, batch, 'completed', 'completed');
    expect(office.vendor.orders.map(({ renewals }) => renewals)).toEqual([1, 1]);
  });

  it('are one batch for one submit, however often Slack delivers it, also when another process has started', async () => {
    const { office, orders } = await officeWith(2, { transport: 'http' });
    const bea = await choose(office, orders);
    await bea.submit('Review');
    const { delivery } = await bea.submit('Ask for approval');
    if (!delivery) throw new Error('nothing was delivered');
    await Promise.all([office.slack.redeliver(delivery), office.slack.redeliver(delivery)]);
    await office.another();
    office.clock.advance(60_000);
    await office.slack.redeliver(delivery);
    expect(await batches(office)).toHaveLength(1);
    expect(await office.records()).toHaveLength(4);
  });

  it('are filed all or not at all: what one of them lacks is told at its row', async () => {
    const { office, orders } = await officeWith(2);
    const [first = '', second = ''] = orders;
    const bea = await choose(office, orders);
    await bea.submit('Review');
    const bob = await choose(office, [second], BUYER2);
    await bob.submit('Review');
    await filedBatch(office, bob, 'Ask for approval');
    await bea.submit('Ask for approval');
    expect(modalText(bea)).toContain(`2. Order ${second}\n⚠️ Cannot be filed: @bob has asked for the same`);
    expect(modalText(bea)).toContain('This cannot be filed');
    expect(modalText(bea)).toMatch(new RegExp(`1\\. Order ${first} · 1 IP \\(US 1\\)\n2\\.`));
    expect(modalText(bea)).not.toContain('not known');
    expect(bea.screen.modal?.submit).toBeNull();
    expect(await batches(office)).toHaveLength(1);
    expect(await office.records()).toHaveLength(3);
  });

  it('name an order whose plan is no longer offered, and file nothing', async () => {
    const { office, orders } = await officeWith(1);
    const { plans } = office.policy;
    await office.restart({ ...office.policy, plans: plans.map((plan) => ({ ...plan, productId: 'lt-other' })) });
    const bea = await choose(office, orders);
    const { errors } = await bea.submit('Review');
    expect(errors['Orders']).toContain(`order ${orders[0]}, whose plan`);
  });

  it('are chosen by order id, by country and as mine, or all of mine that are ending', async () => {
    const { office, orders } = await officeWith(3);
    const [first = ''] = orders;
    const bea = await command(office, 'renew');
    await bea.waitFor('Renew several');
    await bea.waitFor(/Balance: (?!reading)/);
    expect(await bea.suggest('Orders', first.slice(0, -1))).toHaveLength(3);
    expect(await bea.suggest('Orders', first)).toHaveLength(1);
    expect(await bea.suggest('Orders', 'germany')).toEqual([expect.stringContaining('DE 1')]);
    expect(await bea.suggest('Orders', 'mine')).toHaveLength(3);
    expect(await bea.suggest('Orders', 'nothing at all')).toEqual([]);
    await bea.press('All of mine that are ending');
    await bea.waitFor('None of your orders is ending');
    await bea.close();
    await bea.command('/proxy', 'orders');
    await bea.pressOn(await bea.waitFor((screen) => screen.ephemerals.at(-1)), 'Renew several');
    await bea.waitFor(/Renew several.*Balance: (?!reading)/s);
    office.clock.advance(26 * DAY);
    await bea.press('All of mine that are ending');
    await bea.waitFor((screen) => screen.modal && orders.every((id) => modalText(bea).includes(id)));
    await bea.submit('Review');
    for (const orderId of orders) expect(modalText(bea)).toContain(`Order ${orderId}`);
  });
});

describe('an approver of a batch', () => {
  it('strikes a row out: it is rejected with the reason, and the others are sent', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Approve');
    await lea.tick(`Order ${orders[1]}`);
    const { errors } = await lea.submit('Approve');
    expect(errors).toEqual({ Reason: 'Say in a few words why they are struck out.' });
    await lea.type('Reason', 'nobody uses it');
    await lea.submit('Approve');
    const rows = await rowsReach(office, batch, 'completed', 'rejected', 'completed');
    expect(rows[1]).toMatchObject({ approver: LEAD, why: 'nobody uses it' });
    expect(office.vendor.orders.map(({ renewals }) => renewals)).toEqual([1, 0, 1]);
    expect(await newsOf(office, batch)).toContain('2 completed, 1 rejected');
    expect(office.slack.as(BUYER).read(await dmWith(office, BUYER, batch.id))).toContain('2 completed, 1 rejected');
  });

  it('rejects all of it with a reason', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Reject');
    await lea.type('Reason', 'not this month');
    await lea.submit('Reject');
    await rowsReach(office, batch, 'rejected', 'rejected');
    expect(await newsOf(office, batch)).toContain('2 rejected');
    expect(office.vendor.posts).toBe(2);
  });

  it('who is slower changes nothing, and is told so: all rows are decided by one', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Approve', LEAD);
    const lou = await openDecision(office, batch.id, 'Approve', LEAD2);
    await lou.tick(`Order ${orders[0]}`);
    await lou.type('Reason', 'too dear');
    await Promise.all([lea.submit('Approve'), lou.submit('Approve')]);
    const told = [modalText(lea), modalText(lou)].filter((text) =>
      text.includes('None of the rows was decided by this'),
    );
    expect(told).toHaveLength(1);
    await until(async () =>
      (await rowsOf(office, batch)).every(({ state }) => state === 'completed' || state === 'rejected'),
    );
    const rows = await rowsOf(office, batch);
    expect(new Set(rows.map(({ approver }) => approver)).size).toBe(1);
    expect(office.vendor.posts).toBe(2 + rows.filter(({ state }) => state === 'completed').length);
  });

  it('says yes beside another, where two have to, also at the same moment', async () => {
    const approvals = `approvals: { channel: ${CHANNEL}, free_up_to: 5, two_people_above: 3 }`;
    const { office, orders } = await officeWith(2, { approvals });
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Approve', LEAD);
    const lou = await openDecision(office, batch.id, 'Approve', LEAD2);
    await Promise.all([lea.submit('Approve'), lou.submit('Approve')]);
    for (const { firstApprover, approver } of await rowsReach(office, batch, 'completed', 'completed'))
      expect(new Set([firstApprover, approver])).toEqual(new Set([LEAD, LEAD2]));
    expect(office.vendor.posts).toBe(4);
  });

  it('does not approve their own, and the ledger keeps that they tried', async () => {
    const { office, orders } = await officeWith(2, {}, LEAD2);
    const batch = await asked(office, orders, LEAD2);
    await office.slack.as(LEAD2).close({ all: true });
    await press(office, batch.id, 'Approve', LEAD2);
    await until(() => office.slack.as(LEAD2).screen.ephemerals.length > 0);
    expect(office.slack.as(LEAD2).screen.modal ?? null).toBeNull();
    const [first] = await rowsOf(office, batch);
    const record = await office.books.ledger.record(first?.id ?? '');
    expect(record && refusalsIn(record)).toEqual([`${LEAD2} approve: own_purchase`]);
  });
});

describe('the rest of a batch', () => {
  it('is held back by an unknown row, lets others pass, says so, and goes on when that is settled', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const rows = await rowsReach(office, batch, 'unknown', 'approved', 'approved');
    expect(await newsOf(office, batch)).toMatch(
      /1 unknown, 2 held back.*rest is held back.*2 orders wait until it is settled/s,
    );
    await until(() => office.slack.as(LEAD).read(cardOn(office, batch.id)).includes('The rest is held back'));
    await reaches(office, await buyNow(office, 'NL 1', BUYER2), 'completed');
    expect((await rowsOf(office, batch)).map(({ state }) => state)).toEqual(['unknown', 'approved', 'approved']);
    const unknown = rows[0]?.id ?? '';
    const lea = await openDecision(office, unknown, 'It was not placed');
    await lea.type('Note', 'the console does not show it');
    await lea.submit('Settle');
    await rowsReach(office, batch, 'declined', 'completed', 'completed');
    expect(office.vendor.posts).toBe(3 + 1 + 3);
  });

  it('expires when nobody settles in time, and says for what it waited', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const [first] = await rowsReach(office, batch, 'unknown', 'approved');
    office.clock.advance(16 * 60_000);
    const [, second] = await rowsReach(office, batch, 'unknown', 'expired');
    expect(second?.why).toContain(`the outcome of ${first?.id} is unknown`);
    expect(office.vendor.posts).toBe(3);
  });

  it('waits for money when the balance is used up, and goes on when there is some', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    office.vendor.balance = '0';
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await dmWith(office, BUYER, 'Held back: the balance is used up');
    await rowsReach(office, batch, 'approved', 'approved');
    expect(office.vendor.posts).toBe(2);
    office.vendor.balance = '1000';
    office.clock.advance(61_000);
    await rowsReach(office, batch, 'completed', 'completed');
  });

  it('waits when the vendor refuses a row for want of money, until the balance is above what it was then', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'refuse', message: 'Insufficient balance' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const [first] = await rowsReach(office, batch, 'declined', 'approved');
    await dmWith(office, BUYER, `the vendor refused ${first?.id}, and the balance has not risen since`);
    office.clock.advance(61_000);
    await until(() => {
      office.clock.advance(SOON_MS);
      return office.lines.filter(({ fields }) => 'short' in fields).length > 1;
    });
    expect((await rowsOf(office, batch))[1]?.state).toBe('approved');
    office.vendor.balance = '5000';
    office.clock.advance(61_000);
    await rowsReach(office, batch, 'declined', 'completed');
  });

  it('waits while spending is frozen, and is sent when that ends', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'hold' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    await command(office, 'freeze an odd invoice', LEAD);
    await office.slack.as(LEAD).waitFor('Spending is frozen');
    office.vendor.release();
    await rowsReach(office, batch, 'completed', 'approved');
    await until(() => office.slack.as(LEAD).read(cardOn(office, batch.id)).includes('Spending is frozen'));
    await command(office, 'unfreeze', LEAD);
    await rowsReach(office, batch, 'completed', 'completed');
    expect(office.vendor.posts).toBe(4);
  });

  it('goes on where it was after a restart, each row once', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'hold' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    const stopped = office.bot.stop();
    office.vendor.release();
    await stopped;
    await office.restart();
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
    expect(office.vendor.orders.map(({ renewals }) => renewals)).toEqual([1, 1, 1]);
  });

  it('is withdrawn by the requester: what has not been sent is not sent', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'unknown', 'approved');
    await press(office, batch.id, 'Withdraw', BUYER);
    await rowsReach(office, batch, 'unknown', 'withdrawn');
    expect(office.vendor.posts).toBe(3);
  });
});
