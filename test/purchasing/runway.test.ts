import { describe, expect, it } from 'vitest';
import type { Movement } from '../../src/purchasing/model/account.ts';
import { difference, type Money } from '../../src/purchasing/model/money.ts';
import type { Intent } from '../../src/purchasing/model/order.ts';
import type { Quotient } from '../../src/purchasing/model/quotient.ts';
import { type DueRenewal, daysLeft, dueRenewals, runway, spentIn } from '../../src/purchasing/rules/runway.ts';
import { MONTHLY } from '../support/plan.ts';

const DAY = 86_400_000;
const money = (text: string) => text as Money;
const quotient = (amount: string, divisor = 1n): Quotient => ({ amount: money(amount), divisor });
const now = Date.UTC(2026, 10, 28);

describe('days left at the pace so far', () => {
  it.each([
    ['100.00', '300.00', 30, 10],
    // The last day is not whole.
    ['109.99', '300.00', 30, 10],
    ['110.00', '300.00', 30, 11],
    ['9.99', '300.00', 30, 0],
    ['0.00', '300.00', 30, 0],
    ['-3.20', '0', 30, 0],
    // A third of a dollar a day is no decimal.
    ['10.00', '10.00', 30, 30],
    ['100.00', '0', 30, null],
    ['100.00', '1.00', 30, null],
    // Watched for hours, nothing is known of a day.
    ['100.00', '50.00', 0.5, null],
    ['100.00', '50.00', 1, 2],
  ])('$%s, of which $%s left in %s days: %s', (balance, spent, days, expected) => {
    expect(daysLeft(money(balance), { spent: money(spent), overMs: days * DAY })).toBe(expected);
  });

  it('counts whatever fell, and sets nothing that came in against it', async () => {
    const movements = [
      ['100.00', '52.00'],
      ['52.00', '552.00'],
      ['552.00', '551.5'],
    ].map(([before = '', after = '']) => movement(before, after));
    expect(await spentIn(movements)).toBe('48.50');
  });
});

describe('the range', () => {
  const pace = (spent: string) => ({ spent: money(spent), overMs: 30 * DAY });
  const renewal = (days: number, cost: string, kept: boolean): DueRenewal => ({
    at: now + days * DAY,
    cost: quotient(cost),
    kept,
  });
  const range = (all: string, without: string, due: readonly DueRenewal[], balance = '100.00') =>
    runway({ now, balance: money(balance), all: pace(all), withoutRenewals: pace(without), due });

  it('is one number where there are no renewals', () => {
    expect(range('300.00', '300.00', [])).toEqual({ least: 10, most: 10 });
  });

  it('begins with the renewals that are probable, each on its day', () => {
    const due = [renewal(5, '60.00', false), renewal(3, '20.00', true)];
    expect(range('300.00', '150.00', due)).toEqual({ least: 4, most: 16 });
  });

  it('sees an end where only renewals are paid', () => {
    const due = [renewal(10, '60.00', true), renewal(40, '60.00', true)];
    expect(range('0', '0', due)).toEqual({ least: 39, most: null });
  });

  it('is not told before a day of watching', () => {
    const shortly = { spent: money('5.00'), overMs: DAY - 1 };
    expect(runway({ now, balance: money('100.00'), all: shortly, withoutRenewals: shortly, due: [] })).toBeUndefined();
  });

  it('is nothing where nothing is left', () => {
    expect(range('0', '0', [], '0.00')).toEqual({ least: 0, most: 0 });
  });
});

describe('renewals that are due', () => {
  const order = (days: number | null, intent: Intent | null, renewals: number) => ({
    plan: MONTHLY,
    endsAt: days === null ? null : now + days * DAY,
    intent,
    renewals,
  });
  const dates = (of: ReturnType<typeof order>, untilDays = 70) =>
    dueRenewals([{ order: of, cost: quotient('5.00') }], now, now + untilDays * DAY).renewals.map(({ at }) =>
      new Date(at).toISOString().slice(0, 10),
    );

  it.each([
    ['one that is kept, at every end', order(3, 'keep', 0), ['2026-12-01', '2027-01-01', '2027-02-01']],
    ['one that was renewed before', order(3, null, 1), ['2026-12-01', '2027-01-01', '2027-02-01']],
    ['not one of which nothing is known', order(3, null, 0), []],
    ['not one that is let end', order(3, 'let_end', 4), []],
    ['not one that has ended', order(-1, 'keep', 4), []],
    ['not one whose end is not known', order(null, 'keep', 4), []],
  ])('%s', (_, of, expected) => {
    expect(dates(of)).toEqual(expected);
  });

  it('say how many have no price', () => {
    const due = dueRenewals([{ order: order(3, 'keep', 0), cost: null }], now, now + 70 * DAY);
    expect(due).toEqual({ renewals: [], unpriced: 1 });
  });
});

function movement(before: string, after: string): Movement {
  return {
    seq: 1,
    from: 0,
    to: 1,
    before: money(before),
    after: money(after),
    difference: difference(money(after), money(before)),
    kind: 'ours',
    purchases: [],
    final: true,
  };
}
