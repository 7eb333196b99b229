import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, LEAD2, type Office, openOffice, policyOf, STRANGER, VIEWER } from '../support/office.ts';
import { command, faultGroups, groupReads, hears, logged, openForm, privately, until } from '../support/steps.ts';

const teamReads = (office: Office) => groupReads(office).length;

describe('user groups', () => {
  it.each([
    ['no list at all', 'access: { balance: [S0TEAM] }'],
    ['an empty list', 'access: { balance: [S0TEAM], buy: [] }'],
    ['one blank entry', 'access: { balance: [S0TEAM], buy: [""] }'],
    ['blanks and a comma', 'access: { balance: [S0TEAM], buy: " , " }'],
  ])(
    'that are not configured let nobody in, and say so in other words than to somebody who is in none: %s',
    async (_, access) => {
      const office = await openOffice({ access });
      await command(office, 'buy US 1', BUYER);
      await hears(office, BUYER, 'At present nobody may buy proxies');
      await command(office, 'balance', STRANGER);
      await hears(office, STRANGER, 'You are not in a group that may see the balance');
      expect(office.slack.as(BUYER).screen.modal).toBeUndefined();
    },
  );

  it('of which one is a blank beside a valid id let in those of the valid one', async () => {
    const office = await openOffice({ access: 'access: { buy: ["", S0BUYERS, " "] }' });
    await openForm(office, 'US 1');
  });

  it.each([
    ['empty', { members: [] }],
    ['disabled', { disabled: true }],
  ])('that are %s let nobody in', async (_, change) => {
    const office = await openOffice();
    await office.slack.world.setGroup('S0BUYERS', change);
    await command(office, 'buy US 1');
    await hears(office, BUYER, 'At present nobody may buy proxies');
    await command(office, 'freeze now', BUYER);
    await hears(office, BUYER, 'You are not in a group that may approve');
  });

  it('are known by their id: one that takes over the handle grants nothing, one that is renamed still does', async () => {
    const office = await openOffice();
    await office.slack.world.setGroup('S0BUYERS', { handle: 'old-buyers', name: 'Renamed' });
    await office.slack.world.setGroup('S0NEW', { handle: 'buyers', members: [VIEWER] });
    await openForm(office, 'US 1', BUYER);
    await command(office, 'buy US 1', VIEWER);
    await hears(office, VIEWER, 'not in a group that may buy');
  });

  it('that Slack never heard of are named at start, and let nobody in', async () => {
    const office = await openOffice({ access: 'access: { balance: [S0TEAM], buy: [S0GONE], approve: [S0LEADS] }' });
    await logged(office, 'Slack knows no user group S0GONE; it lets nobody in');
    await command(office, 'buy US 1');
    await hears(office, BUYER, 'nobody may buy');
  });

  it('that the app may not read are named with the scope at start, and everybody is refused politely', async () => {
    const office = await openOffice();
    office.slack.settings.scopes = office.slack.settings.scopes.filter((scope) => scope !== 'usergroups:read');
    await office.restart();
    await logged(office, 'scope usergroups:read: the app lacks it');
    await command(office, 'buy US 1');
    await hears(office, BUYER, 'could not be checked');
  });

  it('are never asked for with those that are disabled', async () => {
    const office = await openOffice();
    await openForm(office, 'US 1');
    for (const { args } of groupReads(office)) expect(args['include_disabled']).toBeUndefined();
  });
});

