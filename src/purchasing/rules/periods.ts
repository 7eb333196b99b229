import type { Period, Span } from '../model/spend.ts';
import type { Zone } from './zones.ts';

const DAY_MS = 86_400_000;

/** Months are calendar months of that zone; the present one ends now. */
export function spanOf(period: Period, now: number, zone: Zone): Span {
  switch (period) {
    case 'this month':
      return { from: monthStart(now, zone, 0), to: now };
    case 'last month':
      return { from: monthStart(now, zone, -1), to: monthStart(now, zone, 0) };
    case '90d':
      return { from: now - 90 * DAY_MS, to: now };
    default:
      return period satisfies never;
  }
}

/** Midnight of the first of the month, so many months from the one of that moment. */
function monthStart(at: number, zone: Zone, months: number): number {
  const day = new Date(zone.dayOf(at) * DAY_MS);
  return zone.at(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1) / DAY_MS, 0);
}
