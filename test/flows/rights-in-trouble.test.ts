import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, VIEWER } from '../support/office.ts';
import { askFor, command, faultGroups, filed, hears, modalText, openForm, reaches, until } from '../support/steps.ts';

const ofGroup =
  (group: string) =>
  ({ args }: { args: Record<string, unknown> }) =>
    args['usergroup'] === group;
const ofPerson =
  (user: string) =>
  ({ args }: { args: Record<string, unknown> }) =>
    args['user'] === user;
const ALWAYS = { times: Infinity };

describe('rights that hang at the submit of a review', () => {
  it('cost the person an answer in time and nothing else: not filed, and the same form files later', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    // Nothing is known of anybody any more.
    office.clock.advance(61_000);
    const hang = faultGroups(office, { kind: 'hang', when: 'before' });
    // The two seconds that a look at rights may take pass at once; one of Slack's three is left for all else.
    office.slack.settings.ackLimitMs = 1_000;
    const submitting = bea.submit('Buy now');
    await until(() => hang.hits > 0);
    office.clock.advance(2_000);
    expect((await submitting).delivery?.failure).toBeNull();
    expect(modalText(bea)).toContain('could not be checked');
    expect(await office.records()).toEqual([]);

    office.slack.settings.ackLimitMs = 3_000;
    office.slack.faults.clear();
    // Slack announces a change: nobody waits for the call that hangs.
    await office.slack.world.setGroup('S0BUYERS', { members: [BUYER] });
    await bea.close();
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(await office.records()).toHaveLength(1);
  });
});

describe('what Slack refuses to say', () => {
  it('of one group keeps nobody of another group from what they may', async () => {
    const office = await openOffice({ groupsOneByOne: true });
    const refused = { kind: 'error', code: 'some_new_code' } as const;
    office.slack.faults.add('usergroups.users.list', refused, { ...ALWAYS, only: ofGroup('S0TEAM') });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'could not be checked');
    await openForm(office, 'US 1', BUYER);
    await command(office, 'freeze just a try', LEAD);
    await hears(office, LEAD, 'Spending is frozen');
  });

  it('is no word about who is in a group: an answer that names no members means that they could not be read', async () => {
    const office = await openOffice();
    faultGroups(office, { kind: 'body', body: '{"ok":true}' });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'could not be checked');
  });

  it('of one person keeps nobody else from what they may', async () => {
    const office = await openOffice();
    const refused = { kind: 'error', code: 'some_new_code' } as const;
    office.slack.faults.add('users.info', refused, { ...ALWAYS, only: ofPerson(VIEWER) });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'could not be checked');
    await openForm(office, 'US 1', BUYER);
  });

  it('is asked again after ten seconds, and not before', async () => {
    const office = await openOffice({ groupsOneByOne: true });
    const only = ofGroup('S0TEAM');
    const rule = office.slack.faults.add('usergroups.users.list', { kind: 'error', code: 'some_new_code' }, { only });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Try again in 10 seconds');
    await command(office, 'balance', VIEWER);
    await until(() => office.slack.as(VIEWER).screen.ephemerals.length === 2);
    expect(rule.hits).toBe(1);
    expect(office.slack.callsTo('usergroups.users.list').filter(only)).toHaveLength(1);
    office.clock.advance(10_000);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, '$1,000.00');
  });

  it.each(['subteam_not_found', 'no_such_subteam'])(
    'because the group is gone (%s) grants nothing, and stands in nobody’s way',
    async (code) => {
      const office = await openOffice({
        groupsOneByOne: true,
        access: 'access: { balance: [S0TEAM], buy: [S0GONE, S0BUYERS], approve: [S0LEADS] }',
      });
      await office.slack.world.setGroup('S0GONE', { members: [VIEWER] });
      const only = ofGroup('S0GONE');
      const rule = office.slack.faults.add('usergroups.users.list', { kind: 'error', code }, { ...ALWAYS, only });
      await command(office, 'buy US 1', VIEWER);
      await hears(office, VIEWER, 'You are not in a group that may buy');
      await openForm(office, 'US 1', BUYER);
      await openForm(office, 'US 1', BUYER2);
      expect(rule.hits).toBeGreaterThan(0);
    },
  );
});
