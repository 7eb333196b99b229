import type { OrderBook } from '../purchasing/order-book.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Drafts } from '../purchasing/ports/drafts.ts';
import type { LedgerReads } from '../purchasing/ports/ledger.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Messenger } from '../purchasing/ports/messenger.ts';
import type { Purchasing } from '../purchasing/purchasing.ts';

/** What commands and views work with. */
export interface HandlerContext {
  readonly purchasing: Purchasing;
  readonly orderBook: OrderBook;
  /** To look up what is shown; whatever changes goes through the use cases. */
  readonly ledger: LedgerReads;
  readonly messenger: Messenger;
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
}
