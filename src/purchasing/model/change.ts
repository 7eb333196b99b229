import type { ClickResult } from './click.ts';
import type { NewEntry } from './entries.ts';
import type { Freeze } from './freeze.ts';
import type { OrderId } from './order-id.ts';
import type { NewNotice } from './outbox.ts';
import type { Purchase, PurchaseChange, State } from './purchase.ts';
import type { Twin } from './twin.ts';

/** Read inside the transaction that changes a purchase. */
export interface ChangeFacts {
  readonly now: number;
  readonly freeze: Freeze | null;
  /** Another purchase is `sending`, or an attempt still waits for its first reading. */
  readonly laneBusy: boolean;
  /** Another purchase of the same content that is `sending` or `unknown`. */
  readonly twin: Twin | null;
  /** IPs of that person's other counted purchases of the last 24 h, filed before this one. */
  readonly countedBefore: number;
  /** Another purchase was sent after this one's attempt began: later readings prove nothing. */
  readonly sentSince: boolean;
  /** The ledger entry with which a purchase, any purchase, last entered `sending`; 0 before the first. */
  readonly lastSending: number;
  /** Who holds an order id among buys; for the order id of the {@link ChangeSubject}. */
  readonly orderIdHolder: string | null;
  /** What an earlier delivery of this click led to; null for the first, and where nobody clicked. */
  readonly deliveredBefore: ClickResult | null;
}

/** What the facts are asked about, beside the purchase. */
export interface ChangeSubject {
  /** The order id whose holder is looked up. */
  readonly orderId?: OrderId | undefined;
  /** The id of the click that asks for the change. */
  readonly click?: string;
}

/** What a decision writes, all in one transaction; everything is optional, nothing at all is a pure answer. */
export interface Change<R> {
  readonly result: R;
  /** A transition; compare-and-set against the state that was read. */
  readonly to?: State;
  /** Slack user id, or `desk`. */
  readonly by: string;
  readonly set?: PurchaseChange;
  /** Evidence kept with the transition. */
  readonly evidence?: object;
  readonly entries?: readonly NewEntry[];
  readonly notices?: readonly NewNotice[];
  /** Due times of the balance readings that follow an attempt, replacing what was due. */
  readonly readings?: readonly DueReading[];
  /** The reading that was taken: nothing of the change is written if another process has recorded it already. */
  readonly taken?: number;
  /** The click of the {@link ChangeSubject} has counted, and led to this. */
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type ChangeRule<R> = (purchase: Purchase, facts: ChangeFacts) => Change<R>;

/** The nth balance reading (0 first) that an attempt is owed. */
export interface DueReading {
  readonly nth: number;
  readonly dueAt: number;
}
