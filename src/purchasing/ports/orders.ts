import type { OrderFacts } from '../model/order.ts';
import type { OrderChangeFacts, OrderRule } from '../model/order-change.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Purchase } from '../model/purchase.ts';

/** Which orders of the book, and in which order. */
export interface OrderQuery {
  /**
   * `running`: all but those that have ended, the soonest end first, unknown ends last. `ending`: of these, those that end within
   * `endingWithinMs`. `ended`: the latest end first. `all`: the latest end first, unknown ends before.
   */
  readonly which: 'running' | 'ending' | 'ended' | 'all';
  readonly endingWithinMs: number;
  /** Only of these owners: the ids of one person. */
  readonly owners?: readonly string[];
  /** Only those with IPs in this country. */
  readonly country?: string;
}

/** Beyond the page that is looked at, so many are counted: to count on would read them all. */
export const COUNTED_AT_MOST = 1_000;

export interface OrderPage {
  readonly orders: readonly OrderFacts[];
  /** How many there are on all pages, counted no further than {@link COUNTED_AT_MOST} from the first of this one. */
  readonly total: number;
  /** There may be more than were counted. */
  readonly more: boolean;
  /** The ledger's clock. */
  readonly now: number;
}

/** The order book: what the ledger's lines say of orders, found by end, owner and country. */
export interface Orders {
  page(query: OrderQuery, offset: number, limit: number): Promise<OrderPage>;
  /** Whose ids begin with these digits, in the order of their ids. */
  startingWith(digits: OrderId, limit: number): Promise<readonly OrderFacts[]>;
  /** Completed buys whose order id is not known, the oldest first. */
  unnamed(limit: number): Promise<readonly Purchase[]>;
  /** What `change` would decide on, for a review; nothing is written. */
  look(ids: readonly OrderId[]): Promise<Pick<OrderChangeFacts, 'now' | 'orders'>>;
  /** What the order has filed by itself before this end, whatever has become of it; null where nothing was. */
  keptRenewal(orderId: OrderId, endsAt: number): Promise<Purchase | null>;
  /** The one way in which something is said about orders: reads them, decides, writes, in one transaction. */
  change<R>(ids: readonly OrderId[], decide: OrderRule<R>, click?: string): Promise<R>;
  /** Brings up to date what orders are found by, for what an earlier version has written. @returns whether there was anything. */
  refresh(): Promise<boolean>;
}
