import { describe, expect, it } from 'vitest';
import { CHANNEL, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { logged } from '../support/steps.ts';

describe('start-up looks whether those who approve can see the cards', () => {
  it('and names who is not in a private approvals channel', async () => {
    const office = await openOffice();
    office.slack.world.setChannel(CHANNEL, { isPrivate: true, members: [LEAD] });
    await office.restart();
    const { level, message } = await logged(office, 'approvals.channel: not in the private channel');
    expect(level).toBe('warn');
    expect(message).toContain(LEAD2);
    expect(message.replace(LEAD2, '')).not.toContain(LEAD);
  });

  it('however many members it has', async () => {
    const office = await openOffice();
    const crowd = Array.from({ length: 1_500 }, (_, index) => `U0CROWD${index}`);
    office.slack.world.setChannel(CHANNEL, { isPrivate: true, members: [...crowd, LEAD, LEAD2] });
    expect(await warnings(office)).toEqual([]);
    expect(office.slack.callsTo('conversations.members').length).toBeGreaterThan(1);
  });

  it.each(['enterprise', 'workspace', 'asked'] as const)(
    'by either id of a person, where users.info tells the %s',
    async (kind) => {
      const office = await openOffice();
      office.slack.settings.usersInfoId = kind;
      office.slack.world.setPerson(LEAD, { enterpriseUserId: 'W0LEAD', listedAs: 'enterprise' });
      office.slack.world.setPerson(LEAD2, { enterpriseUserId: 'W0LEAD2', actsAs: 'enterprise' });
      office.slack.world.setChannel(CHANNEL, { isPrivate: true, members: [LEAD, LEAD2] });
      expect(await warnings(office)).toEqual([]);
    },
  );

  it('and says nothing of a public one, which they can open', async () => {
    const office = await openOffice();
    office.slack.world.setChannel(CHANNEL, { members: [] });
    expect(await warnings(office)).toEqual([]);
  });

  it('and says so where that cannot be read', async () => {
    const office = await openOffice();
    office.slack.world.setChannel(CHANNEL, { isPrivate: true });
    office.slack.faults.add('conversations.members', { kind: 'error', code: 'missing_scope' }, { times: Infinity });
    await office.restart();
    await logged(office, 'could not be looked at (missing_scope)');
  });
});

/** The warnings about the channel. All are logged together: one of another kind is there to be waited for. */
async function warnings(office: Office): Promise<readonly string[]> {
  await office.slack.world.setGroup('S0TEAM', { disabled: true });
  const before = office.lines.length;
  await office.restart();
  await logged(office, 'the user group S0TEAM is disabled');
  return office.lines
    .slice(before)
    .map(({ message }) => message)
    .filter((message) => message.startsWith('approvals.channel'));
}
