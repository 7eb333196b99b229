import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/slack/index.ts';
import { DAY, ending, goTo, say } from '../support/ending.ts';
import {
  BUYER,
  BUYER2,
  LEAD,
  type Office,
  type OfficeOptions,
  openOffice,
  policyOf,
  VIEWER,
} from '../support/office.ts';
import { bodies, decide, delivered, dmWith, filed, hears, modalText, reaches, until } from '../support/steps.ts';

const at = (text: string) => Date.parse(text);
/** Far from any change of summer time where nothing else is said. */
const END = at('2027-02-15T12:00Z');
const IN_UTC = 'Etc/UTC';
const KIRITIMATI = 'Pacific/Kiritimati';
const PAGO_PAGO = 'Pacific/Pago_Pago';

/** Everybody in UTC, a day before the first rung of {@link END}. */
async function officeOf(options: OfficeOptions = {}): Promise<Office> {
  const office = await openOffice(options);
  for (const user of [BUYER, BUYER2, LEAD]) office.slack.world.setPerson(user, { timeZone: IN_UTC });
  goTo(office, at('2027-02-07T12:00Z'));
  return office;
}

const reminders = (office: Office, user: string) =>
  office.slack.as(user).screen.dm.filter((message) => /end.? soon|ended/.test(office.slack.as(user).read(message)));
const text = (office: Office, user: string, message: Message) => office.slack.as(user).read(message);
const told = (office: Office, user: string) => reminders(office, user).map((message) => text(office, user, message));
const newest = (office: Office, user: string) => reminders(office, user).at(-1);

/** Waits for so many reminders, and until all that is owed has come. */
async function reminded(office: Office, user: string, count: number): Promise<readonly string[]> {
  await office.slack.as(user).waitFor(() => reminders(office, user).length >= count);
  await delivered(office);
  expect(told(office, user)).toHaveLength(count);
  return told(office, user);
}

async function pressNewest(office: Office, user: string, button: string, which = {}): Promise<void> {
  const message = newest(office, user);
  if (!message) throw new Error('there is no reminder');
  await office.slack.as(user).pressOn(message, button, which);
}

