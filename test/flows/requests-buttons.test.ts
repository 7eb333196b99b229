import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/slack/index.ts';
import { BUYER, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { approved, buyNow, cardOf, command, dmWith, file, hears, reaches, refusalsIn } from '../support/steps.ts';

describe('/proxy requests lets those who may decide do so from there', () => {
  it('also where the card is gone, in any channel', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.slack.world.deleteMessage(cardOf(office, id, 'Approve'));
    const lea = office.slack.as(LEAD);
    await lea.command('/proxy', 'requests', { channel: 'C0GENERAL' });
    await lea.pressOn(await answered(office, LEAD), 'Approve');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.submit('Approve');
    const { purchase } = await reaches(office, id, 'completed');
    expect(purchase.approver).toBe(LEAD);
    // Pressed again: somebody was quicker.
    await lea.pressOn(lea.message('[Approve]'), 'Approve');
    await hears(office, LEAD, 'already approved by @lea');
    expect(office.vendor.posts).toBe(1);
  });

  it('with a reason where they reject', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await command(office, 'requests', LEAD);
    await lea.pressOn(await answered(office, LEAD), 'Reject');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Reason', 'not now');
    await lea.submit('Reject');
    await reaches(office, id, 'rejected');
    // The card in the channel follows, and the private answer is taken for no copy of it.
    await lea.waitFor((screen) => screen.channels['approvals']?.some((card) => lea.read(card).includes('Rejected')));
    expect(office.slack.refusals('message_not_found')).toEqual([]);
  });

  it.each(['approvals: off', undefined])('settles what is unknown (%s)', async (approvals) => {
    const office = await openOffice(approvals === undefined ? {} : { approvals });
    office.vendor.next('create', { name: 'reset_before_answer' });
    const id = approvals ? await buyNow(office, 'US 10') : (await approved(office, 'US 10', 'unknown')).purchase.id;
    await reaches(office, id, 'unknown');
    const lou = await command(office, 'requests', LEAD2);
    await lou.pressOn(await answered(office, LEAD2), 'It was placed');
    await lou.waitFor((screen) => screen.modal?.submit);
    await lou.type('Note', 'seen in the console');
    await lou.submit('Settle');
    await reaches(office, id, 'completed');
    await dmWith(office, BUYER, 'Bought');
  });

  it('offers nothing to those who may not, and nothing on one’s own request', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await command(office, 'requests', BUYER);
    expect(office.slack.as(BUYER).read(await answered(office, BUYER))).not.toContain('[');
    const own = await file(office, 'DE 10', LEAD2);
    await command(office, 'requests', LEAD2);
    const lou = office.slack.as(LEAD2);
    const answer = await answered(office, LEAD2);
    expect(lou.read(answer).match(/\[Approve\]/g)).toHaveLength(1);
    const buttons = answer.blocks.flatMap((block) => (block['elements'] ?? []) as { value?: string }[]);
    expect(buttons.map(({ value }) => value)).not.toContain(own);
    // Rights that are gone by the time of the click count.
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD] });
    await lou.pressOn(answer, 'Approve');
    await hears(office, LEAD2, 'not in a group');
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${LEAD2} approve: not_in_group`]);
  });
});

/** The private list. */
function answered(office: Office, user: string): Promise<Message> {
  const person = office.slack.as(user);
  return person.waitFor((screen) => screen.ephemerals.findLast((message) => / open\./.test(person.read(message))));
}
