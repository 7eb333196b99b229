import { describe, expect, test } from 'vitest';
import type { ReminderRow } from '../../src/purchasing/model/end-reminder.ts';
import type { OrderEntry, OrderEntryDetail, OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { paidUntil } from '../../src/purchasing/rules/calendar.ts';
import {
  decideRemindAgain,
  decideReminder,
  dueRung,
  mayBeDue,
  reminderDay,
  reminderState,
  rungsOf,
} from '../../src/purchasing/rules/end-reminders.ts';
import type { Allowed } from '../../src/purchasing/rules/rights.ts';
import { zoneOf } from '../../src/purchasing/rules/zones.ts';
import { REMINDERS } from '../support/policy.ts';
import { attempt, facts, MONTHLY, purchase, YEARLY } from '../views/fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);
const ANN = 'U0ANN';
const KIRITIMATI = 'Pacific/Kiritimati';
const PAGO_PAGO = 'Pacific/Pago_Pago';
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

/** Every moment at which a rung is told, by a pass an hour from `from` on, and which. */
function toldAt(endsAt: number, name: string | null, from: number) {
  const zone = zoneOf(name);
  const told: string[] = [];
  let last: number | null = null;
  for (let now = from; now < endsAt + 4 * DAY; now += HOUR) {
    const rung = dueRung({ endsAt, again: null, last }, REMINDERS, zone, now);
    if (rung === null) continue;
    // What is looked for in no zone before its time is never missed by looking no further.
    expect(mayBeDue({ orderId: '1', owner: null, endsAt, again: null, last }, REMINDERS, now)).toBe(true);
    told.push(`${rung}: ${new Date(now).toISOString().slice(0, 16)}`);
    last = rung;
  }
  return told;
}

describe('each rung is told once, at nine in the morning of its day where the owner is', () => {
  test.each([
    [
      'in UTC',
      null,
      '2026-03-15T12:00Z',
      ['7: 2026-03-08T09:00', '3: 2026-03-12T09:00', '1: 2026-03-14T09:00', '-1: 2026-03-16T09:00'],
    ],
    [
      'in Kiritimati, where it ends on the next day already',
      KIRITIMATI,
      '2026-03-15T12:00Z',
      ['7: 2026-03-08T19:00', '3: 2026-03-12T19:00', '1: 2026-03-14T19:00', '-1: 2026-03-16T19:00'],
    ],
    [
      'in Pago Pago, where it ends on the day before',
      PAGO_PAGO,
      '2026-03-15T08:00Z',
      ['7: 2026-03-07T20:00', '3: 2026-03-11T20:00', '1: 2026-03-13T20:00', '-1: 2026-03-15T20:00'],
    ],
    [
      'over the beginning of summer time in Berlin',
      BERLIN,
      '2026-03-30T12:00Z',
      ['7: 2026-03-23T08:00', '3: 2026-03-27T08:00', '1: 2026-03-29T07:00', '-1: 2026-03-31T07:00'],
    ],
    [
      'over its end',
      BERLIN,
      '2026-10-26T12:00Z',
      ['7: 2026-10-19T07:00', '3: 2026-10-23T07:00', '1: 2026-10-25T08:00', '-1: 2026-10-27T08:00'],
    ],
    [
      'over the beginning of summer time in New York',
      NEW_YORK,
      '2026-03-09T12:00Z',
      ['7: 2026-03-02T14:00', '3: 2026-03-06T14:00', '1: 2026-03-08T13:00', '-1: 2026-03-10T13:00'],
    ],
    [
      'over its end in New York',
      NEW_YORK,
      '2026-11-02T12:00Z',
      ['7: 2026-10-26T13:00', '3: 2026-10-30T13:00', '1: 2026-11-01T14:00', '-1: 2026-11-03T14:00'],
    ],
  ])('%s', (_, zone, end, expected) => {
    expect(toldAt(at(end), zone, at(end) - 10 * DAY)).toEqual(expected);
  });

  test('of what was missed only the nearest to the end is told', () => {
    const end = at('2026-03-15T12:00Z');
    expect(toldAt(end, null, at('2026-03-13T03:00Z'))).toEqual([
      '3: 2026-03-13T03:00',
      '1: 2026-03-14T09:00',
      '-1: 2026-03-16T09:00',
    ]);
    expect(toldAt(end, null, at('2026-03-17T03:00Z'))).toEqual(['-1: 2026-03-17T03:00']);
  });

  test.each([
    ['a month after 31 January', paidUntil(facts({ bought: bought('2026-01-31T12:00Z') })), '2026-02-28T12:00Z'],
    [
      'a year after 29 February',
      paidUntil(facts({ bought: bought('2028-02-29T12:00Z', YEARLY) })),
      '2029-02-28T12:00Z',
    ],
    [
      'renewed before the end: from the original day',
      paidUntil(facts({ bought: bought('2026-01-31T12:00Z'), renewals: [bought('2026-02-20T12:00Z')] })),
      '2026-03-31T12:00Z',
    ],
    [
      'renewed at the very end',
      paidUntil(facts({ bought: bought('2026-01-31T12:00Z'), renewals: [bought('2026-02-28T12:00Z')] })),
      '2026-03-31T12:00Z',
    ],
    [
      'renewed after the end: from that day',
      paidUntil(facts({ bought: bought('2026-01-31T12:00Z'), renewals: [bought('2026-03-05T12:00Z')] })),
      '2026-04-05T12:00Z',
    ],
  ])('%s', (_, end, expected) => {
    expect(end).toBe(at(expected));
    for (const zone of [KIRITIMATI, PAGO_PAGO, BERLIN, NEW_YORK])
      expect(toldAt(end ?? 0, zone, (end ?? 0) - 10 * DAY).map((told) => told.split(':')[0])).toEqual([
        '7',
        '3',
        '1',
        '-1',
      ]);
  });

  test('a clock that is set back tells nothing twice', () => {
    const end = at('2026-03-15T12:00Z');
    expect(dueRung({ endsAt: end, again: null, last: 3 }, REMINDERS, zoneOf(null), at('2026-03-09T12:00Z'))).toBeNull();
  });

  test('an owner who travels hears of a rung once', () => {
    const end = at('2026-03-15T12:00Z');
    const now = at('2026-03-12T20:00Z');
    for (const zone of [KIRITIMATI, PAGO_PAGO])
      expect(dueRung({ endsAt: end, again: null, last: 3 }, REMINDERS, zoneOf(zone), now)).toBeNull();
  });

  test('a rung that is no whole number of days is a day earlier rather than late', () => {
    expect(rungsOf({ ...REMINDERS, beforeEndMs: [36 * HOUR, DAY, 12 * HOUR] })).toEqual([2, 1]);
  });

  test.each([
    ['before the hour, that of yesterday', '2026-03-10T07:59Z', '2026-03-09'],
    ['from the hour on, that of today', '2026-03-10T08:00Z', '2026-03-10'],
  ])('the reminder of a day: %s', (_, now, day) => {
    expect(reminderDay(zoneOf(BERLIN), REMINDERS, at(now)) * DAY).toBe(at(`${day}T00:00Z`));
  });
});

function bought(when: string, plan = MONTHLY) {
  return purchase({ state: 'completed', requester: ANN, plan, attempt: attempt({ at: at(when) }) });
}

const said = (detail: OrderEntryDetail, by = ANN): OrderEntry => ({ seq: 1, at: 0, by, detail });
const END = at('2026-02-28T12:00Z');
const letEnd = said({ kind: 'order_intent', intent: 'let_end', endsAt: END });
const keep = said({ kind: 'order_intent', intent: 'keep', endsAt: END });
const ID = facts().orderId;

describe('a reminder', () => {
  const to = {
    key: 'reminder:U0ANN:2026-02-25',
    audience: `user:${ANN}` as const,
    zone: zoneOf(null),
    owners: new Map<OrderId, string | null>([[ID, ANN]]),
  };
  const decide = (of: Partial<OrderFacts>, over: { now?: string; last?: number | null; written?: boolean } = {}) => {
    const { now = '2026-02-25T09:00Z', last = 7, written = false } = over;
    return decideReminder({ now: at(now), written, orders: [{ facts: facts(of), last }] }, to, REMINDERS);
  };
  const one = bought('2026-01-31T12:00Z');

  test('tells of the rung, and marks it', () => {
    expect(decide({ bought: one })).toEqual({
      notice: expect.objectContaining({ kind: 'ending', audience: 'user:U0ANN', key: to.key, text: to.key }),
      lines: [{ orderId: ID, owner: ANN, endsAt: END, rung: 3, told: true }],
    });
  });

  test.each<[string, ReturnType<typeof decide>]>([
    ['that is written already', decide({ bought: one }, { written: true })],
    ['of a rung that another has told', decide({ bought: one }, { last: 3 })],
    ['of what was renewed', decide({ bought: one, renewals: [bought('2026-02-24T12:00Z')] })],
    [
      'of what was handed over',
      decide({ bought: one, entries: [said({ kind: 'order_owner', owner: 'U0BEN', before: ANN })] }),
    ],
    ['of an order that is none any more', decide({})],
  ])('tells and marks nothing %s', (_, change) => {
    expect(change).toEqual({ notice: null, lines: [] });
  });

  test.each<[string, ReturnType<typeof decide>]>([
    ['of what is let end', decide({ bought: one, entries: [letEnd] })],
    [
      'of a day that was over when it was bought',
      decide({ bought: bought('2026-02-25T10:00Z', WEEK) }, { now: '2026-02-25T10:01Z', last: null }),
    ],
  ])('tells nothing %s, and does not ask again', (_, { notice, lines }) => {
    expect(notice).toBeNull();
    expect(lines).toMatchObject([{ told: false }]);
  });

  test('tells that it has ended, also of what was to end', () => {
    expect(decide({ bought: one, entries: [letEnd] }, { now: '2026-03-01T09:00Z' })).toMatchObject({
      lines: [{ rung: -1, told: true }],
    });
  });

  test('tells of what is kept too: money is about to be spent', () => {
    expect(decide({ bought: one, entries: [keep] })).toMatchObject({ lines: [{ rung: 3, told: true }] });
  });

  test.each<[string, Partial<OrderFacts>, string, string]>([
    ['ends', { bought: one }, '2026-02-25T09:00Z', 'ends'],
    ['has ended', { bought: one }, '2026-02-28T12:00Z', 'ended'],
    ['was renewed', { bought: one, renewals: [bought('2026-02-26T12:00Z')] }, '2026-02-26T12:00Z', 'renewed'],
    ['was let end', { bought: one, entries: [letEnd] }, '2026-02-26T12:00Z', 'let_end'],
    [
      'was handed over',
      { bought: one, entries: [said({ kind: 'order_owner', owner: 'U0BEN', before: ANN })] },
      '2026-02-26T12:00Z',
      'handed_over',
    ],
    ['is no order any more', {}, '2026-02-26T12:00Z', 'gone'],
  ])('shows later that an order %s', (_, of, now, expected) => {
    const row: ReminderRow = { orderId: ID, owner: ANN, endsAt: END, rung: 3, facts: facts(of), renewal: null };
    expect(reminderState(row, at(now))).toBe(expected);
  });
});

const WEEK = { ...MONTHLY, term: { amount: 1, unit: 'week' } as const };

describe('"Remind me tomorrow"', () => {
  const allowed = (user: string, ...rights: 'approve'[]): Allowed => ({
    person: user,
    ids: new Set([user]),
    rights: new Set(rights),
  });
  const one = bought('2026-01-31T12:00Z');
  const decide = (
    by = allowed(ANN),
    over: { of?: Partial<OrderFacts>; now?: string; zone?: string | null; before?: 'done' | 'refused' } = {},
  ) => {
    const { of = { bought: one }, now = '2026-02-21T10:00Z', zone = null, before = null } = over;
    return decideRemindAgain(
      { now: at(now), orders: [facts(of)], keptRenewals: [], deliveredBefore: before },
      { user: ANN, allowed: by },
      ID,
      zoneOf(zone),
      REMINDERS,
    );
  };
  const again = (rung: number) => [{ orderId: ID, by: ANN, detail: { kind: 'order_remind_again', endsAt: END, rung } }];

  test('is the rung of the next day, where the owner is', () => {
    expect(decide()).toMatchObject({ entries: again(6), click: 'done', result: { remindAgain: 6 } });
    expect(decide(allowed(ANN), { zone: KIRITIMATI, now: '2026-02-21T09:59Z' })).toMatchObject({ entries: again(7) });
    expect(decide(allowed('U0LEA', 'approve'))).toMatchObject({ entries: again(6) });
  });

  test('comes on that day at the hour, once', () => {
    const order = { endsAt: END, again: 6, last: 7 };
    const due = (now: string, last = 7) => dueRung({ ...order, last }, REMINDERS, zoneOf(null), at(now));
    expect(due('2026-02-22T08:59Z')).toBeNull();
    expect(due('2026-02-22T09:00Z')).toBe(6);
    expect(due('2026-02-22T09:00Z', 6)).toBeNull();
    expect(due('2026-02-25T09:00Z', 6)).toBe(3);
  });

  test.each<[string, object, string]>([
    ['somebody else', decide(allowed('U0BEN')), 'not_owner'],
    [
      'whose rights cannot be read',
      decide({ refused: 'rights_unreadable', retryAfterSeconds: 5 }),
      'rights_unreadable',
    ],
    ['of an order that ends before', decide(allowed(ANN), { now: '2026-02-28T10:00Z' }), 'ends_before_tomorrow'],
    ['of one that has ended', decide(allowed(ANN), { now: '2026-03-01T10:00Z' }), 'ends_before_tomorrow'],
    ['of one that nobody knows', decide(allowed(ANN), { of: {} }), 'order_not_in_book'],
  ])('refused: %s', (_, change, refused) => {
    expect(change).toMatchObject({ result: { refused }, click: 'refused' });
    expect(change).not.toHaveProperty('entries');
  });

  test('pressed or delivered again changes nothing', () => {
    expect(decide(allowed(ANN), { before: 'done' })).not.toHaveProperty('entries');
    expect(decide(allowed(ANN), { before: 'refused' }).result).toEqual({ refused: 'delivered_again' });
    const entries = [said({ kind: 'order_remind_again', endsAt: END, rung: 6 })];
    expect(decide(allowed(ANN), { of: { bought: one, entries } })).not.toHaveProperty('entries');
  });

  test('is said of one end', () => {
    const entries = [said({ kind: 'order_remind_again', endsAt: END, rung: 6 })];
    const of = { bought: one, renewals: [bought('2026-02-20T12:00Z')], entries };
    expect(decide(allowed(ANN), { of })).toMatchObject({ result: { endsAt: at('2026-03-31T12:00Z') } });
    expect(decide(allowed(ANN), { of })).toHaveProperty('entries');
  });
});