describe('an owner is reminded', () => {
  it('of all orders that reach a rung, in one direct message at nine of their own morning', async () => {
    const office = await officeOf();
    office.slack.world.setPerson(BUYER, { timeZone: KIRITIMATI });
    office.slack.world.setPerson(BUYER2, { timeZone: PAGO_PAGO });
    await ending(office, '1001', END);
    await ending(office, '1002', END - 2 * 3_600_000, { note: 'for <!channel>' });
    await ending(office, '1003', END + 40 * DAY);
    await ending(office, '2001', at('2027-02-15T08:00Z'), { owner: BUYER2 });
    // In Pago Pago it ends on the 14th, so that its 7th day before is reached while Kiritimati is at the 9th.
    goTo(office, at('2027-02-07T20:00Z'));
    expect(await reminded(office, BUYER2, 1)).toEqual([expect.stringContaining('2001')]);
    expect(told(office, BUYER)).toEqual([]);
    goTo(office, at('2027-02-08T18:59Z'));
    await ending(office, '2002', at('2027-02-10T08:00Z'), { owner: LEAD });
    goTo(office, at('2027-02-08T19:00Z'));
    const [message = ''] = await reminded(office, BUYER, 1);
    for (const part of [
      '2 of your orders end soon',
      'Order 1001',
      'Order 1002',
      'for <!channel>',
      '2 IPs (US 2)',
      'computed by us',
    ])
      expect(message).toContain(part);
    expect(message).not.toContain('1003');
    expect(message.match(/\[Renew\]|\[Let it end\]|\[Remind me tomorrow\]/g)).toHaveLength(6);
  });

  it('once for each rung over months of restarts, two processes and a change of summer time, and that it has ended', async () => {
    const office = await officeOf();
    office.slack.world.setPerson(BUYER, { timeZone: 'Europe/Berlin' });
    const end = at('2027-03-28T12:00Z');
    goTo(office, at('2027-03-20T12:00Z'));
    await ending(office, '1001', end);
    await office.another();
    const days = [
      ['2027-03-21T08:00Z', 1],
      ['2027-03-25T08:00Z', 2],
      ['2027-03-27T08:00Z', 3],
      ['2027-03-29T07:00Z', 4],
    ] as const;
    for (const [day, count] of days) {
      goTo(office, at(day));
      await reminded(office, BUYER, count);
      await office.restart();
      goTo(office, at(day) + 3_600_000);
    }
    const last = told(office, BUYER).at(-1);
    expect(last).toContain('Your order 1001 has ended');
    expect(last).toContain('by our reckoning');
    expect(last).toMatch(/\[Renew\]/);
    expect(last).not.toContain('[Let it end]');
    await ending(office, '1002', end + 40 * DAY);
    goTo(office, end + 33 * DAY + 6 * 3_600_000);
    await reminded(office, BUYER, 5);
  });

  it('late, once and of the nearest rung alone, of what was missed while the bot was down', async () => {
    const office = await officeOf();
    await ending(office, '1001', END);
    await ending(office, '1002', END - 3_600_000);
    await office.bot.stop();
    goTo(office, at('2027-02-13T03:00Z'));
    await office.restart();
    const [message = ''] = await reminded(office, BUYER, 1);
    for (const order of ['1001', '1002']) expect(message).toContain(order);
    goTo(office, at('2027-02-14T09:00Z'));
    await reminded(office, BUYER, 2);
  });

  it('at once of what is written down late in the day, but in a second message only the next day', async () => {
    const office = await officeOf();
    goTo(office, at('2027-02-12T12:00Z'));
    await ending(office, '1001', END);
    goTo(office, at('2027-02-12T12:05Z'));
    await reminded(office, BUYER, 1);
    await ending(office, '1002', END);
    await ending(office, '2001', END, { owner: BUYER2 });
    goTo(office, at('2027-02-12T12:10Z'));
    await reminded(office, BUYER2, 1);
    expect(told(office, BUYER)).toHaveLength(1);
    goTo(office, at('2027-02-13T09:00Z'));
    expect((await reminded(office, BUYER, 2))[1]).toContain('1002');
  });

  it('not at all where the policy says off, and again when that is taken back', async () => {
    const office = await officeOf({ reminders: 'reminders: off' });
    await ending(office, '1001', END);
    goTo(office, at('2027-02-08T09:00Z'));
    office.bot.usePolicy(policyOf({ reminders: 'reminders: { before_end: [5d], at: "06:00" }' }));
    goTo(office, at('2027-02-10T06:00Z'));
    await reminded(office, BUYER, 1);
  });

  it('when Slack tells their time zone again, if it could not be read at the hour', async () => {
    const office = await officeOf();
    await ending(office, '1001', END);
    const fault = office.slack.faults.add('users.info', { kind: 'error', code: 'internal_error' }, { times: 3 });
    goTo(office, at('2027-02-08T09:00Z'));
    await until(() => fault.hits > 0);
    expect(told(office, BUYER)).toEqual([]);
    for (let minute = 0; minute < 6; minute += 1) office.clock.advance(60_000);
    await until(async () => {
      office.clock.advance(60_000);
      return told(office, BUYER).length > 0;
    });
    await reminded(office, BUYER, 1);
  });

  it('of twelve orders in one message at the most, with how many there are besides', async () => {
    const office = await officeOf();
    for (let order = 0; order < 40; order += 1)
      await ending(office, `${9_007_199_254_740_993n + BigInt(order)}`, END, { note: `${'&'.repeat(200)}` });
    goTo(office, at('2027-02-08T09:00Z'));
    const [message = ''] = await reminded(office, BUYER, 1);
    expect(message).toContain('40 of your orders end soon');
    expect(message).toContain('And 28 more');
  });
});

