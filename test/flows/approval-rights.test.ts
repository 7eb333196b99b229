import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, GUEST, LEAD, LEAD2, type Office, openOffice, STRANGER } from './office.ts';
import {
  askFor,
  cardWith,
  command,
  decide,
  dmWith,
  file,
  filed,
  hears,
  logged,
  modalText,
  openDecision,
  press,
  privately,
  reaches,
  refusalsIn,
  until,
} from './steps.ts';

describe('rights, asked of Slack at every click that matters', () => {
  it('are asked afresh at the submit: an approver who was removed after the click decides nothing', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    // Without Slack's event: only what is asked anew can know it.
    office.slack.settings.events.splice(0);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD2] });
    await lea.submit('Approve');
    expect(modalText(lea)).toContain('You are not in a group that may approve');
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${LEAD} approve: not_in_group`]);
    expect(office.vendor.posts).toBe(0);
  });

  it('are asked afresh at filing: a buyer who was removed while the review was open files nothing', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 3');
    office.slack.settings.events.splice(0);
    await office.slack.world.setGroup('S0BUYERS', { members: [LEAD2] });
    await bea.submit('Buy now');
    expect(modalText(bea)).toContain('You are not in a group that may buy');
    expect(await office.records()).toEqual([]);
  });

  it.each([
    ['the requester', 'S0BUYERS', 'the requester no longer has the right to buy'],
    ['the approver', 'S0LEADS', 'the approver no longer has the right to approve'],
  ])(
    'are asked again just before sending: without those of %s nothing is sent, and both are told why',
    async (_, group, why) => {
      const office = await openOffice();
      await command(office, 'freeze checking', LEAD2);
      await cardWith(office, 'Spending was frozen');
      const id = await file(office, 'US 10');
      await decide(office, id, 'Approve');
      await reaches(office, id, 'approved');
      await office.slack.world.setGroup(group, { members: [LEAD2] });
      await command(office, 'unfreeze', LEAD2);
      const { purchase } = await reaches(office, id, 'declined');
      expect(purchase).toMatchObject({ declinedHow: 'not_sent', why });
      await dmWith(office, BUYER, `nothing was sent, so no money moved: ${why}`);
      await cardWith(office, why);
      expect(office.vendor.posts).toBe(0);
    },
  );

  it('end with the account: nothing is sent for somebody who has left, and the approvers are told instead', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    office.slack.world.setPerson(BUYER, { deleted: true });
    await lea.submit('Approve');
    expect((await reaches(office, id, 'declined')).purchase.declinedHow).toBe('not_sent');
    await lea.waitFor((screen) => screen.channels['approvals']?.length === 2);
    expect(office.vendor.posts).toBe(0);
  });

  it('that cannot be read mean no, said privately with the seconds to wait, and nothing changes', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    office.slack.faults.add('usergroups.users.list', { kind: 'rate_limit', retryAfter: 60 });
    await lea.submit('Approve');
    expect(modalText(lea)).toMatch(/could not be checked.*Try again in 60 seconds/s);
    // No further call while Slack said to wait, and the same answer for everybody.
    const calls = office.slack.callsTo('usergroups.users.list').length;
    const lou = await openDecision(office, id, 'Reject', LEAD2);
    await lou.type('Reason', 'no');
    await lou.submit('Reject');
    expect(modalText(lou)).toMatch(/could not be checked.*Try again in (60|59) seconds/s);
    expect(office.slack.callsTo('usergroups.users.list')).toHaveLength(calls);
    expect(refusalsIn(await reaches(office, id, 'requested'))).toHaveLength(2);

    office.clock.advance(60_000);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
  });

  it.each([
    ['is down', { kind: 'status', status: 503 }],
    ['answers with an error', { kind: 'error', code: 'internal_error' }],
    ['lacks the scope', { kind: 'error', code: 'missing_scope' }],
    ['wants another plan', { kind: 'error', code: 'plan_upgrade_required' }],
    ['drops the line', { kind: 'reset', when: 'before' }],
    ['hangs', { kind: 'hang', when: 'before' }],
  ] as const)('mean no also when Slack %s', async (_, fault) => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const rule = office.slack.faults.add('usergroups.users.list', fault, { times: Infinity });
    const submitted = lea.submit('Approve');
    await until(() => rule.hits > 0);
    if (fault.kind === 'hang') office.clock.advance(2_000);
    await submitted;
    expect(modalText(lea)).toMatch(/could not be checked.*Try again in \d+ second/s);
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${LEAD} approve: rights_unreadable`]);
    expect(office.vendor.posts).toBe(0);
  });

  it('that cannot be read just before sending make the lane wait as long as Slack says, and then go on', async () => {
    const office = await openOffice();
    await command(office, 'freeze checking', LEAD);
    await cardWith(office, 'Spending was frozen');
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    // Not while unfreezing, which asks for rights itself.
    const asksForBuyers = ({ args }: { args: Record<string, unknown> }) => args['usergroup'] === 'S0BUYERS';
    office.slack.faults.add('usergroups.users.list', { kind: 'rate_limit', retryAfter: 60 }, { only: asksForBuyers });
    await command(office, 'unfreeze', LEAD);
    await logged(office, 'rights unreadable: the lane waits');
    await reaches(office, id, 'approved');
    expect(office.vendor.posts).toBe(0);
    office.clock.advance(60_000);
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('that stay unreadable let it expire, never guess', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const buyers = ({ args }: { args: Record<string, unknown> }) => args['usergroup'] === 'S0BUYERS';
    office.slack.faults.add(
      'usergroups.users.list',
      { kind: 'status', status: 500 },
      { times: Infinity, only: buyers },
    );
    await lea.submit('Approve');
    await logged(office, 'rights unreadable: the lane waits');
    office.clock.advance(15 * 60 * 1000);
    await dmWith(office, BUYER, 'could not be sent in time');
    await reaches(office, id, 'expired');
    expect(office.vendor.posts).toBe(0);
  });
});

