import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, LEAD, openOffice } from '../support/office.ts';
import {
  approved,
  buyNow,
  cardOf,
  cardWith,
  decide,
  delivered,
  dmWith,
  file,
  press,
  reaches,
} from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;

describe('a message that is deleted while it waits for somebody is posted anew within about an hour', () => {
  it('the card of a request, with its buttons', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    office.slack.world.deleteMessage(cardOf(office, id, 'Approve'));
    office.clock.advance(HOUR + 60_000);
    await cardWith(office, '[Approve]');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await cardWith(office, 'Bought');
    expect(office.vendor.posts).toBe(1);
  });

  it('the card of an unknown outcome', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'reset_before_answer' });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    await cardWith(office, '[It was placed]');
    await delivered(office);
    office.slack.world.expireMessages(CHANNEL);
    office.clock.advance(HOUR + 60_000);
    await cardWith(office, '[It was placed]');
    await press(office, purchase.id, 'It was not placed', LEAD);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', 'not in the console');
    await lea.submit('Settle');
    await reaches(office, purchase.id, 'declined');
  });

  it('that of the requester, on which Withdraw stands', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    const bea = office.slack.as(BUYER);
    office.slack.world.deleteMessage(await dmWith(office, BUYER, '[Withdraw]'));
    office.clock.advance(HOUR + 60_000);
    await dmWith(office, BUYER, '[Withdraw]');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
    await dmWith(office, BUYER, 'Withdrawn');
    expect(bea.screen.dm).toHaveLength(1);
  });

  it('at once where something changes that it shows', async () => {
    const office = await openOffice();
    const id = await buyNow(office, 'US 5');
    await reaches(office, id, 'completed');
    const receipt = await dmWith(office, BUYER, '[Show the answer]');
    office.slack.world.deleteMessage(receipt);
    office.clock.advance(10_000);
    await dmWith(office, BUYER, '[Show the answer]');
  });

  it('and not where nobody waits for it any more', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    await decide(office, id, 'Reject');
    await cardWith(office, 'Rejected');
    office.slack.world.expireMessages(CHANNEL);
    office.clock.advance(3 * HOUR);
    await office.restart();
    office.clock.advance(3 * HOUR);
    await delivered(office);
    expect(office.slack.as(LEAD).screen.channels['approvals']).toEqual([]);
  });
});

describe('a card that waits is drawn again each hour', () => {
  it('with its age, and without ringing for anybody', async () => {
    const office = await openOffice();
    await file(office, 'US 10');
    await delivered(office);
    office.clock.advance(2 * HOUR);
    await cardWith(office, '2 h ago');
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
    const edits = office.slack.callsTo('chat.update').filter(({ args }) => args['channel'] === CHANNEL);
    expect(edits).toHaveLength(1);
    expect(JSON.stringify(edits)).not.toContain('subteam');
  });
});

describe('a channel of direct messages that is gone', () => {
  it('is opened anew, once, for what is to be told', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    delete office.slack.state.directs[BUYER];
    await decide(office, id, 'Reject');
    await dmWith(office, BUYER, 'Rejected');
    expect(office.slack.callsTo('conversations.open')).toHaveLength(2);
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
  });

  it('and where Slack does not know the new one either, it waits as for anything that somebody has to mend', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    const direct = ({ args }: { args: Record<string, unknown> }) => args['channel'] !== CHANNEL;
    const refusing = office.slack.faults.add(
      'chat.postMessage',
      { kind: 'error', code: 'channel_not_found' },
      { times: Infinity, only: direct },
    );
    await decide(office, id, 'Reject');
    // To the approvers, who can pass it on.
    await cardWith(office, 'Rejected');
    await office.slack.as(LEAD).waitFor((screen) => screen.channels['approvals']?.length === 2);
    expect(refusing.hits).toBe(2);
    office.slack.faults.clear();
    office.clock.advance(60_000);
    await dmWith(office, BUYER, 'Rejected by');
  });
});