describe('nobody is reminded', () => {
  it('of what was renewed, let end or handed over since; its new owner is', async () => {
    const office = await officeOf();
    for (const order of ['1001', '1002', '1003', '1004']) await ending(office, order, END);
    await say(office, '1001', { kind: 'order_intent', intent: 'let_end', endsAt: END });
    await say(office, '1002', { kind: 'order_owner', owner: BUYER2, before: BUYER });
    await say(office, '1003', { kind: 'order_owner', owner: LEAD, before: BUYER });
    await renewed(office, '1004');
    goTo(office, at('2027-02-12T09:00Z'));
    expect(await reminded(office, BUYER2, 1)).toEqual([expect.stringContaining('1002')]);
    await delivered(office);
    expect(told(office, BUYER)).toEqual([]);
  });

  it('of what changes between the decision and the post: with nothing left, nothing is posted', async () => {
    const office = await officeOf();
    await ending(office, '1001', END);
    await ending(office, '1002', END);
    const fault = office.slack.faults.add('chat.postMessage', { kind: 'status', status: 503 }, { times: 1 });
    goTo(office, at('2027-02-08T09:00Z'));
    await until(() => fault.hits > 0);
    await say(office, '1001', { kind: 'order_intent', intent: 'let_end', endsAt: END });
    office.clock.advance(10_000);
    const [message] = await reminded(office, BUYER, 1);
    expect(message).toContain('Order 1002');
    expect(message).not.toContain('Order 1001');
    const again = office.slack.faults.add('chat.postMessage', { kind: 'status', status: 503 }, { times: 1 });
    await say(office, '1001', { kind: 'order_intent', intent: null, endsAt: END });
    goTo(office, at('2027-02-12T09:00Z'));
    await until(() => again.hits > 0);
    for (const order of ['1001', '1002'])
      await say(office, order, { kind: 'order_intent', intent: 'let_end', endsAt: END });
    office.clock.advance(10_000);
    await delivered(office);
    expect(told(office, BUYER)).toHaveLength(1);
  });
});

