import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, LEAD2, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import {
  askFor,
  buyNow,
  command,
  delivered,
  dmWith,
  filed,
  logged,
  modalText,
  press,
  reaches,
  renew,
  until,
} from '../support/steps.ts';

const OFF = { approvals: 'approvals: off' };

describe('with approvals: off', () => {
  it('everything within the limits is bought on one’s own confirmation, and nothing is posted in a channel', async () => {
    const office = await openOffice(OFF);
    const { purchase } = await reaches(office, await buyNow(office, 'US 200'), 'completed');
    expect(purchase.approver).toBeNull();
    await dmWith(office, BUYER, 'Bought');
    expect(office.slack.as(LEAD).screen.channels['approvals']).toEqual([]);
    const bea = await askFor(office, 'US 501').catch(() => office.slack.as(BUYER));
    expect(modalText(bea)).toContain('at most 500');
  });

  it('an unknown outcome goes to each approver by direct message, and one of them settles it for all', async () => {
    const office = await openOffice(OFF);
    office.vendor.next('create', { name: 'reset_before_answer' });
    const id = await buyNow(office, 'US 10');
    await reaches(office, id, 'unknown');
    await dmWith(office, LEAD, 'It was placed');
    await dmWith(office, LEAD2, 'It was placed');
    await press(office, id, 'It was placed', LEAD2);
    const lou = office.slack.as(LEAD2);
    await lou.waitFor((screen) => screen.modal?.submit);
    await lou.type('Note', 'seen in the console');
    await lou.submit('Settle');
    await reaches(office, id, 'completed');
    const lea = office.slack.as(LEAD);
    await dmWith(office, LEAD, 'it is settled');
    expect(lea.screen.dm.some((message) => lea.read(message).includes('[It was placed]'))).toBe(false);
    await dmWith(office, BUYER, 'Bought');
  });

  it.each([
    ['nobody', []],
    ['nobody but the requester', [BUYER]],
  ])('an unknown outcome waits for somebody who may settle it where there is %s', async (_, members) => {
    const office = await openOffice(OFF);
    await office.slack.world.setGroup('S0LEADS', { members });
    office.vendor.next('create', { name: 'reset_before_answer' });
    const id = await buyNow(office, 'US 10');
    await reaches(office, id, 'unknown');
    await until(() => office.slack.callsTo('chat.postMessage').length >= 2);
    await office.slack.world.setGroup('S0LEADS', { members: [...members, LEAD] });
    await until(() => {
      office.clock.advance(10_000);
      return office.slack.as(LEAD).screen.dm.length > 0;
    });
    await press(office, id, 'It was not placed', LEAD);
    await office.slack.as(LEAD).waitFor((screen) => screen.modal?.submit);
  });

  it('an unknown outcome that is open goes to whoever becomes an approver later, once, and they settle it', async () => {
    const office = await openOffice(OFF);
    office.vendor.next('create', { name: 'reset_before_answer' });
    const id = await buyNow(office, 'US 10');
    await dmWith(office, LEAD, 'It was placed');
    await dmWith(office, LEAD2, 'It was placed');
    await delivered(office);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, VIEWER] });
    office.clock.advance(60_000);
    await dmWith(office, VIEWER, 'It was placed');
    await delivered(office);
    office.clock.advance(60_000);
    await press(office, id, 'It was not placed', VIEWER);
    const vic = office.slack.as(VIEWER);
    await vic.waitFor((screen) => screen.modal?.submit);
    await vic.type('Note', 'not in the console');
    await vic.submit('Settle');
    await reaches(office, id, 'declined');
    await dmWith(office, LEAD, 'it is settled');
    for (const user of [LEAD, LEAD2, VIEWER]) expect(office.slack.as(user).screen.dm).toHaveLength(1);
    // What is settled waits for nobody.
    await delivered(office);
    await nothingForNewcomer(office);
  });

  it('a freeze in force is told to whoever becomes an approver later', async () => {
    const office = await openOffice(OFF);
    await command(office, 'freeze invoice is late', LEAD);
    await dmWith(office, LEAD2, 'Spending was frozen');
    await delivered(office);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, VIEWER] });
    office.clock.advance(60_000);
    await dmWith(office, VIEWER, 'Spending was frozen by @lea: invoice is late');
    await command(office, 'unfreeze', LEAD);
    await dmWith(office, VIEWER, 'no longer frozen');
    await delivered(office);
    await nothingForNewcomer(office);
  });

  it('a freeze is told to each approver', async () => {
    const office = await openOffice(OFF);
    await command(office, 'freeze invoice is late', LEAD);
    await dmWith(office, LEAD2, 'Spending was frozen by @lea: invoice is late');
    await dmWith(office, LEAD, 'Spending was frozen');
  });

  it('an order never seen needs an explicit tick, also of a hand that got round Slack’s client', async () => {
    const office = await openOffice(OFF);
    office.vendor.addOrder({ id: '777' });
    const bea = await renew(office, '777');
    expect(modalText(bea)).toContain('this bot has never seen it');
    expect(modalText(bea)).not.toContain('needs approval');
    await bea.pick('Plan', 'Static residential, monthly');
    await bea.submit('Review');
    expect((await bea.submit('Renew now')).sent).toBe(false);
    await bea.submit('Renew now', { force: true });
    expect(modalText(bea)).toContain('tick that you know this order');
    expect(await office.records()).toEqual([]);
    await bea.tick('I know this order');
    await reaches(office, await filed(office, bea, 'Renew now'), 'completed');
    expect(office.vendor.orders[0]).toMatchObject({ id: '777', renewals: 1 });
  });

  it.each([
    [[LEAD], '1 usable member'],
    [[], '0 usable members'],
  ])('start-up warns when access.approve has fewer than two usable people: %j', async (members, words) => {
    const office = await openOffice(OFF);
    await until(() => office.lines.some(({ message }) => message === 'ready to serve'));
    expect(office.lines.some(({ message }) => message.includes('access.approve'))).toBe(false);
    await office.slack.world.setGroup('S0LEADS', { members: [...members, 'U0GONE'] });
    office.slack.world.setPerson('U0GONE', { name: 'gone', deleted: true });
    await office.restart();
    expect(await logged(office, 'access.approve: ')).toMatchObject({ level: 'warn' });
    expect((await logged(office, words)).message).toContain('nobody approves their own request');
  });
});

/** Whoever becomes an approver now, and after a restart, has nothing to do. */
async function nothingForNewcomer(office: Office): Promise<void> {
  await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, VIEWER, STRANGER] });
  office.clock.advance(60_000);
  await office.restart();
  office.clock.advance(60_000);
  await delivered(office);
  expect(office.slack.as(STRANGER).screen.dm).toEqual([]);
}
