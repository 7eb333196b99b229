import type { Change } from './change.ts';
import type { ClickResult } from './click.ts';
import type { OrderEntry, OrderFacts } from './order.ts';
import type { OrderId } from './order-id.ts';
import type { NewNotice } from './outbox.ts';
import type { Purchase } from './purchase.ts';

/** Read inside the transaction that adds to what is known of orders. */
export interface OrderChangeFacts {
  readonly now: number;
  /** Of every order asked for, in the order asked for; one that the ledger has never seen has nothing in it. */
  readonly orders: readonly OrderFacts[];
  /** Renewals that these orders have filed by themselves, since they were kept, and that are not over; oldest first. */
  readonly keptRenewals: readonly Purchase[];
  /** What an earlier delivery of this click led to; null for the first, and where nobody clicked. */
  readonly deliveredBefore: ClickResult | null;
}

export type NewOrderEntry = Pick<OrderEntry, 'by' | 'detail'> & { readonly orderId: OrderId };

/** What is written, in one transaction. */
export interface OrderChange<R> {
  readonly result: R;
  readonly entries?: readonly NewOrderEntry[];
  /** Of purchases that were read beside the orders. */
  readonly purchases?: readonly { readonly purchase: Purchase; readonly change: Change<unknown> }[];
  readonly notices?: readonly NewNotice[];
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type OrderRule<R> = (facts: OrderChangeFacts) => OrderChange<R>;
