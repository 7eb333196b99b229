import type { OrderFacts } from './order.ts';
import type { OrderId } from './order-id.ts';
import type { NewNotice } from './outbox.ts';
import type { Purchase } from './purchase.ts';

/** A day on which an owner is reminded: so many days before the day on which the order ends. */
export type Rung = number;

/** The day after the end, on which the owner hears that it has ended. */
export const AFTER_END: Rung = -1;

/** An order that ends soon, or has just ended, as the book finds it. */
export interface EndingOrder {
  readonly orderId: OrderId;
  readonly owner: string | null;
  readonly endsAt: number;
  /** The rung that somebody has asked for besides; null where nobody has. */
  readonly again: Rung | null;
  /** The last rung of this end that was told or passed over; null before the first. */
  readonly last: Rung | null;
}

/** One order in a reminder, as it was when that was written. */
export interface ReminderLine {
  readonly orderId: OrderId;
  readonly owner: string | null;
  readonly endsAt: number;
  readonly rung: Rung;
}

/** With what has become of it since. */
export interface ReminderRow extends ReminderLine {
  readonly facts: OrderFacts;
  /** A renewal of it that is under way; null where none is. */
  readonly renewal: Purchase | null;
}

/** Read inside the transaction that writes a reminder. */
export interface ReminderFacts {
  readonly now: number;
  /** This very reminder is written already. */
  readonly written: boolean;
  readonly orders: readonly { readonly facts: OrderFacts; readonly last: Rung | null }[];
}

/** Each rung of an end is reached once: told by the notice, or passed over. */
export interface ReminderChange {
  readonly notice: NewNotice | null;
  readonly lines: readonly (ReminderLine & { readonly told: boolean })[];
}
