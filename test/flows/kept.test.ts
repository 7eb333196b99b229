import { describe, expect, it } from 'vitest';
import { freezeGoneBack } from '../../src/ledger/gone-back.ts';
import { GONE_BACK } from '../../src/purchasing/model/freeze.ts';
import { DAY, ending, goTo, keep, say } from '../support/ending.ts';
import {
  BUYER,
  BUYER2,
  CHANNEL,
  LEAD,
  LEAD2,
  type Office,
  type OfficeOptions,
  openOffice,
  policyOf,
  VIEWER,
} from '../support/office.ts';
import { openOrder } from '../support/orders.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  bodies,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  filed,
  hears,
  modalText,
  openDecision,
  press,
  privately,
  reaches,
  refusalsIn,
  renew,
  until,
} from '../support/steps.ts';

const END = Date.parse('2027-02-15T12:00Z');
/** Three days before. */
const DUE = END - 3 * DAY;
const HOUR = DAY / 24;
const FREE = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5, renewals: false }` };

/** Order 1001 is kept, and a minute is left before its renewal is due. Nobody is reminded besides. */
async function officeOf(
  options: OfficeOptions = {},
  over: Parameters<typeof ending>[3] = {},
  keptBy = BUYER,
): Promise<Office> {
  const office = await openOffice({ reminders: 'reminders: off', ...options });
  goTo(office, DUE - 60_000);
  await ending(office, '1001', END, over);
  await keep(office, '1001', END, keptBy);
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
    const office = await officeOf({}, {}, LEAD2);
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
    expect(entries[0]).toMatchObject({ by: 'desk', detail: { evidence: { kept: { by: LEAD2, endsAt: END } } } });
    const lea = office.slack.as(LEAD);
    const card = lea.read(await cardWith(office, purchase.id));
    expect(card).toContain('Filed by Proxy Desk itself, because the order is kept: @lou said so');
    // Nobody is known to people by an id.
    expect(card).not.toContain(LEAD2);
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

describe('whoever has marked somebody else’s order Keep', () => {
  it('neither approves nor settles the renewal that it files; another does, and they may reject it', async () => {
    const office = await officeOf({}, {}, LEAD);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await press(office, purchase.id, 'Approve', LEAD);
    await hears(office, LEAD, 'You marked this order “Keep”');
    await decide(office, purchase.id, 'Approve', LEAD2);
    await reaches(office, purchase.id, 'unknown');
    await cardWith(office, 'It was not placed');
    await press(office, purchase.id, 'It was not placed', LEAD);
    await until(async () =>
      refusalsIn(await reaches(office, purchase.id, 'unknown')).includes(`${LEAD} settle: kept_by_you`),
    );
    const lou = await openDecision(office, purchase.id, 'It was not placed', LEAD2);
    await lou.type('Note', 'not in the console');
    await lou.submit('Settle');
    expect(refusalsIn(await reaches(office, purchase.id, 'declined'))).toEqual([
      `${LEAD} approve: kept_by_you`,
      `${LEAD} settle: kept_by_you`,
    ]);
    await ending(office, '1002', END);
    await keep(office, '1002', END, LEAD);
    office.clock.advance(60_000);
    const other = (await renewal(office, 2)).purchase.id;
    await decide(office, other, 'Reject');
    await reaches(office, other, 'rejected');
  });

  it('has neither its decision nor its settlement in a list, and others who approve have both', async () => {
    const office = await officeOf({}, {}, LEAD);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    const lists = async (button: string) => {
      for (const user of [LEAD, LEAD2]) {
        await command(office, 'requests', user);
        await hears(office, user, purchase.id);
        await command(office, 'requests mine', user);
      }
      const offered = [LEAD2, LEAD].map((user) => privately(office, user).some((text) => text.includes(`[${button}]`)));
      expect(offered).toEqual([true, false]);
    };
    await lists('Approve');
    await decide(office, purchase.id, 'Approve', LEAD2);
    await reaches(office, purchase.id, 'unknown');
    await lists('It was placed');
  });

  it('and its owner are told where they alone approve that a third has to settle what is unknown, who then does', async () => {
    const office = await officeOf({}, {}, LEAD);
    office.vendor.next('renew', { name: 'hold', answer: { name: 'reset_before_answer' } });
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await decide(office, purchase.id, 'Approve', LEAD2);
    await until(() => office.vendor.held > 0, 'the request');
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, BUYER] });
    office.vendor.release();
    await reaches(office, purchase.id, 'unknown');
    const nobody = 'nobody settles a renewal of their own order, or of one that they marked “Keep”';
    await cardWith(office, nobody);
    await dmWith(office, BUYER, nobody);
    for (const user of [LEAD, BUYER]) await press(office, purchase.id, 'It was not placed', user);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, BUYER, LEAD2] });
    const lou = await openDecision(office, purchase.id, 'It was not placed', LEAD2);
    await lou.type('Note', 'not in the console');
    await lou.submit('Settle');
    await reaches(office, purchase.id, 'declined');
    await cardWith(office, 'it is settled');
  });

  it('with approvals off is not the only one who has the card of its unknown outcome', async () => {
    const office = await officeOf({ approvals: 'approvals: off' }, {}, LEAD);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD] });
    office.vendor.next('renew', { name: 'reset_before_answer' });
    goTo(office, DUE);
    const { purchase } = await until(async () => (await office.records())[0], 'the renewal');
    await reaches(office, purchase.id, 'unknown');
    // The card goes out before it.
    await dmWith(office, BUYER, 'unknown');
    await dmWith(
      office,
      BUYER,
      'Somebody else has to be let into one of them, and then gets its card by direct message',
    );
    expect(heard(office, LEAD, '[It was placed]')).toBe(0);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2] });
    office.clock.advance(60_000);
    for (const user of [LEAD, LEAD2]) await dmWith(office, user, '[It was placed]');
  });

  it('is known by every id of theirs, also in the submit of a card that was opened before', async () => {
    const office = await officeOf({}, {}, LEAD);
    office.slack.settings.usersInfoId = 'workspace';
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    office.slack.world.setPerson(LEAD, { enterpriseUserId: `W${LEAD.slice(1)}`, actsAs: 'enterprise' });
    await press(office, purchase.id, 'Approve', LEAD).catch(() => undefined);
    const lea = office.slack.as(LEAD);
    if (lea.screen.modal?.submit) await lea.submit('Approve');
    await until(async () => refusalsIn(await reaches(office, purchase.id, 'requested')).length > 0);
    expect(refusalsIn(await reaches(office, purchase.id, 'requested'))).toEqual([
      `W${LEAD.slice(1)} approve: kept_by_you`,
    ]);
  });

  it('is none of two people, where two are needed', async () => {
    const approvals = `approvals: { channel: ${CHANNEL}, two_people_above: 1 }`;
    const office = await officeOf({ approvals }, {}, LEAD);
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await decide(office, purchase.id, 'Approve', LEAD2);
    await until(async () => (await reaches(office, purchase.id, 'requested')).purchase.firstApprover === LEAD2);
    await press(office, purchase.id, 'Approve', LEAD);
    await hears(office, LEAD, 'You marked this order “Keep”');
    await delivered(office);
    expect((await reaches(office, purchase.id, 'requested')).purchase.approver).toBeNull();
  });

  it('spends nothing in that person’s name, where the policy asks for no approval: then somebody else is asked', async () => {
    const office = await officeOf(FREE, {}, LEAD);
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    expect(purchase).toMatchObject({ state: 'requested', needsApproval: true });
    await decide(office, purchase.id, 'Approve', LEAD2);
    await reaches(office, purchase.id, 'completed');
  });
});

describe('an order that is let end while its kept renewal waits', () => {
  it.each([
    ['its owner', BUYER],
    ['an approver', LEAD],
  ])('has it withdrawn by %s, in one', async (_, by) => {
    const office = await officeOf();
    await office.another();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    const person = await openOrder(office, '1001', by);
    expect(modalText(person)).toContain('A renewal, filed by itself for @bea, is waiting for approval');
    await person.press('Let it end');
    await person.waitFor('is withdrawn, and is not filed again by itself');
    const { entries, purchase: withdrawn } = await reaches(office, purchase.id, 'withdrawn');
    expect(withdrawn.why).toBe('its order is to be let end');
    expect(entries.at(-1)).toMatchObject({ by, from: 'requested', to: 'withdrawn' });
    expect((await office.books.orders.look(['1001'])).orders[0]?.entries.at(-1)).toMatchObject({
      by,
      detail: { kind: 'order_intent', intent: 'let_end' },
    });
    await dmWith(office, BUYER, 'Withdrawn: its order is to be let end. No money moved.');
    await delivered(office);
    expect(heard(office, BUYER, 'Withdrawn: its order is to be let end')).toBe(by === BUYER ? 2 : 3); // the card, the receipt, and news where somebody else did it
    await person.press('Keep');
    await person.waitFor('Kept: to be renewed before it ends');
    expect(modalText(person)).toContain('is withdrawn, and is not filed again by itself');
    await person.close({ all: true });
    await hoursPass(office, 2);
    await renewal(office, 1);
  });

  it('has it withdrawn when it is approved and was not sent, and by “Keep” taken back', async () => {
    const office = await officeOf();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    await command(office, 'freeze wait', LEAD2);
    await cardWith(office, 'Spending was frozen');
    await decide(office, purchase.id, 'Approve');
    await reaches(office, purchase.id, 'approved');
    const bea = await openOrder(office, '1001');
    await bea.press('Keep');
    await bea.waitFor('is withdrawn, and is not filed again by itself');
    expect((await reaches(office, purchase.id, 'withdrawn')).purchase.why).toBe('its order is not kept any more');
    expect(office.vendor.posts).toBe(0);
  });

  it('says that it is too late once money may be leaving, and what that means; the order is not kept after that', async () => {
    const office = await officeOf();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    office.vendor.next('renew', { name: 'hold' });
    await decide(office, purchase.id, 'Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    const bea = await openOrder(office, '1001');
    await bea.press('Let it end');
    await bea.waitFor('It is too late to withdraw it: money may be leaving');
    expect(modalText(bea)).toContain('To be let end, said by @bea');
    await bea.close({ all: true });
    office.vendor.release();
    await reaches(office, purchase.id, 'completed');
    goTo(office, Date.parse('2027-03-12T12:00Z'));
    await hoursPass(office, 2);
    await renewal(office, 1);
    expect(office.vendor.posts).toBe(1);
  });

  it('leaves what a person has asked for alone', async () => {
    const office = await officeOf();
    const person = await renew(office, '1001', BUYER, 'by hand');
    await person.submit('Review');
    const id = await filed(office, person, 'Ask for approval');
    await person.close({ all: true });
    const lea = await openOrder(office, '1001', LEAD);
    await lea.press('Let it end');
    await lea.waitFor('To be let end, said by @lea');
    await reaches(office, id, 'requested');
  });

  it('once it is handed over, is let end by its new owner; until then its renewal goes on in the old one’s name, as is said', async () => {
    const office = await officeOf();
    goTo(office, DUE);
    const { purchase } = await renewal(office);
    const bea = await openOrder(office, '1001');
    await bea.press('Hand over');
    await bea.waitFor('stays in the name of @bea and goes on');
    await bea.pick('New owner, who may renew orders', 'bob');
    await bea.submit('Hand over');
    await bea.close({ all: true });
    await reaches(office, purchase.id, 'requested');
    const ben = await openOrder(office, '1001', BUYER2);
    await ben.press('Let it end');
    await ben.waitFor('is withdrawn, and is not filed again by itself');
    expect((await reaches(office, purchase.id, 'withdrawn')).entries.at(-1)).toMatchObject({ by: BUYER2 });
    await dmWith(office, BUYER, 'Withdrawn: its order is to be let end');
  });
});

describe('on a ledger that went back in time', () => {
  it('what is kept is not renewed once more without an approver’s yes, and whoever unfreezes hears how many there are', async () => {
    const office = await officeOf(FREE);
    goTo(office, DUE);
    await reaches(office, (await renewal(office)).purchase.id, 'completed');
    await hoursPass(office, 1);
    // Another order, whose renewal the backup has forgotten.
    await ending(office, '1002', END);
    await keep(office, '1002', END);
    await office.books.database.write((sql) => freezeGoneBack(sql, `${GONE_BACK.backup}2027-01-31T12:00:00.000Z`));
    await cardWith(office, 'Spending was frozen by Proxy Desk itself: restored');
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen');
    await hears(office, LEAD, /1 order that is kept files its renewal.*none is sent before an approver has said yes/s);
    office.clock.advance(60_000);
    const { purchase } = await renewal(office, 2);
    expect(purchase).toMatchObject({ orderId: '1002', state: 'requested', needsApproval: true });
    const card = office.slack.as(LEAD).read(await cardWith(office, purchase.id));
    expect(card).toContain('The ledger went back in time after that, and may have forgotten a renewal');
    expect(office.vendor.posts).toBe(1);
  });

  it('with approvals off it is not filed at all, and that is told, until “Keep” is said anew', async () => {
    const office = await officeOf({ approvals: 'approvals: off' });
    await office.books.database.write((sql) => freezeGoneBack(sql, `${GONE_BACK.backup}2027-01-31T12:00:00.000Z`));
    await command(office, 'unfreeze', LEAD);
    await dmWith(office, LEAD, 'no longer frozen');
    goTo(office, DUE);
    await dmWith(office, BUYER, 'the ledger went back in time since “Keep” was said');
    expect(await office.records()).toEqual([]);
    const bea = await openOrder(office, '1001');
    await bea.press('Keep');
    await bea.waitFor((screen) => !screen.text().includes('Kept:'));
    await bea.press('Keep');
    await bea.waitFor('Kept:');
    await bea.close({ all: true });
    await delivered(office);
    office.clock.advance(HOUR + 60_000);
    await reaches(office, (await renewal(office)).purchase.id, 'completed');
  });
});
