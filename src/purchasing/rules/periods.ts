import type { Month, Period, Span } from '../model/spend.ts';
import type { Day, Zone } from './zones.ts';

const DAY_MS = 86_400_000;

/** Months are calendar months of that zone; the present one ends now. */
export function spanOf(period: Period, now: number, zone: Zone): Span {
  switch (period) {
    case 'this month':
      return { from: monthSpan(monthOf(now, zone), zone).from, to: now };
    case 'last month':
      return monthSpan(monthsFrom(monthOf(now, zone), -1), zone);
    case '90d':
      return { from: now - 90 * DAY_MS, to: now };
    default: {
      const { from, to } = monthSpan(period, zone);
      // Of a month to come there is nothing yet.
      return { from, to: Math.max(from, Math.min(to, now)) };
    }
  }
}

/** From midnight of the first to midnight of the next first. */
export function monthSpan(month: Month, zone: Zone): Span {
  return { from: zone.at(firstDayOf(month), 0), to: zone.at(firstDayOf(monthsFrom(month, 1)), 0) };
}

export function monthOf(at: number, zone: Zone): Month {
  return new Date(zone.dayOf(at) * DAY_MS).toISOString().slice(0, 7) as Month;
}

/** So many months later. */
export function monthsFrom(month: Month, months: number): Month {
  const [year, nth] = numbersOf(month);
  return new Date(Date.UTC(year, nth - 1 + months, 1)).toISOString().slice(0, 7) as Month;
}

export function firstDayOf(month: Month): Day {
  const [year, nth] = numbersOf(month);
  return Date.UTC(year, nth - 1, 1) / DAY_MS;
}

function numbersOf(month: Month): readonly [year: number, nth: number] {
  return [Number(month.slice(0, 4)), Number(month.slice(5))];
}
