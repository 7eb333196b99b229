import type { Priced } from '../model/account.ts';
import type { BatchRecord } from '../model/batch.ts';
import type { BatchFiling, BatchFilingFacts, BatchRule, BatchSubject } from '../model/batch-change.ts';
import type { ChangeFacts, ChangeRule, ChangeSubject, TalkRule } from '../model/change.ts';
import type { ExpectedCost } from '../model/cost.ts';
import type { Entry } from '../model/entries.ts';
import type { BuyerFacts, FilingDecided, FilingFacts, FilingSubject } from '../model/filing.ts';
import type { Freeze, FreezeRule } from '../model/freeze.ts';
import type { OrderFacts } from '../model/order.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Purchase } from '../model/purchase.ts';

export interface LaneView {
  readonly sending: Purchase | null;
  /** Of the approved purchases that may be sent now and that their batch does not hold, the one that has waited longest since it might. */
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

/** Whose a purchase is, by their ids as received: nobody decides their own. */
export interface Sides {
  readonly requester: string;
  /** As {@link ChangeFacts.keptBy}. */
  readonly keptBy: string | null;
}

/** What a message is about; null where it is about neither. */
export type About = PurchaseRecord | BatchRecord | null;

/** What is looked up to be shown. */
export interface LedgerReads {
  record(id: string): Promise<PurchaseRecord | undefined>;
  batch(id: string): Promise<BatchRecord | undefined>;
  /** Whose it is, a purchase or a batch, which never changes. */
  sides(id: string): Promise<Sides | undefined>;
  /** Who said yes first, where two people have to; null where nobody has, or there is no such purchase. */
  firstApprover(id: string): Promise<string | null>;
  /** That person's other counted purchases of the last 24 h, and what this one costs, as in {@link ChangeFacts}. */
  others(of: Purchase, dollars: boolean): Promise<Pick<ChangeFacts, 'others' | 'cost'>>;
  /** At the prices observed so far. */
  expectedCost(of: Priced): Promise<ExpectedCost>;
  /** Requested, approved, sending or unknown; oldest first. */
  open(): Promise<readonly Purchase[]>;
  /** What is over of a person's purchases, the last filed first; of a batch the first row alone. @param ids of one person */
  outcomesOf(ids: readonly string[], limit: number): Promise<readonly Purchase[]>;
  order(orderId: OrderId): Promise<OrderFacts>;
  freeze(): Promise<Freeze | null>;
}

/**
 * The durable record. All writes are short transactions, serialised with each other; no transaction spans a network call.
 * Throws only when the database cannot be used.
 */
export interface Ledger extends LedgerReads {
  /** The ledger's clock: the database server's where there is one. */
  now(): Promise<number>;
  file<R>(subject: FilingSubject, decide: (facts: FilingFacts) => FilingDecided<R>): Promise<R>;
  /** The facts that `file` would decide on, for a review; nothing is written. */
  filingFacts(subject: FilingSubject): Promise<FilingFacts>;
  /**
   * The one way in which a purchase changes: reads it and the facts, decides, writes, in one transaction.
   * @returns the decision's result, or undefined when there is no such purchase.
   */
  change<R>(id: string, decide: ChangeRule<R>, subject?: ChangeSubject): Promise<R | undefined>;
  /** Files all rows of a batch, or none. */
  fileBatch<R>(subject: BatchSubject, decide: (facts: BatchFilingFacts) => BatchFiling<R>): Promise<R>;
  /** The facts that `fileBatch` would decide on, for a review; nothing is written. */
  batchFilingFacts(subject: BatchSubject): Promise<BatchFilingFacts>;
  /**
   * The one way in which rows of a batch change together: as `change` for each of them, in one transaction.
   * @returns the decision's result, or undefined when there is no such batch.
   */
  changeBatch<R>(
    id: string,
    decide: BatchRule<R>,
    subject?: Pick<ChangeSubject, 'click' | 'requesterIds' | 'dollars'>,
  ): Promise<R | undefined>;
  /**
   * The one way in which something is said about a purchase or a batch: as `change`. What is said about a batch is kept with its first row.
   * @returns the decision's result, or undefined when there is neither.
   */
  talk<R>(id: string, decide: TalkRule<R>, click: string): Promise<R | undefined>;
  /** Nothing came of this click, and its person was told so: delivered again, nothing does. One that has counted stays as it is. */
  refuseClick(id: string): Promise<void>;
  lane(): Promise<LaneView>;
  /** Purchases whose time has run out: requested past `expiresAt`, approved past `sendBy`, sending past its deadline by `graceMs`. */
  overdue(graceMs: number): Promise<readonly Purchase[]>;
  /** @param ids of one person */
  buyerFacts(ids: readonly string[]): Promise<BuyerFacts>;
  /** The one way in which the freeze changes, as `change` is for a purchase. @param click the id of the click that asks for it. */
  changeFreeze<R>(decide: FreezeRule<R>, click?: string): Promise<R>;
}
