import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, openOffice } from '../support/office.ts';
import {
  askFor,
  cardOf,
  cardWith,
  decide,
  dmWith,
  faultGroups,
  file,
  filed,
  hears,
  modalText,
  openDecision,
  press,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;

describe('withdrawing', () => {
  it('ends a request by its requester, and the card loses its buttons', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
    await lea.submit('Approve');
    expect(modalText(lea)).toContain('was withdrawn by @bea');
    expect(lea.read(await cardWith(office, 'Withdrawn'))).not.toContain('[Approve]');
    await dmWith(office, BUYER, 'Withdrawn');
    expect(office.vendor.posts).toBe(0);
    // What is withdrawn may be asked for again.
    await file(office, 'US 10', BUYER2);
  });

  it('works until sending starts, and says when it is too late', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'empty' });
    const id = await file(office, 'US 10');
    const stale = cardOf(office, id, 'Withdraw', BUYER);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    await dmWith(office, BUYER, 'Approved');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');

    office.vendor.behave();
    office.vendor.next('create', { name: 'hold' });
    const other = await file(office, 'DE 10');
    const late = cardOf(office, other, 'Withdraw', BUYER);
    await decide(office, other, 'Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    await office.slack.as(BUYER).pressOn(late, 'Withdraw');
    await hears(office, BUYER, 'It is being sent to the vendor now');
    office.vendor.release();
    await reaches(office, other, 'completed');
    await office.slack.as(BUYER).pressOn(stale, 'Withdraw');
    await hears(office, BUYER, 'was withdrawn by @bea');
    expect(office.vendor.posts).toBe(1);
  });

  it('and approving at once have one winner, and money leaves only if that was the approval', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await Promise.all([press(office, id, 'Withdraw', BUYER), lea.submit('Approve')]);
    const { purchase, entries } = await until(async () => {
      const record = await office.books.ledger.record(id);
      return record && ['withdrawn', 'completed'].includes(record.purchase.state) ? record : undefined;
    });
    const sent = entries.filter(({ to }) => to === 'sending').length;
    expect(sent).toBe(purchase.state === 'completed' ? 1 : 0);
    expect(office.vendor.posts).toBe(sent);
  });

  it('is refused to everybody else, as an entry', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const { body } = await pressed(office, id);
    for (const user of [BUYER2, LEAD]) {
      const forged = { ...body, user: { id: user, team_id: 'T0TEAM' } };
      await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user, body: forged });
    }
    // Each is answered before it is written down: the second may be written first.
    await expect
      .poll(async () => refusalsIn(await reaches(office, id, 'requested')).toSorted())
      .toEqual([`${BUYER2} withdraw: not_requester`, `${LEAD} withdraw: not_requester`]);
  });

  it('needs no rights, so that somebody who lost them can still take a request back', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await office.slack.world.setGroup('S0BUYERS', { members: [] });
    faultGroups(office, { kind: 'error', code: 'fatal_error' });
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
  });
});

describe('expiry', () => {
  it('closes a request that nobody decided, without a click, and says so to the requester', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const stale = cardOf(office, id, 'Approve');
    office.clock.advance(24 * HOUR - 5_000);
    expect((await office.books.ledger.record(id))?.purchase.state).toBe('requested');
    const lea = await openDecision(office, id, 'Approve');
    office.clock.advance(6_000);
    await dmWith(office, BUYER, 'The request has expired');
    expect(lea.read(await cardWith(office, 'has expired'))).not.toContain('[Approve]');
    await lea.submit('Approve');
    expect(modalText(lea)).toContain('has expired');
    await lea.close({ all: true });
    await lea.pressOn(stale, 'Reject');
    await hears(office, LEAD, 'has expired');
    expect((await reaches(office, id, 'expired')).purchase.approver).toBeNull();
    expect(office.vendor.posts).toBe(0);
  });

  it('counts at the click itself, before any sweep has come by', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, expire_after: 4s }` });
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    // The submission races with the sweep: whichever is first, nothing is approved.
    office.clock.advance(4_000);
    await lea.submit('Approve');
    expect(modalText(lea)).toContain('has expired');
    await reaches(office, id, 'expired');
    expect(office.vendor.posts).toBe(0);
  });

  it('closes what was approved and could not be sent for 15 minutes, and says why', async () => {
    const office = await openOffice();
    await office.slack.as(LEAD).command('/proxy', 'freeze looking at an invoice');
    await cardWith(office, 'Spending was frozen by @lea');
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    office.clock.advance(15 * 60 * 1000);
    await dmWith(office, BUYER, 'spending stayed frozen until it was too old');
    await office.slack.as(LEAD).command('/proxy', 'unfreeze');
    await cardWith(office, 'no longer frozen');
    expect((await reaches(office, id, 'expired')).purchase.approver).toBe(LEAD);
    expect(office.vendor.posts).toBe(0);
  });

  it('is worked off after a stop that lasted past the deadline', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await office.bot.stop();
    office.clock.advance(25 * HOUR);
    await office.restart();
    await reaches(office, id, 'expired');
    await dmWith(office, BUYER, 'expired');
    const bea = await askFor(office, 'US 10');
    await filed(office, bea, 'Ask for approval');
  });
});

/** The requester's own click on Withdraw, as Slack would deliver it, without delivering it. */
async function pressed(office: Awaited<ReturnType<typeof openOffice>>, id: string) {
  const message = cardOf(office, id, 'Withdraw', BUYER);
  const other = await file(office, 'FR 9', BUYER);
  const delivery = await press(office, other, 'Withdraw', BUYER);
  const [action] = delivery.body['actions'] as [object];
  return {
    body: {
      ...delivery.body,
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
      message: { ts: message.ts },
      channel: { id: message.channel, name: 'directmessage' },
      actions: [{ ...action, value: id }],
    },
  };
}
