import type { ToldChange, ToldFacts, ToldMovement, WatchRule } from '../model/alerts.ts';
import type { Notice } from '../model/outbox.ts';

/** What people are told of the vendor's account by itself. */
export interface Alerts {
  /**
   * Looks at what the balance has done since it was looked at last; any process may, as often as it likes: what was told is in the ledger.
   * @returns whether there was anything to tell.
   */
  watch(decide: WatchRule): Promise<boolean>;
  /** A change that was told, by its `seq`. */
  told(seq: number): Promise<ToldMovement | undefined>;
  /** The one way in which something is said about it. @returns undefined when there is none. */
  change<R>(seq: number, decide: (facts: ToldFacts) => ToldChange<R>, click: string): Promise<R | undefined>;
  /** Where it was posted. */
  placesOf(seq: number): Promise<readonly Notice[]>;
}
