import type { Undelivered } from './messenger.ts';

/** The Home tab of somebody who has opened it, leased to be published. */
export interface HomeTab {
  /** Slack user id. */
  readonly user: string;
  /** What is published now shows at least this much. */
  readonly version: number;
  /** Slack's, of what was published last; null where it is not known. */
  readonly hash: string | null;
  /** Somebody's rights may have changed: they are asked afresh. */
  readonly recheck: boolean;
  /** How often publishing it has failed since it last worked. */
  readonly attempts: number;
  readonly leasedUntil: number;
}

/** Who has opened the Home tab, and whose is out of date: what changes there says so in its own transaction. */
export interface Homes {
  /** It is due at once, before all others. */
  opened(user: string): Promise<void>;
  /** All are out of date. */
  rightsChanged(): Promise<void>;
  /**
   * Leases up to `limit` of those that are out of date, for `leaseMs`: nobody else is given them meanwhile. Those that have just been
   * opened come first, then those of people who decide.
   * @param unopened how many of the others at most
   */
  lease(limit: number, leaseMs: number, unopened: number): Promise<readonly HomeTab[]>;
  /**
   * It was published. Where the lease has passed to another meanwhile, nothing is written: that one finds another hash than it knows.
   * @param as by what the ledger tells from now on that it is out of date
   */
  shown(home: HomeTab, hash: string, as: { readonly person: string | null; readonly decides: boolean }): Promise<void>;
  /** Not published: again after so long, and without the hash that was known, since it may not be the last. */
  failed(home: HomeTab, afterMs: number): Promise<void>;
  /** This person has none any more. */
  forget(user: string): Promise<void>;
}

/** A view of the Home tab; only Slack looks into its blocks. */
export interface HomeView {
  readonly type: 'home';
  readonly blocks: readonly object[];
}

export type Published =
  | { readonly hash: string }
  /** Something else was published since the one whose hash was given. */
  | { readonly kind: 'overtaken' }
  | Undelivered;

export interface HomePublisher {
  /** @param hash of what was published last: nothing newer is overwritten. Null: whatever stands there. */
  publish(user: string, view: HomeView, hash: string | null): Promise<Published>;
}
