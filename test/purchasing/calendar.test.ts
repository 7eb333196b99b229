import { describe, expect, test } from 'vitest';
import type { Term } from '../../src/purchasing/model/policy.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { dueAfter, paidUntil } from '../../src/purchasing/rules/calendar.ts';
import { attempt, facts, MONTHLY, purchase, YEARLY } from '../views/fixture.ts';

const MONTH: Term = { amount: 1, unit: 'month' };
const at = (day: string) => Date.parse(`${day}T23:30:00Z`);
const day = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 10));
const months = (count: number) => Array.from({ length: count }, () => MONTH);

describe('dues are counted from the original day, clamped, without drift', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-01-31', 4, '2026-05-31'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-08-30', 6, '2027-02-28'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2028-02-29', 12, '2029-02-28'],
  ])('%s and %i months is %s', (start, count, due) => {
    expect(day(dueAfter(at(start), months(count)))).toBe(due);
  });

  test('in UTC, with the time of day kept', () => {
    expect(dueAfter(at('2026-03-28'), [MONTH])).toBe(at('2026-04-28'));
  });

  test('other units add up too', () => {
    expect(
      day(
        dueAfter(at('2026-01-31'), [
          { amount: 1, unit: 'year' },
          { amount: 2, unit: 'week' },
          { amount: 3, unit: 'day' },
        ]),
      ),
    ).toBe('2027-02-17');
  });
});

describe('an order is paid until', () => {
  const placed = (start: string, overrides: Partial<Purchase> = {}) =>
    purchase({ state: 'completed', attempt: attempt({ at: at(start) }), ...overrides });

  test('the end of its first term', () => {
    expect(day(paidUntil(facts({ bought: placed('2026-01-31') })))).toBe('2026-02-28');
  });

  test('later by a renewal before the end, still from the original day', () => {
    const order = facts({
      bought: placed('2026-01-31'),
      renewals: [placed('2026-02-20'), placed('2026-03-30', { plan: YEARLY })],
    });
    expect(day(paidUntil(order))).toBe('2027-03-31');
  });

  test('a renewal after a lapse begins anew on its own day', () => {
    expect(day(paidUntil(facts({ bought: placed('2026-01-31'), renewals: [placed('2026-03-10')] })))).toBe(
      '2026-04-10',
    );
  });

  test('not known without a beginning or a term', () => {
    const noTerm = { ...MONTHLY, term: null };
    expect(paidUntil(facts())).toBeNull();
    expect(paidUntil(facts({ renewals: [placed('2026-01-31')] }))).toBeNull();
    expect(paidUntil(facts({ bought: placed('2026-01-31', { plan: noTerm }) }))).toBeNull();
    expect(
      paidUntil(facts({ bought: placed('2026-01-31'), renewals: [placed('2026-02-01', { plan: noTerm })] })),
    ).toBeNull();
  });
});
