import type { NewNotice, Notice } from '../model/outbox.ts';

/** Where a message lives in Slack. */
export interface Place {
  readonly channel: string;
  readonly ts: string;
}

/** Where a notice was posted; null where it is not, or there is none. */
export function placeOf(notice: Pick<Notice, 'channel' | 'ts'> | undefined): Place | null {
  const { channel = null, ts = null } = notice ?? {};
  return channel !== null && ts !== null ? { channel, ts } : null;
}

/** A request that nobody has decided: a purchase, or what still waits of a batch. */
export interface Undecided {
  readonly id: string;
  readonly isBatch: boolean;
  readonly createdAt: number;
  readonly owed: ReadonlySet<string>;
}

/** The notices that are owed, and where they were posted. */
export interface Outbox {
  /** Adds a notice beyond those that changes bring along; one for one key. */
  owe(notice: NewNotice, purchaseId: string | null, batchId?: string | null): Promise<void>;

  /** Requests that nobody has decided for `ms` or longer, oldest first, with the keys of what is owed or was posted of them. */
  undecidedFor(ms: number): Promise<{ readonly now: number; readonly requests: readonly Undecided[] }>;

  /** Leases up to `limit` notices that are to be posted or edited, for `leaseMs`: nobody else is given them meanwhile. */
  leaseNotices(limit: number, leaseMs: number): Promise<readonly Notice[]>;
  /**
   * The notice shows `version` at `place`; null: nothing more is done about it. Where the lease has passed to another meanwhile, nobody can tell whose text stands
   * there now: it is drawn once more.
   * @param beside what it shows rests on what else the requester has asked for
   * @param shown the digest of what Slack has taken. It is forgotten with the next lease, which alone is told it, and wherever another may have
   *   edited the message too. Where it is what the notice was leased with, nobody has asked Slack whether the message is still there.
   */
  noticeShown(
    notice: Pick<Notice, 'id' | 'leasedUntil' | 'revision' | 'shown'>,
    place: Place,
    version: number | null,
    beside?: boolean,
    shown?: string | null,
  ): Promise<void>;
  /**
   * What can be done once alone is about to be done: from now on it counts as done, whatever becomes of this process, unless
   * {@link noticeNotDone} says that it certainly was not. @returns false where the lease has passed to another: then it is not to be done.
   */
  noticeBegun(notice: Pick<Notice, 'id' | 'leasedUntil'>): Promise<boolean>;
  /** What was begun certainly was not done: again at `retryAt`. */
  noticeNotDone(id: number, why: string, retryAt: number): Promise<void>;
  /** Not delivered: again at `retryAt`; null = never. */
  noticeFailed(id: number, why: string, retryAt: number | null): Promise<void>;
  /** What was posted is no longer there: it is owed as if it never had been posted. Does nothing once the lease has passed to another. */
  noticeLost(notice: Pick<Notice, 'id' | 'leasedUntil'>): Promise<void>;
  /**
   * Instead of this notice, one for each of these users, once. One that is `open` is split again later, for users who have come
   * since; and at once where the purchase is newer than `version`.
   */
  noticeSplit(notice: Notice, users: readonly string[], split: { open: boolean; version: number }): Promise<void>;
  /** Owes again what belongs to open purchases and was last posted or edited `shownForMs` ago or earlier, whatever it shows, and every split that is open. */
  redrawOpen(shownForMs: number): Promise<void>;
  /** Whether something is being posted at this moment, of which nobody has written down yet where it stands. */
  isPosting(): Promise<boolean>;
  /** The notice that was posted there. */
  noticeAt(place: Place): Promise<Notice | undefined>;
  /** The one with this key. */
  noticeOf(key: string): Promise<Notice | undefined>;
  /** Notices of one purchase or of one batch that have been posted. */
  placesOf(id: string): Promise<readonly Notice[]>;
}
