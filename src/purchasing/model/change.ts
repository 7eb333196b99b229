import type { Batch } from './batch.ts';
import type { ClickResult } from './click.ts';
import type { DollarsBy, ExpectedCost, MonthSpent } from './cost.ts';
import type { Entry, NewEntry } from './entries.ts';
import type { Freeze } from './freeze.ts';
import type { OrderId } from './order-id.ts';
import { type NewNotice, owedAtTransition } from './outbox.ts';
import type { Counted, From, Purchase, PurchaseChange, State, Twin } from './purchase.ts';

/** Read inside the transaction that changes a purchase. */
export interface ChangeFacts {
  readonly now: number;
  readonly freeze: Freeze | null;
  /** Another purchase is `sending`, or an attempt still waits for its first reading. */
  readonly laneBusy: boolean;
  /** The other rows of its batch; none where it was asked for alone. */
  readonly siblings: readonly Purchase[];
  /** Another purchase of the same content that is `sending` or `unknown`. */
  readonly twin: Twin | null;
  /** IPs of that person's other counted purchases of the last 24 h, filed before this one; 0 once it was sent, when no limit is asked about. */
  readonly countedBefore: number;
  /** That person's other counted purchases of the last 24 h; none once it was sent. */
  readonly others: readonly (Counted & {
    /** Filed before this one. */
    readonly before: boolean;
  })[];
  /** As of now; what was expected at filing where that is not known any more. Not looked up where the policy says nothing in dollars. */
  readonly cost: ExpectedCost;
  /**
   * All that has been sent, and of what waits what was filed before this one: what was asked for since was decided on with this one in
   * mind. Null where the policy says nothing in dollars.
   */
  readonly spent: MonthSpent | null;
  /** Another purchase was sent after this one's attempt began, so that later readings prove nothing about this one. */
  readonly sentSince: boolean;
  /** The number of the entry with which the latest of all purchases entered `sending`; 0 before the first. */
  readonly lastSending: number;
  /** Who holds an order id among buys; for the order id of the {@link ChangeSubject}. */
  readonly orderIdHolder: string | null;
  /** Who has said that the order is kept, of a renewal that it has filed by itself; null of every other purchase. */
  readonly keptBy: string | null;
  /** What an earlier delivery of this click led to; null for the first, and where nobody clicked. */
  readonly deliveredBefore: ClickResult | null;
}

/** What the facts are asked about, beside the purchase. */
export interface ChangeSubject {
  /** The order id whose holder is looked up. */
  readonly orderId?: OrderId | undefined;
  /** Every id of the requester, where Slack was asked for them. */
  readonly requesterIds?: readonly string[] | undefined;
  /** The id of the click that asks for the change. */
  readonly click?: string;
  /** Null where the policy says nothing in dollars. */
  readonly dollars?: DollarsBy | null;
  /** The purchase as it was last seen: put back as it was, in the same transaction, where the ledger has forgotten it. */
  readonly lost?: Purchase | undefined;
}

/** What a decision writes, in one transaction. Every part is optional; without any, the decision only answers. */
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
  /** What the ledger has forgotten, so that it must have gone back in time: spending is frozen, and all else that is open is unknown. */
  readonly wentBack?: string;
  /** Spending is frozen by the bot itself, unless it is already. */
  readonly freeze?: { readonly reason: string; readonly occasion: string };
  /** Due times of the balance readings that follow an attempt, replacing what was due. */
  readonly readings?: readonly DueReading[];
  /** The nth balance reading, which this change records. Nothing is written where another process has recorded it. */
  readonly taken?: number;
  /** The click of the {@link ChangeSubject} has counted, and led to this. */
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type ChangeRule<R> = (purchase: Purchase, facts: ChangeFacts) => Change<R>;

/** Read inside the transaction that writes what is said about a purchase, or about a batch. */
export interface TalkFacts extends Pick<ChangeFacts, 'now' | 'deliveredBefore'> {
  /** What requester and approvers have said to each other about it, oldest first. */
  readonly talk: readonly Entry[];
}

/** Pure, as a {@link ChangeRule}. @param about a purchase that was asked for alone is a batch of one */
export type TalkRule<R> = (
  about: Batch,
  facts: TalkFacts,
) => Pick<Change<R>, 'result' | 'by' | 'entries' | 'notices' | 'click'>;

/** The nth balance reading (0 first) that an attempt is owed. */
export interface DueReading {
  readonly nth: number;
  readonly dueAt: number;
}

/** A transition with the notices that it owes; of a purchase that has just been seen in a state from which it is listed. */
export function move<To extends State>(
  purchase: Purchase<From<To>>,
  to: To,
  by: string,
  evidence: object,
  occasion = purchase.attempt?.id ?? '',
): Change<Purchase> & { readonly to: To } {
  const moved: Purchase = { ...purchase, state: to };
  return { result: moved, to, by, evidence, notices: owedAtTransition(purchase, to, occasion) };
}
