import type { Priced } from './account.ts';
import type { ClickResult } from './click.ts';
import type { DollarsBy, ExpectedCost, MonthSpent } from './cost.ts';
import type { FilingEvidence } from './entries.ts';
import type { Freeze } from './freeze.ts';
import type { OrderFacts } from './order.ts';
import type { OrderId } from './order-id.ts';
import type { NewNotice } from './outbox.ts';
import type { Plan } from './policy.ts';
import type { Counted, Purchase, Twin } from './purchase.ts';

/** How the submission of a renewal begins that an order which is kept files by itself: there is one for one end. */
export const KEPT = 'kept:';

export function keptSubmission(orderId: OrderId, endsAt: number): string {
  return `${KEPT}${orderId}:${endsAt}`;
}

/** Whether an order that is kept has filed it by itself. */
export function isKept({ submission }: { readonly submission: string }): boolean {
  return submission.startsWith(KEPT);
}

/** What a filing is about, for the facts that decide on it. */
export interface FilingSubject {
  readonly submission: string;
  readonly contentKey: string;
  /** Every id of the requester. */
  readonly requesterIds: readonly string[];
  /** Of a renewal. */
  readonly orderId: OrderId | null;
  /** Of a renewal without a basket: that is what the ledger knows of the order. */
  readonly priced: Priced;
  /** Null where the policy says nothing in dollars. */
  readonly dollars: DollarsBy | null;
  /** The id of the submit that files it. */
  readonly click?: string | undefined;
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
  /** These purchases. */
  readonly others: readonly Counted[];
  readonly order: OrderFacts | null;
  readonly cost: ExpectedCost;
  /** Null where the policy has no limits in dollars. */
  readonly spent: MonthSpent | null;
  readonly freeze: Freeze | null;
  /** When the ledger last went back in time, as far as it knows; null where it never did. Looked up for what is kept alone. */
  readonly wentBackAt: number | null;
  /** What this very submit came to when it was delivered before: kept where that was a refusal. */
  readonly deliveredBefore: ClickResult | null;
}

/** What the ledger knows of a person who is about to buy. */
export interface BuyerFacts {
  /** IPs of that person's counted purchases of the last 24 h. */
  readonly counted: number;
  /** Of that person's latest request to buy; null before the first. */
  readonly lastPlan: Plan | null;
}

/** What filing writes, all in one transaction. */
export interface NewPurchase
  extends Omit<
    Purchase,
    'version' | 'changedAt' | 'approver' | 'firstApprover' | 'attempt' | 'declinedHow' | 'sendAfter'
  > {
  readonly filedBy: string;
  /** Two people have to approve it, and from now on perhaps what the same person has asked for before. */
  readonly twoPeople?: boolean;
  readonly evidence: FilingEvidence;
  readonly notices: readonly NewNotice[];
}

/** What a filing writes, all in one transaction. */
export interface FilingDecided<R, F = NewPurchase> {
  readonly result: R;
  readonly file?: F;
  /** What the submit came to, where that is to be kept. */
  readonly click?: ClickResult;
}
