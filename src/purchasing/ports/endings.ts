import type { EndingOrder, ReminderChange, ReminderFacts, ReminderRow } from '../model/end-reminder.ts';
import type { OrderFacts } from '../model/order.ts';
import type { OrderId } from '../model/order-id.ts';

/** Orders that come to their end: who is reminded of which, and which of those that are kept have filed their renewal. */
export interface Endings {
  /** The channels in which a reminder tells of this order. */
  toldIn(orderId: OrderId): Promise<readonly string[]>;
  /** Orders that end within these times, the soonest first. */
  between(from: number, until: number): Promise<readonly EndingOrder[]>;
  /** Whether the reminder with this key is written. */
  isWritten(key: string): Promise<boolean>;
  /** The one way in which a reminder is written: reads its orders, decides, writes, in one transaction. @returns whether one is owed. */
  remind(key: string, ids: readonly OrderId[], decide: (facts: ReminderFacts) => ReminderChange): Promise<boolean>;
  /** The orders that a reminder tells of, the soonest end first. */
  rowsOf(key: string): Promise<readonly ReminderRow[]>;
  /**
   * Orders that are kept, end within these times, and have not filed a renewal for that end; the soonest first. Not while anybody's
   * renewal of theirs is open: nobody can tell yet whether it is paid.
   */
  kept(from: number, until: number): Promise<readonly OrderFacts[]>;
}