describe('people from elsewhere', () => {
  it.each([
    ['a guest', { isRestricted: true }, 'Guests cannot'],
    ['a single-channel guest', { isUltraRestricted: true }, 'Guests cannot'],
    ['a bot', { isBot: true }, 'Bots cannot'],
    ['somebody of another team', { teamId: 'T0OTHER' }, 'People of other organisations cannot'],
    ['a stranger of Slack Connect', { isStranger: true }, 'People of other organisations cannot'],
    ['somebody deactivated', { deleted: true }, 'is deactivated'],
  ])('are refused everywhere, whatever group lists them: %s', async (_, change, said) => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const view = await clickOf(office, id);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, STRANGER] });
    await office.slack.world.setGroup('S0BUYERS', { members: [BUYER, STRANGER] });
    office.slack.world.setPerson(STRANGER, change);
    office.slack.world.setChannel(CHANNEL, { shared: true, members: [LEAD, BUYER, STRANGER] });
    const user = { id: STRANGER, team_id: 'T0OTHER' };
    await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user: STRANGER, body: { ...view, user } });
    for (const text of ['balance', 'buy US 1', 'renew 5', 'requests', 'orders', 'freeze now'])
      await office.slack.deliver({
        kind: 'slash_commands',
        type: 'command',
        user: STRANGER,
        body: { ...commandBody(office), text, team_id: 'T0OTHER', user_id: STRANGER },
      });
    // Their own channel of answers: what is said to them names no amount, order or person.
    await until(() => office.slack.callsTo('response_url').length >= 7);
    const heard = office.slack.callsTo('response_url').map(({ rawBody }) => rawBody);
    expect(heard.filter((body) => body.includes(said))).toHaveLength(7);
    expect(heard.join()).not.toMatch(/\$\d|US 10|bea/);
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${STRANGER} approve: barred`]);
    expect(await office.books.ledger.freeze()).toBeNull();
    expect(office.vendor.posts).toBe(0);
  });

  it('do not keep members of a shared channel from their work', async () => {
    const office = await openOffice();
    office.slack.world.setChannel(CHANNEL, { shared: true });
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
  });

  it('are refused as guests also when a group of buyers lists them', async () => {
    const office = await openOffice();
    await command(office, 'buy US 1', GUEST);
    await hears(office, GUEST, 'Guests cannot use Proxy Desk');
    expect(privately(office, GUEST)).toHaveLength(1);
  });

  it('are known by their other id: nobody approves or settles as W… what they asked for as U…', async () => {
    const office = await openOffice();
    office.slack.world.setPerson(LEAD2, { enterpriseUserId: 'W0LOU' });
    office.slack.world.setPerson('W0LOU', { name: 'lou-org', enterpriseUserId: 'W0LOU' });
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, 'W0LOU'] });
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, 'W0LOU'] });
    const bea = await askFor(office, 'US 10', LEAD2);
    const id = await filed(office, bea, 'Ask for approval');
    await press(office, id, 'Approve', 'W0LOU');
    await hears(office, 'W0LOU', 'your own request');
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual(['W0LOU approve: own_purchase']);
    office.vendor.next('create', { name: 'reset_before_answer' });
    await decide(office, id, 'Approve');
    await cardWith(office, 'It was placed');
    await press(office, id, 'It was placed', 'W0LOU');
    await until(() => privately(office, 'W0LOU').filter((text) => text.includes('your own request')).length === 2);
    await reaches(office, id, 'unknown');
  });
});

/** A click on Approve as Slack delivers it, not delivered. */
async function clickOf(office: Office, id: string) {
  const delivery = await press(office, id, 'Approve', LEAD);
  const [action] = delivery.body['actions'] as [object];
  return { ...delivery.body, actions: [{ ...action, value: id }], response_url: responseUrl(office) };
}

function commandBody(office: Office) {
  const [known] = office.slack.deliveries.filter(({ type }) => type === 'command');
  return { ...known?.body, response_url: responseUrl(office) };
}

/** An address of Slack's that takes what is said to somebody who has none of their own, as often as it is said. */
function responseUrl({ slack }: Office): string {
  slack.state.responseUrls['elsewhere'] = {
    id: 'elsewhere',
    user: STRANGER,
    channel: CHANNEL,
    at: Date.now(),
    uses: -10,
    messageTs: null,
  };
  return `${slack.origin}/response/elsewhere`;
}