describe('the buttons of a reminder', () => {
  const one = async (options: OfficeOptions = {}) => {
    const office = await officeOf(options);
    await ending(office, '1001', END);
    await ending(office, '1002', END);
    goTo(office, at('2027-02-08T09:00Z'));
    await reminded(office, BUYER, 1);
    return office;
  };
  const shows = (office: Office, words: string | RegExp, user = BUYER) =>
    until(() => {
      const message = newest(office, user);
      return message && text(office, user, message).match(words);
    }, String(words));

  it('Let it end is written down, shown on the message, and ends the reminders of that order alone', async () => {
    const office = await one();
    await pressNewest(office, BUYER, 'Let it end', { nth: 1 });
    await shows(office, /Let end by @bea/);
    expect((await office.books.ledger.order('1001')).entries.at(-1)).toMatchObject({
      by: BUYER,
      detail: { kind: 'order_intent', intent: 'let_end', endsAt: END },
    });
    goTo(office, at('2027-02-12T09:00Z'));
    const message = (await reminded(office, BUYER, 2))[1];
    expect(message).toContain('1002');
    expect(message).not.toContain('1001');
  });

  it('Remind me tomorrow brings it again the next day at the hour, once, and is gone from the message', async () => {
    const office = await one();
    await office.another();
    await pressNewest(office, BUYER, 'Remind me tomorrow', { nth: 1 });
    await shows(office, 'You are reminded again');
    expect(told(office, BUYER)[0]?.match(/\[Remind me tomorrow\]/g)).toHaveLength(1);
    goTo(office, at('2027-02-09T09:00Z'));
    const message = (await reminded(office, BUYER, 2))[1];
    expect(message).toContain('1001');
    expect(message).not.toContain('1002');
    goTo(office, at('2027-02-12T09:00Z'));
    expect((await reminded(office, BUYER, 3))[2]).toContain('1001');
  });

  it('Renew opens the form of that order; the message then follows its renewal', async () => {
    const office = await one();
    await pressNewest(office, BUYER, 'Renew', { nth: 1 });
    const bea = office.slack.as(BUYER);
    await bea.waitFor('Renew order');
    await bea.waitFor(/Balance: (?!reading)/);
    expect(modalText(bea)).toContain('1001');
    office.vendor.addOrder({ id: '1001', quantity: 2 });
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await shows(office, /request P-\S+ waiting for approval|waiting for approval/);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await shows(office, /Renewed by @bea: runs until about/);
    expect(bodies(office)).toEqual(['{"order_id":1001,"renew_product_id":"lt-monthly"}']);
    goTo(office, at('2027-02-12T09:00Z'));
    expect((await reminded(office, BUYER, 2))[1]).not.toContain('1001');
  });

  it('count only for owner and approvers, on the message that tells of the order, once however often they arrive', async () => {
    const office = await one();
    await ending(office, '3001', END, { owner: BUYER2 });
    const message = newest(office, BUYER);
    if (!message) throw new Error('no reminder');
    const delivery = await office.slack.as(BUYER).pressOn(message, 'Remind me tomorrow', { nth: 1 });
    if (!delivery) throw new Error('not delivered');
    await shows(office, 'You are reminded again');
    const [action] = delivery.body['actions'] as [object];
    const send = (user: string, body: object) =>
      office.slack.deliver({
        kind: 'interactive',
        type: 'block_actions',
        user,
        body: { ...delivery.body, user: { id: user, team_id: 'T0TEAM' }, trigger_id: randomUUID(), ...body },
      });
    // Another order than the message tells of; a place where no reminder is; somebody else.
    await send(BUYER, { actions: [{ ...action, action_id: 'reminder_let_end', value: '3001' }] });
    await hears(office, BUYER, 'does not belong here');
    await send(VIEWER, {
      response_url: undefined,
      actions: [{ ...action, action_id: 'reminder_let_end', value: '1001' }],
      channel: { id: 'C0GENERAL', name: 'general' },
      message: { ...message, ts: '1.000001' },
      container: { type: 'message', channel_id: 'C0GENERAL', message_ts: '1.000001' },
    });
    await dmWith(office, VIEWER, 'does not belong here');
    await send(VIEWER, {
      response_url: undefined,
      actions: [{ ...action, action_id: 'reminder_let_end', value: '1001' }],
    });
    await dmWith(office, VIEWER, 'Only its owner');
    await send(VIEWER, { response_url: undefined, actions: [{ ...action, value: '1001' }] });
    await until(
      () =>
        office.slack.as(VIEWER).screen.dm.filter((one) => text(office, VIEWER, one).includes('Only its owner'))
          .length === 2,
    );
    for (const order of ['1001', '3001'])
      expect((await office.books.ledger.order(order as '1')).entries.map(({ detail }) => detail.kind)).toEqual(
        order === '1001' ? ['order_imported', 'order_remind_again'] : ['order_imported'],
      );
    await office.slack.redeliver(delivery);
    await delivered(office);
    expect((await office.books.ledger.order('1001')).entries).toHaveLength(2);
  });
});

