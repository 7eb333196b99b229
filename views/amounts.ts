import type { BalanceReading } from '../src/purchasing/model/balance-reading.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { formatDollars, isPositive, type Money } from '../src/purchasing/model/money.ts';
import { person } from './people.ts';
import { literal } from './text.ts';
import { seconds, timeOfDay, when } from './when.ts';

/** `$12.50 at 14:03` */
export function moneyAt(balance: Money, at: number): string {
  return `${formatDollars(balance)} at ${timeOfDay(at)}`;
}

/** The balance as of now; null while it is `unread`. Never 0 for one that could not be read. */
export function balanceNow(reading: BalanceReading | null, unread = 'reading the balance…'): string {
  if (reading === null) return unread;
  if (reading.ok)
    return isPositive(reading.balance)
      ? moneyAt(reading.balance, reading.at)
      : `${moneyAt(reading.balance, reading.at)}: used up, so nothing can be bought`;
  const wait = reading.retryAfterSeconds;
  const again = wait === undefined ? '' : `; the vendor asks to wait ${seconds(wait)}`;
  return `could not be read (${literal(reading.why, 300)}${again})`;
}

/** What a freeze means for a request, or null. */
export function freezeLine(freeze: Freeze | null): string | null {
  if (freeze === null) return null;
  return `*Spending is frozen* by ${person(freeze.by)} since ${when(freeze.at)}: ${literal(freeze.reason, 500)}\nRequests may be filed and decided, but nothing is sent; what is approved meanwhile expires when it gets too old.`;
}
