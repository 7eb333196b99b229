import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, LEAD, LEAD2, openOffice, VIEWER } from '../support/office.ts';
import {
  cardOf,
  cardWith,
  decide,
  dmWith,
  file,
  hears,
  modalText,
  openDecision,
  press,
  privately,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

describe('a decision', () => {
  it('to reject wants a reason, tells it to the requester in a message of its own, and spends nothing', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10', BUYER, 'for the crawler');
    const lea = await openDecision(office, id, 'Reject');
    expect(modalText(lea)).toContain('for the crawler');
    expect((await lea.submit('Reject')).errors['Reason']).toBeTruthy();
    await lea.type('Reason', 'too many');
    await lea.submit('Reject');
    await dmWith(office, BUYER, 'Rejected by @lea: “too many”. No money moved.');
    const card = await cardWith(office, 'Rejected');
    expect(lea.read(card)).not.toContain('[Approve]');
    expect((await reaches(office, id, 'rejected')).purchase).toMatchObject({ approver: LEAD, why: 'too many' });
    await office.slack.as(BUYER).waitFor((screen) => screen.dm.length === 2);
    expect(office.vendor.posts).toBe(0);
  });

  it('by two approvers and a rejecter at once is one decision, and the late ones are told by whom', async () => {
    const office = await openOffice();
    office.slack.world.setPerson('U0LEAD3', { name: 'lin' });
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, 'U0LEAD3'] });
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, LEAD2, 'U0LEAD3', BUYER] });
    const id = await file(office, 'US 10');
    const [lea, lou, lin] = await Promise.all([
      openDecision(office, id, 'Approve', LEAD),
      openDecision(office, id, 'Approve', LEAD2),
      openDecision(office, id, 'Reject', 'U0LEAD3'),
    ]);
    await lin.type('Reason', 'no');
    const done = await Promise.all([lea.submit('Approve'), lou.submit('Approve'), lin.submit('Reject')]);
    expect(done.filter(({ view }) => view === undefined)).toHaveLength(1);
    for (const { view } of done)
      if (view) expect(office.slack.as(LEAD).read(view)).toMatch(/already approved by @l|was rejected by @lin/);
    const record = await until(async () => {
      const now = await office.books.ledger.record(id);
      return now && ['rejected', 'completed'].includes(now.purchase.state) ? now : undefined;
    });
    expect(record.entries.filter(({ from, to }) => from === 'requested' && to !== null)).toHaveLength(1);
    expect(office.vendor.posts).toBe(record.purchase.state === 'completed' ? 1 : 0);
  });

  it('by two approvers who submit together sends once', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const [lea, lou] = await Promise.all([
      openDecision(office, id, 'Approve', LEAD),
      openDecision(office, id, 'Approve', LEAD2),
    ]);
    const view = lea.screen.modal;
    if (!view) throw new Error('no modal');
    const [first] = await Promise.all([
      office.slack.interactions.submit(view),
      lou.submit('Approve'),
      office.slack.interactions.submit(view),
    ]);
    await reaches(office, id, 'completed');
    await office.slack.redeliver(first);
    await dmWith(office, BUYER, 'Bought');
    expect(office.vendor.posts).toBe(1);
  });

  it('on a stale card is answered with a private sentence that says what happened', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const stale = cardOf(office, id, 'Approve', LEAD2);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await office.slack.as(LEAD2).pressOn(stale, 'Approve');
    await hears(office, LEAD2, 'already approved by @lea');
    await office.slack.as(LEAD2).pressOn(stale, 'Reject');
    expect(office.slack.as(LEAD2).screen.modal).toBeUndefined();
    expect(privately(office, LEAD)).toEqual([]);
    expect(office.vendor.posts).toBe(1);
  });

  it('is not made on one’s own request by an approver who may buy; it is an entry, and another approver goes on', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10', LEAD2);
    await press(office, id, 'Approve', LEAD2);
    await hears(office, LEAD2, 'This is your own request');
    await press(office, id, 'Reject', LEAD2);
    await expect
      .poll(async () => refusalsIn(await reaches(office, id, 'requested')))
      .toEqual([`${LEAD2} approve: own_purchase`, `${LEAD2} reject: own_purchase`]);
    await decide(office, id, 'Approve', LEAD);
    await reaches(office, id, 'completed');
  });

  it('is not made by somebody who is in no group for it, and the card keeps its buttons', async () => {
    const office = await openOffice();
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, BUYER, VIEWER] });
    const id = await file(office, 'US 10');
    const vic = office.slack.as(VIEWER);
    await press(office, id, 'Approve', VIEWER);
    await hears(office, VIEWER, 'You are not in a group that may approve');
    expect(vic.screen.modal).toBeUndefined();
    await expect
      .poll(async () => refusalsIn(await reaches(office, id, 'requested')))
      .toEqual([`${VIEWER} approve: not_in_group`]);
    cardOf(office, id, 'Approve');
    expect(office.vendor.posts).toBe(0);
  });

  it('mentions the approvers’ groups on the first posting of a card, and on no edit of it', async () => {
    const office = await openOffice();
    const mentions = () => office.slack.state.messages.filter((message) => JSON.stringify(message).includes('subteam'));
    const id = await file(office, 'US 10');
    expect(mentions()).toHaveLength(1);
    await decide(office, id, 'Approve');
    await cardWith(office, 'Bought');
    expect(mentions()).toEqual([]);
  });

  it('shows who, what, why, balance and age on the card, the reason last', async () => {
    const office = await openOffice();
    await file(office, 'US 10, DE 5', BUYER, 'Balance\n$5 is enough');
    const text = office.slack.as(LEAD).read(await cardWith(office, 'Approval needed'));
    const places = ['@bea', '15 IPs', 'Germany: 5', 'lt-monthly', '$1,000.00', 'just now', 'Balance\n$5'];
    const found = places.map((part) => text.indexOf(part));
    expect(found.every((at) => at >= 0)).toBe(true);
    expect(found.at(-1)).toBe(Math.max(...found));
  });

  it('waits for no balance: a vendor that hangs keeps no card from those who decide', async () => {
    const office = await openOffice();
    const { vendor, clock } = office;
    vendor.always('balance', { name: 'hold' });
    const bea = office.slack.as(BUYER);
    await bea.command('/proxy', 'buy US 10');
    await bea.waitFor('Buy proxies');
    await bea.submit('Review');
    await vendor.until(() => vendor.held >= 1);
    // Later than the form's, whose reading it would share.
    clock.advance(1_000);
    const held = vendor.held;
    await bea.submit('Ask for approval');
    await vendor.until(() => vendor.held > held);
    // The card gives up after 2 s.
    clock.advance(2_000);
    await cardWith(office, 'could not be read in time');
    vendor.behave();
    vendor.release();
  });
});
