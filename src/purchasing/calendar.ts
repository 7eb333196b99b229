import type { Term } from './policy.ts';
import type { OrderFacts } from './ports.ts';
import type { Purchase } from './purchase.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Until when an order is paid, by the terms of the policy: computed, since the vendor states none. Null where a term or the
 * beginning is not known. In UTC, so that no host's time zone moves it.
 *
 * Terms are added up and counted from the original day, clamped to the month's last: 31 January gives 28 February, 31 March, 30
 * April, without drift. A renewal before the end prolongs; one after a lapse begins anew on its own day.
 */
export function paidUntil({ bought, renewals }: OrderFacts): number | null {
  if (bought === null || bought.plan.term === null) return null;
  let from = sentAt(bought);
  let paid: readonly Term[] = [bought.plan.term];
  for (const renewal of renewals) {
    if (renewal.plan.term === null) return null;
    const at = sentAt(renewal);
    if (at > dueAfter(from, paid)) {
      from = at;
      paid = [];
    }
    paid = [...paid, renewal.plan.term];
  }
  return dueAfter(from, paid);
}

/** When the terms have passed, one after the other, counted from `from`. */
export function dueAfter(from: number, terms: readonly Term[]): number {
  let months = 0;
  let days = 0;
  for (const { amount, unit } of terms) {
    switch (unit) {
      case 'day':
        days += amount;
        break;
      case 'week':
        days += 7 * amount;
        break;
      case 'month':
        months += amount;
        break;
      case 'year':
        months += 12 * amount;
        break;
      default:
        unit satisfies never;
    }
  }
  return addMonths(from, months) + days * DAY_MS;
}

function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  // Day 0 of the month after is the last of this one.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (from - startOfDay(date));
}

function startOfDay(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
}

/** A settled purchase was placed when it was sent, not when somebody found out. */
function sentAt({ attempt, changedAt }: Purchase): number {
  return attempt?.at ?? changedAt;
}
