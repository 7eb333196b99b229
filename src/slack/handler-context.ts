import type { Clock } from '../purchasing/ports/clock.ts';
import type { Drafts } from '../purchasing/ports/drafts.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Messenger } from '../purchasing/ports/messenger.ts';
import type { Purchasing } from '../purchasing/purchasing.ts';

/** What commands and views work with. */
export interface HandlerContext {
  readonly purchasing: Purchasing;
  readonly messenger: Messenger;
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
}
