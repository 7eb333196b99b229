import { describe, expect, it, test } from 'vitest';
import type { Month } from '../../src/purchasing/model/spend.ts';
import { decideReport, reportDueAt, reportedMonth } from '../../src/purchasing/rules/monthly-reports.ts';
import { zoneOf } from '../../src/purchasing/rules/zones.ts';

const at = (text: string) => Date.parse(text);
const DAY = 86_400_000;

describe('a report is due at nine of the first', () => {
  test.each<[Month, string, string]>([
    ['2027-01', 'UTC', '2027-02-01T09:00:00.000Z'],
    ['2026-12', 'UTC', '2027-01-01T09:00:00.000Z'],
    ['2027-01', 'Pacific/Kiritimati', '2027-01-31T19:00:00.000Z'],
    ['2027-01', 'Pacific/Pago_Pago', '2027-02-01T20:00:00.000Z'],
    // Summer time ends there in that very night, and on the day before.
    ['2026-10', 'America/New_York', '2026-11-01T14:00:00.000Z'],
    ['2027-10', 'Europe/Berlin', '2027-11-01T08:00:00.000Z'],
    ['2027-03', 'Europe/Berlin', '2027-04-01T07:00:00.000Z'],
    // A year of which no clock there showed the 30 December.
    ['2011-12', 'Pacific/Apia', '2011-12-31T19:00:00.000Z'],
  ])('after %s in %s', (month, zone, due) => {
    expect(new Date(reportDueAt(month, zoneOf(zone))).toISOString()).toBe(due);
  });
});

describe('whether a month is reported', () => {
  const watchedSince = at('2026-12-24T00:00Z');
  const decide = (now: string, next: Month | null, since: number | null = watchedSince) =>
    decideReport({ now: at(now), next, watchedSince: since }, 'UTC');
  const keys = (...asked: Parameters<typeof decide>) => decide(...asked)?.notices.map(({ key }) => key);

  it('is noted while it runs, and decided once it is nine of the first', () => {
    expect(decide('2027-01-10T00:00Z', null)).toEqual({ next: '2027-01', notices: [] });
    expect(decide('2027-01-31T23:59Z', '2027-01')).toBeNull();
    expect(decide('2027-02-01T08:59:59.999Z', '2027-01')).toBeNull();
    const due = decide('2027-02-01T09:00Z', '2027-01');
    expect(due).toMatchObject({
      next: '2027-02',
      notices: [
        { key: 'report:2027-01', kind: 'report', audience: 'approvers', text: '2027-01 UTC' },
        { key: 'report csv:2027-01', kind: 'report_csv', audience: 'approvers', text: '2027-01 UTC' },
      ],
    });
    expect(decide('2027-02-01T09:00Z', '2027-02')).toBeNull();
  });

  it('late where nobody looked, up to two months', () => {
    expect(keys('2027-03-20T00:00Z', '2027-01')).toHaveLength(2);
    const tooLate = new Date(at('2027-02-01T09:00Z') + 62 * DAY + 1).toISOString();
    expect(decide(tooLate, '2027-01')).toEqual({ next: '2027-04', notices: [] });
  });

  it('not where the balance was first read after it, or never', () => {
    expect(keys('2027-02-01T09:00Z', '2027-01', at('2027-02-01T00:00Z'))).toEqual([]);
    expect(keys('2027-02-01T09:00Z', '2027-01', at('2027-01-31T23:59:59.999Z'))).toHaveLength(2);
    expect(keys('2027-02-01T09:00Z', '2027-01', null)).toEqual([]);
  });

  it('also where the clock was a year ahead for a moment: the month that it is now is noted again', () => {
    expect(decide('2027-01-10T00:00Z', '2028-01')).toEqual({ next: '2027-01', notices: [] });
  });
});

test('what a notice tells of is read as it was written, and nothing else', () => {
  expect(reportedMonth('2027-01 America/Argentina/Buenos_Aires')).toEqual({
    month: '2027-01',
    timeZone: 'America/Argentina/Buenos_Aires',
  });
  for (const text of [null, '', '2027-01', '2027-13 UTC']) expect(() => reportedMonth(text)).toThrow('no month');
});
