import type { Clock, Drafts, Log } from './purchasing/ports.ts';
import type { Purchasing } from './purchasing/purchasing.ts';

/** What commands and views work with. */
export interface Desk {
  readonly purchasing: Purchasing;
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
}
