import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { type OrderFacts, placedOf, sentAt } from '../model/order.ts';
import type { Term } from '../model/policy.ts';

/**
 * Until when an order is paid, by the terms of the policy: computed, since the vendor states none. Null where a term or the
 * beginning is not known. In UTC, so that no host's time zone moves it.
 *
 * Terms are added up and counted from the original day, clamped to the month's last: 31 January gives 28 February, 31 March, 30
 * April, without drift. A renewal before the end prolongs; one after a lapse begins anew on its own day.
 */
export function paidUntil(order: OrderFacts): number | null {
  const placed = placedOf(order);
  if (placed?.at == null || placed.plan.term === null) return null;
  let from = placed.at;
  let paid: readonly Term[] = [placed.plan.term];
  for (const renewal of order.renewals) {
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

/** When the terms have passed, one after the other, counted from `from`: added up first, so that no month's end is clamped twice. */
export function dueAfter(from: number, terms: readonly Term[]): number {
  const sum = { days: 0, weeks: 0, months: 0, years: 0 };
  for (const { amount, unit } of terms) sum[`${unit}s`] += amount;
  return add(from, sum, { in: (value) => new UTCDateMini(value) }).getTime();
}