describe('what is known of groups', () => {
  it('serves reads for 60 s, and is asked for again afterwards', async () => {
    const office = await openOffice();
    for (const user of [VIEWER, BUYER, BUYER2]) await command(office, 'balance', user);
    await until(() => privately(office, BUYER2).length === 1);
    expect(teamReads(office)).toBe(1);
    office.clock.advance(59_000);
    await command(office, 'balance', VIEWER);
    await until(() => privately(office, VIEWER).length === 2);
    expect(teamReads(office)).toBe(1);
    office.clock.advance(2_000);
    await command(office, 'balance', VIEWER);
    await until(() => privately(office, VIEWER).length === 3);
    expect(teamReads(office)).toBe(2);
  });

  it('is dropped at once when Slack announces a change', async () => {
    const office = await openOffice();
    await openForm(office, 'US 1', BUYER);
    await office.slack.world.setGroup('S0BUYERS', { members: [BUYER2] });
    await command(office, 'buy US 1', BUYER);
    await hears(office, BUYER, 'not in a group');
    await openForm(office, 'US 1', BUYER2);
    // Also when a group is only renamed or disabled.
    await office.slack.world.setGroup('S0BUYERS', { disabled: true });
    await command(office, 'buy US 1', BUYER2);
    await hears(office, BUYER2, 'nobody may buy');
  });

  it('is asked for once by ten people at a time; when Slack says to wait, not at all until then', async () => {
    const office = await openOffice();
    const people = await tenPeople(office);
    const before = teamReads(office);
    office.slack.settings.ackLimitMs = 2_500;
    faultGroups(office, { kind: 'rate_limit', retryAfter: 60 });
    await Promise.all(people.map((user) => office.slack.as(user).command('/proxy', 'balance')));
    for (const user of people) await hears(office, user, /could not be checked.*Try again in (60|59) seconds/s);
    expect(teamReads(office)).toBe(before + 2);
    // One who wants to buy meanwhile is told the same, with no further call.
    await command(office, 'buy US 1', BUYER);
    await hears(office, BUYER, /could not be checked.*Try again in (60|59|58) seconds/s);
    await Promise.all(people.map((user) => office.slack.as(user).command('/proxy', 'balance')));
    expect(teamReads(office)).toBe(before + 2);

    office.slack.faults.clear();
    office.clock.advance(61_000);
    await Promise.all(people.map((user) => office.slack.as(user).command('/proxy', 'balance')));
    for (const user of people) await hears(office, user, '$1,000.00');
    expect(teamReads(office)).toBe(before + 3);
  });

  it('is shared by those who ask while a call is under way', async () => {
    const office = await openOffice();
    const people = await tenPeople(office);
    const before = teamReads(office);
    faultGroups(office, { kind: 'delay', ms: 100 }, { times: 1 });
    await Promise.all(people.map((user) => office.slack.as(user).command('/proxy', 'balance')));
    for (const user of people) await hears(office, user, '$1,000.00');
    expect(teamReads(office)).toBe(before + 1);
  });

  it('never serves a decision: a freeze is asked for afresh each time', async () => {
    const office = await openOffice();
    await command(office, 'balance', LEAD);
    await hears(office, LEAD, '$1,000.00');
    const before = groupReads(office).length;
    for (const [verb, user, said] of [
      ['freeze now', LEAD, 'Spending is frozen: now'],
      ['unfreeze', LEAD2, 'no longer frozen'],
      ['freeze again', LEAD, 'Spending is frozen: again'],
    ] as const) {
      await command(office, verb, user);
      await hears(office, user, said);
    }
    expect(groupReads(office)).toHaveLength(before + 3);
  });
});

async function tenPeople(office: Office): Promise<string[]> {
  await until(() => office.lines.some(({ message }) => message === 'ready to serve'));
  const ids = Array.from({ length: 10 }, (_, i) => `U0P${i}`);
  for (const id of ids) office.slack.world.setPerson(id, { name: id.toLowerCase() });
  await office.slack.world.setGroup('S0TEAM', { members: ids });
  return ids;
}

describe('whoever is refused', () => {
  it('is told whom to turn to by the name in the policy, and by the new one as soon as the policy is read again', async () => {
    const office = await openOffice({ contact: 'contact: the night shift' });
    await command(office, 'balance', STRANGER);
    await hears(office, STRANGER, 'Ask the night shift to add you');
    office.bot.usePolicy(policyOf({ contact: 'contact: the day shift' }));
    await command(office, 'balance', STRANGER);
    await hears(office, STRANGER, 'Ask the day shift to add you');
  });
});
