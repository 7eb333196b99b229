import type { OrderId } from './order-id.ts';
import type { Purchase } from './purchase.ts';

/** What the ledger knows of one vendor order. */
export interface OrderFacts {
  readonly orderId: OrderId;
  /** The completed buy that placed it. */
  readonly bought: Purchase | null;
  /** Completed renewals, oldest first. */
  readonly renewals: readonly Purchase[];
}
