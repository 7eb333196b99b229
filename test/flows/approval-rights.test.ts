import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, LEAD2, openOffice } from '../support/office.ts';
import {
  askFor,
  cardWith,
  command,
  decide,
  dmWith,
  faultGroups,
  file,
  groupReads,
  logged,
  modalText,
  openDecision,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

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
    faultGroups(office, { kind: 'rate_limit', retryAfter: 60 }, { times: 1 });
    await lea.submit('Approve');
    expect(modalText(lea)).toMatch(/could not be checked.*Try again in 60 seconds/s);
    // No further call while Slack said to wait, and the same answer for everybody.
    const calls = groupReads(office).length;
    const lou = await openDecision(office, id, 'Reject', LEAD2);
    await lou.type('Reason', 'no');
    await lou.submit('Reject');
    expect(modalText(lou)).toMatch(/could not be checked.*Try again in (60|59) seconds/s);
    expect(groupReads(office)).toHaveLength(calls);
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
    const rule = faultGroups(office, fault);
    const submitted = lea.submit('Approve');
    await until(() => rule.hits > 0);
    if (fault.kind === 'hang') office.clock.advance(2_000);
    await submitted;
    expect(modalText(lea)).toMatch(/could not be checked.*Try again in \d+ second/s);
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${LEAD} approve: rights_unreadable`]);
    expect(office.vendor.posts).toBe(0);
  });

  it('that cannot be read just before sending make the purchase wait as long as Slack says, and then it goes on', async () => {
    const office = await openOffice({ groupsOneByOne: true });
    await command(office, 'freeze checking', LEAD);
    await cardWith(office, 'Spending was frozen');
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    // Not while unfreezing, which asks for rights itself.
    const asksForBuyers = ({ args }: { args: Record<string, unknown> }) => args['usergroup'] === 'S0BUYERS';
    office.slack.faults.add('usergroups.users.list', { kind: 'rate_limit', retryAfter: 60 }, { only: asksForBuyers });
    await command(office, 'unfreeze', LEAD);
    await logged(office, 'rights unreadable: the purchase waits');
    await reaches(office, id, 'approved');
    expect(office.vendor.posts).toBe(0);
    office.clock.advance(60_000);
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('that stay unreadable let it expire, never guess', async () => {
    const office = await openOffice({ groupsOneByOne: true });
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const buyers = ({ args }: { args: Record<string, unknown> }) => args['usergroup'] === 'S0BUYERS';
    office.slack.faults.add(
      'usergroups.users.list',
      { kind: 'status', status: 500 },
      { times: Infinity, only: buyers },
    );
    await lea.submit('Approve');
    await logged(office, 'rights unreadable: the purchase waits');
    office.clock.advance(15 * 60 * 1000);
    await dmWith(office, BUYER, 'could not be sent in time');
    await reaches(office, id, 'expired');
    expect(office.vendor.posts).toBe(0);
  });
});
