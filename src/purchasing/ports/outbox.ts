import type { NewNotice, Notice } from '../model/outbox.ts';

/** Where a message lives in Slack. */
export interface Place {
  readonly channel: string;
  readonly ts: string;
}

/** The notices that are owed, and where they were posted. */
export interface Outbox {
  /** How many notices are still to be posted or edited. */
  undelivered(): Promise<number>;
  /** Adds a notice beyond those that changes bring along; one for one key. */
  owe(notice: NewNotice, purchaseId: string | null): Promise<void>;

  /** Takes up to `limit` notices that are to be posted or edited, for `leaseMs`: nobody else is given them meanwhile. */
  claimNotices(limit: number, leaseMs: number): Promise<readonly Notice[]>;
  /**
   * The notice shows `version` at `place`. Where the claim has passed to another meanwhile, nobody can tell whose text stands
   * there now: it is drawn once more.
   */
  noticeShown(notice: Pick<Notice, 'id' | 'claimedUntil'>, place: Place, version: number): Promise<void>;
  /** Not delivered: again at `retryAt`; null = never. */
  noticeFailed(id: number, why: string, retryAt: number | null): Promise<void>;
  /** Instead of this notice, one for each of these users. */
  noticeSplit(notice: Notice, users: readonly string[]): Promise<void>;
  /** Notices of one purchase that have been posted. */
  placesOf(purchaseId: string): Promise<readonly Notice[]>;
}
