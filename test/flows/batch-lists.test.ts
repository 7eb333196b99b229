import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { DAY, ending, goTo } from '../support/ending.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, type Office, openOffice, policyOf } from '../support/office.ts';
import { MONTHLY } from '../support/plan.ts';
import {
  asked,
  batches,
  cardOn,
  choose,
  filedBatch,
  officeWith,
  ownsOrders,
  rowsOf,
  rowsReach,
} from '../support/renewing.ts';
import {
  cardWith,
  command,
  delivered,
  dmWith,
  hears,
  modalText,
  openDecision,
  press,
  until,
} from '../support/steps.ts';

const OWN = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 50, renewals: false }` };

/** What `/proxy requests` answers. */
async function requests(office: Office, as: string, words = '') {
  const person = await command(office, `requests ${words}`.trim(), as);
  return person.waitFor((screen) =>
    screen.ephemerals.findLast((message) => /open\.|Your requests/.test(person.read(message))),
  );
}

const homeText = (office: Office, user: string) => {
  const person = office.slack.as(user);
  return person.screen.home ? person.read(person.screen.home) : '';
};

async function homeShows(office: Office, user: string, words: RegExp): Promise<string> {
  await office.slack.as(user).openHome();
  await until(() => words.test(homeText(office, user)), `${words} on the Home tab of ${user}`);
  return homeText(office, user);
}

describe('the rows of one batch are one entry', () => {
  it('of /proxy requests, which is decided from there', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    const lea = office.slack.as(LEAD);
    const list = await requests(office, LEAD);
    expect(lea.read(list)).toMatch(/1 request is open\.\nRenew 3 orders for @bea: 3 waiting for approval\n/);
    for (const { id } of batch.rows) expect(lea.read(list)).not.toContain(id);
    expect(lea.read(list).match(/\[Approve\]/g)).toHaveLength(1);
    const bob = office.slack.as(BUYER2);
    expect(bob.read(await requests(office, BUYER2))).not.toContain('[');
    await lea.pressOn(list, 'Approve');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
    await lea.pressOn(list, 'Approve');
    await hears(office, LEAD, 'already approved by @lea');
  });

  it('with what is unknown of it, which is settled from there, and what is held back', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const [row] = await rowsReach(office, batch, 'unknown', 'approved', 'approved');
    const lea = office.slack.as(LEAD);
    const list = await requests(office, LEAD);
    expect(lea.read(list)).toMatch(
      /Renew 3 orders for @bea: 1 unknown, 2 held back\nThe rest is held back: 2 orders wait until it is settled/,
    );
    expect(lea.read(list)).toContain(`Unknown: order ${orders[0]} (request ${row?.id})`);
    await lea.pressOn(list, 'It was not placed');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', 'not in the console');
    await lea.submit('Settle');
    await rowsReach(office, batch, 'declined', 'completed', 'completed');
  });

  it('of the Home tab: waiting, one’s own, and over; with its buttons, and none of its rows', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    await homeShows(office, LEAD, /Waiting for your decision\nRenew 3 orders for @bea.*\[Approve\] \[Reject\]/s);
    const own = await homeShows(office, BUYER, /Your requests\nRenew 3 orders for @bea.*\[Withdraw\]/s);
    for (const { id } of batch.rows) expect(own).not.toContain(id);
    const bea = office.slack.as(BUYER);
    await bea.close({ all: true });
    await bea.press('Withdraw', { in: 'home' });
    await rowsReach(office, batch, 'withdrawn', 'withdrawn', 'withdrawn');
    await until(() => /Recently\nRenew 3 orders for @bea: 3 withdrawn/.test(homeText(office, BUYER)));
    const over = homeText(office, BUYER);
    expect(over.match(/Renew 3 orders/g)).toHaveLength(1);
    const mine = await requests(office, BUYER, 'mine');
    expect(bea.read(mine)).toMatch(/Recently\nRenew 3 orders for @bea: 3 withdrawn/);
    await bea.pressOn(mine, 'Ask again');
    await bea.waitFor(/Renew several.*Balance: (?!reading)/s);
    for (const orderId of orders) expect(modalText(bea)).toContain(orderId);
    await bea.close({ all: true });
    expect(await batches(office)).toHaveLength(1);
  });
});

describe('Renew several on a reminder', () => {
  const END = Date.parse('2027-02-15T12:00Z');

  it('opens the choice with the orders of that reminder that nobody has renewed since', async () => {
    const office = await openOffice();
    office.slack.world.setPerson(BUYER, { timeZone: 'Etc/UTC' });
    goTo(office, Date.parse('2027-02-07T12:00Z'));
    const orders = await ownsOrders(office, 3, END);
    for (const id of orders) office.vendor.addOrder({ id, quantity: 2 });
    await ending(office, '2001', END + 40 * DAY);
    goTo(office, Date.parse('2027-02-08T09:00Z'));
    const message = await dmWith(office, BUYER, '3 of your orders end soon');
    const bea = office.slack.as(BUYER);
    await bea.pressOn(message, 'Renew several');
    await bea.waitFor(/Renew several.*Balance: (?!reading)/s);
    for (const orderId of orders) expect(modalText(bea)).toContain(`${orderId} · US 2`);
    expect(modalText(bea)).not.toContain('2001');
    await bea.type('Reason', 'another month');
    await bea.submit('Review');
    const batch = await filedBatch(office, bea, 'Ask for approval');
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
    await dmWith(office, BUYER, 'Renewed by @bea');
    await bea.close({ all: true });
    // The message as it was.
    await bea.pressOn(message, 'Renew several');
    await bea.waitFor('renewed, let end or handed over since');
    expect(modalText(bea)).not.toContain('1001');
  });

  it('is refused for whoever may not renew, and on a message that tells of no ends', async () => {
    const office = await openOffice();
    for (const user of [BUYER, LEAD]) office.slack.world.setPerson(user, { timeZone: 'Etc/UTC' });
    goTo(office, Date.parse('2027-02-07T12:00Z'));
    await ending(office, '1001', END, { owner: null });
    await ending(office, '1002', END, { owner: null });
    goTo(office, Date.parse('2027-02-08T09:00Z'));
    const message = await cardWith(office, '[Renew several]');
    await office.slack.as(LEAD).pressOn(message, 'Renew several');
    await hears(office, LEAD, 'You are not in a group that may renew orders');
    expect(office.slack.as(LEAD).screen.modal ?? null).toBeNull();
  });
});

describe('what is odd about a row', () => {
  it('renewed already in the last 24 hours: wants a tick for just what was shown, and stands on the card', async () => {
    const { office, orders } = await officeWith(2, OWN);
    const [first = '', second = ''] = orders;
    const before = await filedBatch(office, await reviewed(office, [first]), 'Renew now');
    await rowsReach(office, before, 'completed');
    office.clock.advance(2 * 60 * 60_000);
    office.bot.usePolicy(policyOf());
    const bea = await reviewed(office, orders);
    expect(modalText(bea)).toMatch(/Renewed already: 2 h ago, by @bea/);
    expect(modalText(bea)).toContain(
      '1 order of these was renewed in the last 24 hours, and would be paid a second time',
    );
    expect((await bea.submit('Ask for approval')).sent).toBe(false);
    await bea.tick('This is a new, separate purchase');
    // Meanwhile somebody else renews the other.
    const bob = await reviewed(office, [second], BUYER2);
    const other = await filedBatch(office, bob, 'Ask for approval');
    await (await openDecision(office, other.id, 'Approve')).submit('Approve');
    await rowsReach(office, other, 'completed');
    const german = { kind: 'renew', productId: MONTHLY.productId, basket: [{ country: 'DE', quantity: 1 }] } as const;
    await until(async () => (await office.books.account.estimates([german]))[0], 'what the other has cost');
    await bea.submit('Ask for approval');
    expect(modalText(bea)).toContain('Nothing was filed');
    expect(modalText(bea)).toContain('2 orders of these were renewed in the last 24 hours');
    expect(await batches(office)).toHaveLength(2);
    // The tick was for the one order.
    expect((await bea.submit('Ask for approval')).sent).toBe(false);
    await bea.tick('This is a new, separate purchase');
    const batch = await filedBatch(office, bea, 'Ask for approval');
    const card = office.slack.as(LEAD).read(await cardWith(office, batch.id));
    expect(card).toMatch(/1\. Order \d+ · 1 IP \(US 1\) · about \$3\.20\n⚠️ Renewed already 2 h ago/);
    expect(card).toMatch(/2\. Order \d+ · 1 IP \(DE 1\) · about \$3\.20\n⚠️ Renewed already just now/);
    const lea = await openDecision(office, batch.id, 'Approve');
    expect(modalText(lea).match(/Renewed already/g)).toHaveLength(2);
  });

  it('another plan than last paid, since somebody has renewed it on another meanwhile', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    const yearly = { ...MONTHLY, productId: 'lt-yearly', name: 'Yearly' };
    const [first] = orders;
    await renewedElsewhere(office, first as OrderId, yearly);
    await cardWith(office, 'Another plan than last paid');
    const lea = await openDecision(office, batch.id, 'Approve');
    expect(modalText(lea)).toContain('Another plan: last paid was Yearly, this pays for Static residential, monthly');
  });

  /** As it was filed before this batch, and settled only now. */
  async function renewedElsewhere({ books }: Office, orderId: OrderId, plan: typeof MONTHLY): Promise<void> {
    const now = await books.ledger.now();
    const priced = { kind: 'renew', productId: plan.productId, basket: [] } as const;
    const about = { requesterIds: [BUYER2], orderId, priced, dollars: null };
    const subject = { submission: 'elsewhere', contentKey: 'elsewhere', ...about };
    await books.ledger.file(subject, () => ({
      result: null,
      file: {
        id: 'P-ELSEWHERE',
        kind: 'renew',
        state: 'approved',
        requester: BUYER2,
        requesterPerson: BUYER2,
        filedBy: BUYER2,
        evidence: {},
        plan,
        basket: [],
        quantity: null,
        orderId,
        reason: 'r',
        submission: 'elsewhere',
        contentKey: 'elsewhere',
        batch: null,
        needsApproval: false,
        createdAt: now,
        expiresAt: now,
        sendBy: now,
        why: null,
        notices: [],
      },
    }));
    await books.ledger.change('P-ELSEWHERE', () => ({ result: null, by: BUYER2, to: 'unknown' }));
    await books.ledger.change('P-ELSEWHERE', () => ({ result: null, by: LEAD, to: 'completed' }));
  }
});

describe('a batch at its end', () => {
  it('whose rest expired while it was held back says so on card, receipt, news and list, with what to do', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const [row] = await rowsReach(office, batch, 'unknown', 'approved', 'approved');
    office.clock.advance(16 * 60_000);
    await rowsReach(office, batch, 'unknown', 'expired', 'expired');
    await delivered(office);
    const says = new RegExp(
      `2 orders approved and not sent in time: the outcome of ${row?.id} is unknown\\. No money moved for that\\. Whoever asked can renew it with Ask again`,
    );
    const bea = office.slack.as(BUYER);
    expect(office.slack.as(LEAD).read(cardOn(office, batch.id))).toMatch(says);
    expect(bea.read(await dmWith(office, BUYER, '[Ask again]'))).toMatch(says);
    expect(office.slack.as(LEAD).read(await requests(office, LEAD))).toMatch(says);
    // The rest does not have to wait for the one that is unknown.
    await bea.close({ all: true });
    await press(office, batch.id, 'Ask again', BUYER);
    await bea.waitFor(/Renew several.*Balance: (?!reading)/s);
    await bea.submit('Review');
    const again = await filedBatch(office, bea, 'Ask for approval');
    await (await openDecision(office, again.id, 'Approve')).submit('Approve');
    await rowsReach(office, again, 'completed', 'completed');
    const lea = await openDecision(office, row?.id ?? '', 'It was placed');
    await lea.type('Note', 'seen in the console');
    await lea.submit('Settle');
    await rowsReach(office, batch, 'completed', 'expired', 'expired');
    await dmWith(office, BUYER, 'it is settled since');
    expect(office.vendor.posts).toBe(3 + 1 + 2);
  });

  it('that the ledger has forgotten but for one row: nothing is filed a second time, and the person is told', async () => {
    const { office, orders } = await officeWith(2);
    const bea = await reviewed(office, orders);
    const [draft] = await office.books.database.read((sql) =>
      sql.all(`SELECT id FROM drafts WHERE content LIKE '%renew_many%'`),
    );
    const [bought] = await office.records();
    const [first = ''] = orders;
    if (!draft || !bought) throw new Error('nothing was bought');
    const lost: Purchase = {
      ...bought.purchase,
      id: 'P-LOST',
      kind: 'renew',
      state: 'approved',
      submission: `${draft['id']}:${first}`,
      attempt: null,
      contentKey: JSON.stringify(['renew', first]),
      orderId: first as OrderId,
      batch: { id: 'B-LOST', place: 0 },
    };
    await office.books.ledger.change(
      'P-LOST',
      () => ({ result: null, by: 'desk', to: 'unknown', set: { why: 'the ledger had forgotten that it was sent' } }),
      { lost },
    );
    const { delivery } = await bea.submit('Ask for approval');
    expect(delivery?.failure).toBeNull();
    expect(modalText(bea)).toContain('Nothing was filed');
    expect(modalText(bea)).toMatch(
      new RegExp(`Order ${first}.*filed by this very form before, as request P-LOST, and its outcome is unknown`, 's'),
    );
    expect(bea.screen.modal?.submit).toBeNull();
    expect(await batches(office)).toEqual([]);
    expect(await office.records()).toHaveLength(3);
    expect(office.vendor.posts).toBe(2);
  });
});

describe('two processes and a batch', () => {
  it('one submit that both get is one batch, with one card that both edit, and one POST a row', async () => {
    const { office, orders } = await officeWith(3, { transport: 'http' });
    const bea = await reviewed(office, orders);
    const second = await office.another();
    const first = office.bot;
    const to = (port: number) => office.slack.deliverTo(`http://127.0.0.1:${port}/slack/events`);
    to(first.port);
    const { delivery } = await bea.submit('Ask for approval');
    if (!delivery) throw new Error('nothing was delivered');
    const again = office.slack.redeliver(delivery);
    to(second.port);
    await Promise.all([again, office.slack.redeliver(delivery), office.slack.redeliver(delivery)]);
    const [batch, ...others] = await batches(office);
    if (!batch) throw new Error('nothing was filed');
    expect(others).toEqual([]);
    await cardWith(office, batch.id);
    const lea = await openDecision(office, batch.id, 'Approve');
    const approval = (await lea.submit('Approve')).delivery;
    to(first.port);
    if (approval) await office.slack.redeliver(approval);
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
    await delivered(office);
    expect(office.vendor.orders.map(({ renewals }) => renewals)).toEqual([1, 1, 1]);
    expect(office.vendor.posts).toBe(6);
    const cards = office.slack.as(LEAD).screen.channels['approvals'] ?? [];
    expect(cards.filter((card) => office.slack.as(LEAD).read(card).includes(batch.id))).toHaveLength(1);
    expect(office.slack.as(LEAD).read(cardOn(office, batch.id))).toContain('3 completed');
    expect((await rowsOf(office, batch)).every(({ approver }) => approver === LEAD)).toBe(true);
  });
});

/** The choice, up to its review. */
async function reviewed(office: Office, orders: readonly string[], as = BUYER) {
  const person = await choose(office, orders, as);
  await person.submit('Review');
  return person;
}