describe('where there is no owner to remind, the approvers are', () => {
  const channel = (office: Office) => {
    const lea = office.slack.as(LEAD);
    return (lea.screen.channels['approvals'] ?? []).map((message) => lea.read(message));
  };

  it('who was never known, has left, or may not renew any more: in one message a day', async () => {
    const office = await officeOf();
    await ending(office, '1001', END, { owner: null });
    await ending(office, '1002', END, { owner: BUYER });
    await ending(office, '1003', END, { owner: VIEWER });
    await ending(office, '1004', END, { owner: BUYER2 });
    office.slack.world.setPerson(BUYER, { deleted: true });
    goTo(office, at('2027-02-08T09:00Z'));
    await reminded(office, BUYER2, 1);
    await delivered(office);
    const [message = '', ...more] = channel(office);
    expect(more).toEqual([]);
    for (const part of ['3 orders end soon', '1001', 'Owner: not known', '1002', '1003', 'Owner: @vic'])
      expect(message).toContain(part);
    expect(message).not.toContain('1004');
    const lea = office.slack.as(LEAD);
    const card = lea.message((_, words) => words.includes('3 orders end soon'));
    await lea.pressOn(card, 'Let it end', { nth: 1 });
    await until(() => channel(office)[0]?.includes('Let end by @lea'));
    await lea.pressOn(
      lea.message((_, words) => words.includes('3 orders end soon')),
      'Remind me tomorrow',
      { nth: 1 },
    );
    await until(() => channel(office)[0]?.includes('reminded again'));
    goTo(office, at('2027-02-09T09:00Z'));
    await until(() => channel(office).length === 2);
    expect(channel(office)[1]).toContain('1002');
    expect(channel(office)[1]).not.toContain('1003');
  });

  it('by direct message to each where there is no approvals channel', async () => {
    const office = await officeOf({ approvals: 'approvals: off' });
    await ending(office, '1001', END, { owner: null });
    goTo(office, at('2027-02-08T09:00Z'));
    await dmWith(office, LEAD, '1001');
    await delivered(office);
    await pressNewest(office, LEAD, 'Let it end');
    await until(() => told(office, LEAD)[0]?.includes('Let end by @lea'));
  });

  it('to whom Slack delivers nothing: passed on once', async () => {
    const office = await officeOf();
    await ending(office, '1001', END);
    office.slack.world.setPerson(BUYER, { refuses: 'user_not_visible' });
    goTo(office, at('2027-02-08T09:00Z'));
    await until(() => channel(office).length === 1);
    await delivered(office);
    expect(channel(office)).toEqual([expect.stringContaining('1001')]);
  });
});

/** As if it had been renewed a moment ago, by a request of its owner. */
async function renewed(office: Office, orderId: string): Promise<void> {
  office.vendor.addOrder({ id: orderId, quantity: 2 });
  const bea = office.slack.as(BUYER);
  await bea.command('/proxy', `renew ${orderId}`);
  await bea.waitFor('Renew order');
  await bea.waitFor(/Balance: (?!reading)/);
  await bea.submit('Review');
  const id = await filed(office, bea, 'Ask for approval');
  await decide(office, id, 'Approve');
  await reaches(office, id, 'completed');
}

describe('a reminder that was posted twice, since Slack’s answer was lost', () => {
  it.each(['Renew', 'Let it end', 'Remind me tomorrow'])(
    'loses its buttons on the copy when %s is pressed there, which counts all the same',
    async (button) => {
      const office = await officeOf();
      await ending(office, '1001', END);
      const only = ({ args }: { args: Record<string, unknown> }) => String(args['text']).includes('1001');
      const lost = office.slack.faults.add('chat.postMessage', { kind: 'reset', when: 'after' }, { times: 1, only });
      goTo(office, at('2027-02-08T12:00Z'));
      await until(() => lost.hits > 0);
      await until(() => office.lines.some(({ message }) => message === 'a message could not be delivered'));
      office.clock.advance(2_000);
      const bea = office.slack.as(BUYER);
      await bea.waitFor(() => reminders(office, BUYER).length === 2);
      await delivered(office);
      const [copy, kept] = reminders(office, BUYER);
      if (!copy || !kept) throw new Error('two reminders were expected');
      await bea.pressOn(copy, button);
      await bea.waitFor((screen) =>
        screen.dm.some((message) => bea.read(message).includes('second copy of a reminder')),
      );
      const [shown = '', ...others] = told(office, BUYER).filter((of) => of.includes('1001'));
      expect(others).toEqual([]);
      const changed = { Renew: 'Ends about', 'Let it end': 'Let end by @bea', 'Remind me tomorrow': 'reminded again' };
      await until(() => told(office, BUYER).some((of) => of.includes(changed[button as keyof typeof changed])));
      expect(shown).toContain('Order 1001');
      if (button === 'Renew') await bea.waitFor('== Renew order ==');
    },
  );

  it('is told from the one that is kept up to date, which stays', async () => {
    const office = await officeOf();
    await ending(office, '1001', END);
    goTo(office, at('2027-02-08T12:00Z'));
    await reminded(office, BUYER, 1);
    await pressNewest(office, BUYER, 'Let it end');
    await until(() => told(office, BUYER).some((of) => of.includes('Let end by @bea')));
    expect(told(office, BUYER).join()).not.toContain('second copy');
  });
});
