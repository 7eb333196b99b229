import { describe, expect, it } from 'vitest';
import { DAY, ending, goTo, keep, say } from '../support/ending.ts';
import {
  BUYER,
  CHANNEL,
  LEAD,
  type Office,
  type OfficeOptions,
  openOffice,
  policyOf,
  VIEWER,
} from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  bodies,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  filed,
  openDecision,
  reaches,
  renew,
  until,
} from '../support/steps.ts';

const END = Date.parse('2027-02-15T12:00Z');
/** Three days before. */
const DUE = END - 3 * DAY;
const HOUR = DAY / 24;
const FREE = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5, renewals: false }` };

/** Order 1001 is kept, and a minute is left before its renewal is due. Nobody is reminded besides. */
async function officeOf(options: OfficeOptions = {}, over: Parameters<typeof ending>[3] = {}): Promise<Office> {
  const office = await openOffice({ reminders: 'reminders: off', ...options });
  goTo(office, DUE - 60_000);
  await ending(office, '1001', END, over);
  await keep(office, '1001', END, LEAD);
  office.vendor.addOrder({ id: '1001', quantity: 2 });
  return office;
}

/** Waits for the renewal number `count`, counted from 1. */
async function renewal(office: Office, count = 1) {
  await until(async () => (await office.records()).length >= count, 'the renewal');
  await delivered(office);
  const records = await office.records();
  expect(records).toHaveLength(count);
  const record = records[count - 1];
  if (!record) throw new Error('no renewal');
  return record;
}

/** So many messages have these words. */
function heard(office: Office, user: string, words: string): number {
  const person = office.slack.as(user);
  return person.screen.messages.filter((message) => person.read(message).includes(words)).length;
}

let sentinels = 9_000;

/** Hours pass, one after the other; in each the bot looks at all that is kept, as it shows by what it says of one that nobody owns. */
async function hoursPass(office: Office, hours: number): Promise<void> {
  // What is being posted would be posted again, were the clock put forward meanwhile.
  await delivered(office);
  for (let hour = 0; hour < hours; hour += 1) {
    sentinels += 1;
    const sentinel = String(sentinels);
    // The last of all that is looked at.
    const endsAt = office.clock.now() + 3 * DAY;
    await ending(office, sentinel, endsAt, { owner: null });
    await keep(office, sentinel, endsAt);
    office.clock.advance(HOUR);
    await cardWith(office, `Order ${sentinel} is kept`);
    await delivered(office);
  }
}

describe('an order that is kept', () => {
  it('files its renewal three days before its end, in its owner’s name, and goes the way of everybody’s', async () => {
    const office = await officeOf();
    goTo(office, DUE);
    const { purchase, entries } = await renewal(office);
    expect(purchase).toMatchObject({
      kind: 'renew',
      state: 'requested',
      requester: BUYER,
      orderId: '1001',
      submission: `kept:1001:${END}`,
      plan: { productId: 'lt-monthly' },
    });
    expect(purchase.reason).toContain(`Kept by ${LEAD}`);
    expect(entries[0]).toMatchObject({ by: 'desk', detail: { evidence: { kept: { by: LEAD, endsAt: END } } } });
    const lea = office.slack.as(LEAD);
    const card = lea.read(await cardWith(office, purchase.id));
    expect(card).toContain('Filed by Proxy Desk itself, because the order is kept: @lea said so');
    expect(office.slack.as(BUYER).read(await dmWith(office, BUYER, purchase.id))).toContain(
      'because the order is kept',
    );
    await decide(office, purchase.id, 'Approve');
    await reaches(office, purchase.id, 'completed');
    expect(bodies(office)).toEqual(['{"order_id":1001,"renew_product_id":"lt-monthly"}']);
    // Kept on: the next end has a renewal of its own.
    await hoursPass(office, 3);
    await renewal(office, 1);
    goTo(office, Date.parse('2027-03-12T12:00Z'));
    expect((await renewal(office, 2)).purchase.submission).toBe(`kept:1001:${Date.parse('2027-03-15T12:00Z')}`);
  });

  it('is sent without anybody where the policy asks for no approval, and once', async () => {
    const office = await officeOf(FREE);
    await office.another();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await reaches(office, purchase.id, 'completed');
    await dmWith(office, BUYER, 'Renewed: order 1001');
    await hoursPass(office, 5);
    expect(office.vendor.posts).toBe(1);
  });

  it('files once for one end, whatever two processes and a restart at every step do', async () => {
    const office = await officeOf();
    await office.another();
    await office.restart();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await office.restart();
    await hoursPass(office, 2);
    await decide(office, purchase.id, 'Approve');
    await reaches(office, purchase.id, 'completed');
    await office.restart();
    await hoursPass(office, 2);
    await renewal(office, 1);
    expect(office.vendor.posts).toBe(1);
  });

  it.each(['Reject', 'Withdraw', 'expiry'])('is not filed again for that end after a %s, and says so', async (how) => {
    const office = await officeOf();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    const bea = office.slack.as(BUYER);
    if (how === 'Reject') await decide(office, purchase.id, 'Reject');
    else if (how === 'Withdraw') await bea.pressOn(await dmWith(office, BUYER, purchase.id), 'Withdraw');
    else goTo(office, DUE + 25 * HOUR);
    await until(async () => ['rejected', 'withdrawn', 'expired'].includes((await renewal(office)).purchase.state));
    await dmWith(office, BUYER, 'It is not filed again for that end');
    await office.restart();
    await hoursPass(office, 4);
    await renewal(office, 1);
    goTo(office, END + HOUR);
    await hoursPass(office, 2);
    await renewal(office, 1);
    expect(office.vendor.posts).toBe(0);
  });

  it('whose owner may not renew any more is not renewed; owner and approvers are told once, and it is tried again', async () => {
    const office = await officeOf({}, { owner: VIEWER });
    await office.another();
    goTo(office, DUE);
    await cardWith(office, 'its owner may not renew orders any more');
    await dmWith(office, VIEWER, 'its owner may not renew orders any more');
    await hoursPass(office, 4);
    for (const user of [LEAD, VIEWER]) expect(heard(office, user, 'may not renew orders any more')).toBe(1);
    expect(await office.records()).toEqual([]);
    await office.slack.world.setGroup('S0BUYERS', { members: [VIEWER] });
    office.clock.advance(HOUR + 60_000);
    expect((await renewal(office)).purchase.requester).toBe(VIEWER);
  });

  it.each<[string, OfficeOptions, Parameters<typeof ending>[3], string]>([
    ['nobody owns', {}, { owner: null }, 'nobody owns it'],
    [
      'was last paid by a plan that is gone',
      { plans: plansYaml(MONTHLY) },
      { plan: { ...YEARLY, term: MONTHLY.term } },
      'the plan last paid, Static residential, yearly, is no longer offered',
    ],
    ['is larger than one order may be', { limits: 'limits: { ips_per_order: 1 }' }, {}, 'one order may have at most 1'],
    [
      'would go beyond its owner’s limit',
      { limits: 'limits: { ips_per_person_per_day: 1 }' },
      {},
      'its owner has 0 of 1 in the last 24 hours',
    ],
  ])('that %s is not renewed, and that is told days before its end', async (_, options, over, words) => {
    const office = await officeOf(options, over);
    goTo(office, DUE);
    const card = await cardWith(office, words);
    expect(office.slack.as(LEAD).read(card)).toContain('tried again every hour');
    await delivered(office);
    expect(await office.records()).toEqual([]);
  });

  it('waits as long as spending is frozen, says so, and is filed when that ends', async () => {
    const office = await officeOf(FREE);
    await command(office, 'freeze the bill is odd', LEAD);
    await cardWith(office, 'Spending was frozen');
    goTo(office, DUE);
    await cardWith(office, 'spending is frozen (the bill is odd)');
    await hoursPass(office, 3);
    expect(await office.records()).toEqual([]);
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen');
    office.clock.advance(60_000);
    await reaches(office, (await renewal(office)).purchase.id, 'completed');
  });

  it('whose end passed while the bot was down is not renewed, and that is told once', async () => {
    const office = await officeOf(FREE);
    await office.bot.stop();
    goTo(office, END + 2 * DAY);
    await office.restart();
    await cardWith(office, 'was not renewed in time');
    await dmWith(office, BUYER, 'was not renewed in time');
    await office.restart();
    await hoursPass(office, 3);
    expect(heard(office, LEAD, 'was not renewed in time')).toBe(1);
    expect(await office.records()).toEqual([]);
    expect(office.vendor.posts).toBe(0);
  });

  it('is left alone while somebody’s renewal of it is under way, and when it is renewed already', async () => {
    const office = await officeOf();
    const bea = await renew(office, '1001', BUYER, 'by hand');
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    goTo(office, DUE);
    await hoursPass(office, 2);
    expect(heard(office, LEAD, 'Order 1001 is kept')).toBe(0);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await hoursPass(office, 2);
    await renewal(office, 1);
  });

  it('is not called unpaid at its end while nobody can tell, and is once somebody has said that it was not', async () => {
    const office = await officeOf();
    office.vendor.next('renew', { name: 'reset_before_answer' });
    const bea = await renew(office, '1001', BUYER, 'by hand');
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'unknown');
    goTo(office, END + HOUR);
    await hoursPass(office, 2);
    expect(heard(office, LEAD, 'Order 1001 was to be kept')).toBe(0);
    const lea = await openDecision(office, id, 'It was not placed');
    await lea.type('Note', 'not in the console');
    await lea.submit('Settle');
    await reaches(office, id, 'declined');
    office.clock.advance(HOUR + 60_000);
    await cardWith(office, 'was not renewed in time');
    expect(await office.records()).toHaveLength(1);
  });

  it('that is let end, or handed over to somebody who may not renew, is not filed in the old owner’s name', async () => {
    const office = await officeOf();
    await ending(office, '1002', END);
    await keep(office, '1002', END);
    await say(office, '1001', { kind: 'order_intent', intent: 'let_end', endsAt: END });
    await say(office, '1002', { kind: 'order_owner', owner: VIEWER, before: BUYER });
    goTo(office, DUE);
    await dmWith(office, VIEWER, 'Order 1002 is kept');
    await delivered(office);
    expect(await office.records()).toEqual([]);
  });

  it('whose owner Slack does not tell of is tried again a minute later, and nobody is bothered', async () => {
    const office = await officeOf();
    const fault = office.slack.faults.add('users.info', { kind: 'error', code: 'internal_error' }, { times: 1 });
    goTo(office, DUE);
    await until(() => fault.hits > 0);
    await until(async () => {
      office.clock.advance(30_000);
      return (await office.records()).length > 0;
    });
    await renewal(office);
    expect(office.clock.now()).toBeLessThan(DUE + 50 * HOUR);
    expect(heard(office, LEAD, 'Order 1001 is kept')).toBe(0);
  });

  it('follows the policy that was read last', async () => {
    const office = await openOffice({ reminders: 'reminders: off' });
    goTo(office, END - 6 * DAY);
    await ending(office, '1001', END);
    await keep(office, '1001', END);
    office.clock.advance(60_000);
    expect(await office.records()).toEqual([]);
    office.bot.usePolicy(policyOf({ reminders: 'reminders: { renew_kept_before: 6d }' }));
    office.clock.advance(60_000);
    await renewal(office);
  });
});
