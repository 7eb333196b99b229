import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import {
  askFor,
  cardWith,
  comesTo,
  command,
  decide,
  file,
  filed,
  hears,
  openForm,
  press,
  privately,
  reaches,
  refusalsIn,
  submitted,
  until,
} from '../support/steps.ts';

/** In an organisation everybody has an id of the workspace (U…) and one of the organisation (W…), and Slack uses either. */
const ORGANISATION = [BUYER, LEAD, LEAD2].map((user) => [user, `W${user.slice(1)}`] as const);

function joinOrganisation(office: Office, change: { listedAs?: 'enterprise'; actsAs?: 'enterprise' }) {
  for (const [user, enterpriseUserId] of ORGANISATION)
    office.slack.world.setPerson(user, { enterpriseUserId, ...change });
}

describe('one person with two ids', () => {
  it.each([
    ['groups hold W…, commands and clicks carry U…', { listedAs: 'enterprise' }, 'asked'],
    ['groups hold U…, commands and clicks carry W…', { actsAs: 'enterprise' }, 'asked'],
    ['the same, while users.info names everybody by U…', { actsAs: 'enterprise' }, 'workspace'],
    [
      'groups hold W…, commands carry U…, while users.info names everybody by W…',
      { listedAs: 'enterprise' },
      'enterprise',
    ],
  ] as const)('has every right of either: %s', async (_, change, usersInfoId) => {
    const office = await openOffice();
    office.slack.settings.usersInfoId = usersInfoId;
    joinOrganisation(office, change);
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    const taken = await file(office, 'DE 10');
    await press(office, taken, 'Withdraw', BUYER);
    await reaches(office, taken, 'withdrawn');
  });

  it.each(['asked', 'workspace', 'enterprise'] as const)(
    'who becomes W… while the request waits neither approves nor settles their own, and takes it back (users.info: %s)',
    async (usersInfoId) => {
      const office = await openOffice();
      office.slack.settings.usersInfoId = 'workspace';
      const id = await filed(office, await askFor(office, 'US 10', LEAD2), 'Ask for approval');
      const other = await filed(office, await askFor(office, 'DE 10', LEAD2), 'Ask for approval');
      joinOrganisation(office, { actsAs: 'enterprise' });
      office.slack.settings.usersInfoId = usersInfoId;

      await press(office, id, 'Approve', LEAD2).catch(() => undefined);
      const lou = office.slack.as(LEAD2);
      if (lou.screen.modal?.submit) await lou.submit('Approve');
      await until(async () =>
        refusalsIn(await reaches(office, id, 'requested')).some((no) => no.endsWith('own_purchase')),
      );
      if (lou.screen.modal) await lou.close({ all: true });
      office.vendor.next('create', { name: 'reset_before_answer' });
      await decide(office, id, 'Approve', LEAD);
      await cardWith(office, 'It was placed');
      await press(office, id, 'It was not placed', LEAD2);
      if (lou.screen.modal?.submit) {
        await lou.type('Note', 'looked in the console');
        await lou.submit('It was not placed');
      }
      await until(
        async () =>
          refusalsIn(await reaches(office, id, 'unknown')).filter((no) => no.endsWith('own_purchase')).length === 2,
      );
      await press(office, other, 'Withdraw', LEAD2);
      await reaches(office, other, 'withdrawn');
    },
  );

  it('is not taken for somebody without the right while Slack does not tell who the other id is: an approved purchase waits', async () => {
    const office = await openOffice();
    joinOrganisation(office, { actsAs: 'enterprise' });
    const id = await file(office, 'US 10');
    await command(office, 'freeze wait', LEAD);
    await hears(office, LEAD, 'Spending is frozen');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    // A process that has just started knows nobody's other id.
    await office.restart();
    const only = ({ args }: { args: Record<string, unknown> }) => args['user'] === BUYER;
    const rule = office.slack.faults.add('users.info', { kind: 'status', status: 500 }, { times: Infinity, only });
    await command(office, 'unfreeze', LEAD);
    await until(() => rule.hits > 0);
    await until(async () => (await reaches(office, id, 'approved')).purchase.sendAfter !== null);
    office.slack.faults.clear();
    await comesTo(office, id, 'completed', 5_000);
  });

  it('counts as one towards the free allowance', async () => {
    const office = await openOffice();
    const { enterpriseUserId } = { enterpriseUserId: 'W0BUYER' };
    const first = await filed(office, await askFor(office, 'US 4'), 'Buy now');
    await reaches(office, first, 'completed');
    office.slack.settings.usersInfoId = 'workspace';
    office.slack.world.setPerson(BUYER, { enterpriseUserId, actsAs: 'enterprise' });
    const second = await submitted(office, await askFor(office, 'DE 4'), 'Ask for approval');
    expect(second.needsApproval).toBe(true);
  });
});

describe('a no', () => {
  it('is asked afresh before it is said: whoever was just let in is let in, though no event told of it', async () => {
    const office = await openOffice();
    await office.slack.world.setGroup('S0BUYERS', { members: [LEAD2] });
    await command(office, 'buy US 1');
    await hears(office, BUYER, 'You are not in a group that may buy');
    office.slack.settings.events = [];
    await office.slack.world.setGroup('S0BUYERS', { members: [LEAD2, BUYER] });
    await openForm(office, 'US 1');
    expect(privately(office, BUYER)).toHaveLength(1);
  });

  it('is asked afresh also for who was deactivated or a guest a moment ago', async () => {
    const office = await openOffice();
    office.slack.world.setPerson(BUYER, { isRestricted: true });
    await command(office, 'buy US 1');
    await hears(office, BUYER, 'Guests cannot');
    office.slack.world.setPerson(BUYER, { isRestricted: false });
    await openForm(office, 'US 1');
  });
});
