import type { Entry, NewEntry } from './entries.ts';
import type { NewNotice, Notice } from './notices.ts';
import type { Purchase, PurchaseChange, State } from './purchase.ts';
import type { Twin } from './refusals.ts';
import type { Right } from './rights.ts';

/** Time, injected so that tests own it. Milliseconds. */
export interface Clock {
  /** Since 1970; jumps when somebody sets the clock. */
  now(): number;
  /** Since some start; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the directory knows of a person, or that it could not be read: then the answer is no. */
export type Standing =
  | {
      readonly readable: true;
      /** `enterprise_user.id` where there is one, else the user id: one human, one value. */
      readonly person: string;
      readonly barred: 'guest' | 'bot' | 'deactivated' | 'outsider' | null;
      readonly rights: ReadonlySet<Right>;
      /** Rights that nobody at all has: their groups are empty, disabled or not configured. */
      readonly nobodyHas: ReadonlySet<Right>;
    }
  | { readonly readable: false; readonly retryAfterSeconds: number };

/** Who may do what, asked of Slack itself. Never throws. */
export interface Directory {
  /**
   * @param freshness `cached`: up to 60 s old, only to open views and to answer reads. `fresh`: every answer used was asked for
   * after, or was in flight at, the time of this call; for everything that changes a state.
   * @param withinMs gives up (unreadable) after so long.
   */
  standing(user: string, rights: readonly Right[], freshness: 'cached' | 'fresh', withinMs: number): Promise<Standing>;
  /** Slack user ids of usable members of `access.approve` (no guests, bots, deactivated), or undefined when unreadable. */
  approvers(): Promise<readonly string[] | undefined>;
}

export interface Freeze {
  /** Slack user id, or `desk` for the bot itself. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** What the ledger knows of one vendor order. */
export interface OrderFacts {
  readonly orderId: string;
  /** The completed buy that placed it. */
  readonly bought: Purchase | null;
  /** Completed renewals, oldest first. */
  readonly renewals: readonly Purchase[];
}

/** Read inside the transaction that files, so that what is decided on them still holds when it commits. */
export interface FilingFacts {
  readonly now: number;
  /** The purchase that this very submission has filed already. */
  readonly filed: Purchase | null;
  /** Same content, open, or changed in the last 24 h; newest first. */
  readonly twins: readonly (Twin & { readonly declinedByVendor: boolean })[];
  /** IPs of that person's counted purchases of the last 24 h. */
  readonly counted: number;
  readonly order: OrderFacts | null;
  readonly freeze: Freeze | null;
}

/** Read inside the transaction that changes a purchase. */
export interface ChangeFacts {
  readonly now: number;
  readonly freeze: Freeze | null;
  /** Another purchase is `sending`, or an attempt still waits for its first reading. */
  readonly laneBusy: boolean;
  /** Another purchase of the same content that is `sending` or `unknown`. */
  readonly twin: Twin | null;
  /** IPs of that person's other counted purchases of the last 24 h, filed before this one. */
  readonly countedBefore: number;
  /** Another purchase was sent after this one's attempt began: later readings prove nothing. */
  readonly sentSince: boolean;
  /** The ledger entry with which a purchase, any purchase, last entered `sending`; 0 before the first. */
  readonly lastSending: number;
  /** Who holds an order id among buys; for `orderIdCandidate` of the change. */
  readonly orderIdHolder: string | null;
}

/** What filing writes, all in one transaction. */
export interface NewPurchase
  extends Omit<Purchase, 'version' | 'changedAt' | 'approver' | 'attempt' | 'declinedHow' | 'sendAfter'> {
  readonly filedBy: string;
  readonly notices: readonly NewNotice[];
}

/** What a decision writes, all in one transaction; everything is optional, nothing at all is a pure answer. */
export interface Change<R> {
  readonly result: R;
  /** A transition; compare-and-set against the state that was read. */
  readonly to?: State;
  /** Slack user id, or `desk`. */
  readonly by: string;
  readonly set?: PurchaseChange;
  /** Evidence kept with the transition. */
  readonly evidence?: object;
  readonly entries?: readonly NewEntry[];
  readonly notices?: readonly NewNotice[];
  /** Due times of the balance readings that follow an attempt, replacing what was due. */
  readonly readings?: readonly DueReading[];
  /** The reading that was taken: nothing of the change is written if another process has recorded it already. */
  readonly taken?: number;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type ChangeRule<R> = (purchase: Purchase, facts: ChangeFacts) => Change<R>;

/** What a filing is about, for the facts that decide on it. */
export interface FilingSubject {
  readonly submission: string;
  readonly contentKey: string;
  readonly requesterPerson: string;
  /** Of a renewal. */
  readonly orderId: string | null;
}

/** The nth balance reading (0 first) that an attempt is owed. */
export interface DueReading {
  readonly nth: number;
  readonly dueAt: number;
}

export interface LaneView {
  readonly sending: Purchase | null;
  /** The oldest approved purchase that may be sent now. */
  readonly next: Purchase | null;
  readonly frozen: boolean;
  readonly firstReadingDue: boolean;
  /** As in {@link ChangeFacts}. */
  readonly lastSending: number;
}

export interface PurchaseRecord {
  readonly purchase: Purchase;
  readonly entries: readonly Entry[];
}

/** Where a message lives in Slack. */
export interface Place {
  readonly channel: string;
  readonly ts: string;
}

/**
 * The durable record. All writes are short transactions, serialised with each other; no transaction spans a network call.
 * Throws only when the database cannot be used.
 */
export interface Ledger {
  /** The ledger's clock: the database server's where there is one. */
  now(): Promise<number>;
  file<R>(
    subject: FilingSubject,
    decide: (facts: FilingFacts) => { readonly result: R; readonly file?: NewPurchase },
  ): Promise<R>;
  /** The facts that `file` would decide on, for a review; nothing is written. */
  filingFacts(subject: FilingSubject): Promise<FilingFacts>;
  /**
   * The one way in which a purchase changes: reads it and the facts, decides, writes, in one transaction.
   * @returns the decision's result, or undefined when there is no such purchase.
   */
  change<R>(id: string, decide: ChangeRule<R>, orderIdCandidate?: string): Promise<R | undefined>;
  record(id: string): Promise<PurchaseRecord | undefined>;
  lane(): Promise<LaneView>;
  /** Every reading that is due, with its purchase, for `leaseMs`: no other process is given them meanwhile. */
  dueReadings(leaseMs: number): Promise<readonly { readonly purchase: Purchase; readonly nth: number }[]>;
  /**
   * Looks after the purchase at the head of the lane, alone among all processes, for `leaseMs`; also to hold it for longer. It
   * spares others the questions that precede sending, and permits nothing.
   * @returns whether this one has it.
   */
  takeHead(purchaseId: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Another may look after it at once. */
  leaveHead(holder: string): Promise<void>;
  /** Purchases whose time has run out: requested past `expiresAt`, approved past `sendBy`, sending past its deadline by `graceMs`. */
  overdue(graceMs: number): Promise<readonly Purchase[]>;
  /** Requested, approved, sending or unknown; oldest first. */
  open(): Promise<readonly Purchase[]>;
  /** Completed, newest first. */
  completed(limit: number): Promise<readonly Purchase[]>;
  order(orderId: string): Promise<OrderFacts>;
  countByState(): Promise<Readonly<Record<State, number>>>;
  /** How many notices are still to be posted or edited. */
  undelivered(): Promise<number>;
  freeze(): Promise<Freeze | null>;
  /**
   * Freezes for a reason, or unfreezes with null.
   * @returns what it was before. Nothing is written where that is what was asked for already.
   */
  setFreeze(reason: string | null, by: string, notice: NewNotice): Promise<Freeze | null>;
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

/** What a person has put together in an open view; lost with it, pruned after a day. */
export interface Draft<T> {
  readonly id: string;
  readonly user: string;
  readonly revision: number;
  readonly content: T;
}

export interface Drafts {
  create<T extends object>(user: string, content: T): Promise<Draft<T>>;
  /** Undefined where there is none, or it is another person's. */
  read<T extends object>(id: string, user: string): Promise<Draft<T> | undefined>;
  /** Read, change and write in one transaction. */
  update<T extends object>(id: string, user: string, change: (content: T) => T): Promise<Draft<T> | undefined>;
}
