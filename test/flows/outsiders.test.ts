import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, GUEST, LEAD, LEAD2, type Office, openOffice, STRANGER } from '../support/office.ts';
import {
  askFor,
  cardWith,
  command,
  decide,
  file,
  filed,
  hears,
  press,
  privately,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

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
