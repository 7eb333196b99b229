import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import {
  approved,
  buyNow,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  file,
  openDecision,
  press,
  reaches,
} from '../support/steps.ts';

/** Slack's address of a message. */
function addressOf({ channel, ts }: { readonly channel: string; readonly ts: string }): string {
  return `https://example.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
}

/** The requester's direct messages, as they read. */
function toldTo(office: Office, user: string): readonly string[] {
  const person = office.slack.as(user);
  return person.screen.dm.map((message) => person.read(message));
}

describe('the requester has one message with the facts, and a line that rings the bell', () => {
  it('for a completed purchase, linked', async () => {
    const office = await openOffice();
    const { purchase } = await approved(office, 'US 10', 'completed');
    await dmWith(office, BUYER, 'all about it');
    await dmWith(office, BUYER, '[Show the answer]');
    await delivered(office);
    const [facts = '', news = '', ...more] = toldTo(office, BUYER);
    expect(more).toEqual([]);
    for (const words of [
      'Bought',
      'United States',
      'Approved by @lea',
      'Balance $1,000.00 →',
      'Order 9',
      'Fetch the proxies',
    ])
      expect(facts).toContain(words);
    expect(news).toContain('Bought');
    expect(news).toContain(purchase.id);
    expect(news.split('\n')).toHaveLength(2);
    expect(news).not.toContain('[');
    const [first, second] = office.slack.as(BUYER).screen.dm;
    expect(first && JSON.stringify(second?.blocks)).toContain(`<${first && addressOf(first)}|all about it>`);
  });

  it.each(['Reject', 'expiry'])('for a request that nothing becomes of (%s)', async (how) => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    if (how === 'Reject') await decide(office, id, 'Reject', LEAD, 'not now');
    else office.clock.advance(25 * 60 * 60 * 1000);
    await reaches(office, id, how === 'Reject' ? 'rejected' : 'expired');
    await dmWith(office, BUYER, 'all about it');
    await delivered(office);
    const [facts = '', news = '', ...more] = toldTo(office, BUYER);
    expect(more).toEqual([]);
    const [told, rung] =
      how === 'Reject' ? ['Rejected by @lea', 'was rejected by @lea'] : ['has expired', 'has expired'];
    expect(facts).toContain(told);
    expect(news).toContain(rung);
    expect(facts).toContain('Reason: scraping the catalogue');
    expect(news).not.toContain('Reason:');
  });
});

describe('an unknown outcome is one card', () => {
  it('with the evidence and the buttons, to which everything else links', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'reset_before_answer' });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    await cardWith(office, '[It was placed]');
    await delivered(office);
    const card = await cardWith(office, '[It was placed]');
    const lea = office.slack.as(LEAD);
    const [request, ...others] = lea.screen.channels['approvals'] ?? [];
    expect(others.map(({ ts }) => ts)).toEqual([card.ts]);
    expect(request && lea.read(request)).not.toContain('Balance $');
    expect(lea.read(card)).toContain('Balance $');
    const [facts, news] = office.slack.as(BUYER).screen.dm;
    for (const message of [request, facts]) expect(JSON.stringify(message?.blocks)).toContain(addressOf(card));
    expect(news && office.slack.as(BUYER).read(news)).toContain('Outcome unknown');

    // Settled: still one card that has it all.
    await openDecision(office, purchase.id, 'It was placed');
    await lea.type('Note', 'seen in the console');
    await lea.submit('Settle');
    await reaches(office, purchase.id, 'completed');
    await cardWith(office, 'it is settled');
    await delivered(office);
    const [after, settled, ...more] = (lea.screen.channels['approvals'] ?? []).map((message) => lea.read(message));
    expect(more).toEqual([]);
    expect(after).toMatch(/Bought.*Settled as placed by @lea/s);
    expect(after).not.toContain('Balance $');
    expect(settled).toContain('Balance $');
    expect(toldTo(office, BUYER)).toHaveLength(3);
  });

  it('named by its channel where Slack tells no address', async () => {
    const office = await openOffice();
    office.slack.state.team.domain = 'not an address';
    await office.restart();
    office.vendor.next('create', { name: 'reset_before_answer' });
    await approved(office, 'US 10', 'unknown');
    await dmWith(office, BUYER, 'the card of its unknown outcome in #approvals');
  });

  it('and approvers get it by direct message where there is no channel', async () => {
    const office = await openOffice({ approvals: 'approvals: off' });
    office.vendor.next('create', { name: 'reset_before_answer' });
    await buyNow(office, 'US 10');
    await dmWith(office, BUYER, 'the card that each approver has by direct message');
  });
});

describe('after a 401 the requester’s message says that spending is frozen', () => {
  it('where the vendor refuses the order', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'refuse', code: 401, status: 401, message: 'token expired' });
    await approved(office, 'US 10', 'declined');
    await dmWith(office, BUYER, 'all about it');
    await delivered(office);
    expect(toldTo(office, BUYER)).toHaveLength(2);
    for (const text of toldTo(office, BUYER)) expect(text).toContain('Spending was frozen');
  });

  it('where nothing was sent, until it is unfrozen', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    office.vendor.next('balance', { name: 'refuse', code: 401, status: 401, message: 'token expired' });
    await command(office, 'balance', LEAD);
    await dmWith(office, BUYER, 'Spending is frozen by Proxy Desk itself');
    await cardWith(office, 'Spending is frozen by Proxy Desk itself');
    await command(office, 'unfreeze', LEAD);
    const bea = office.slack.as(BUYER);
    await bea.waitFor((screen) => !screen.dm.some((message) => bea.read(message).includes('Spending is frozen')));
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
  });
});
