import type { Allocation } from './basket.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';
import type { Plan } from './plan.ts';

/**
 * The states of a purchase. What is true in each, who moves it on, and what a crash there means:
 *
 * - requested: recorded with its content frozen; an approver, the requester (withdraw) or time moves it on. A crash loses nothing.
 * - approved: decided yes, not yet sent; the lane, the requester (withdraw) or time moves it on. After a crash the lane takes it up again.
 * - sending: committed before the POST; money may be leaving. Only its own process finishes it; after a crash another process calls it
 *   unknown once its deadline is well past. It is never sent again.
 * - completed: the vendor said `code` 200, or a named person settled it so. Final.
 * - declined: the vendor said no and the balance did not fall, or nothing ever left, or a named person settled it so.
 *   Only a later reading that contradicts it moves it (to unknown).
 * - unknown: nobody can tell. Only a named person moves it on.
 * - rejected, withdrawn, expired: no money moved. Final.
 */
export const STATES = [
  'requested',
  'approved',
  'sending',
  'completed',
  'declined',
  'unknown',
  'rejected',
  'withdrawn',
  'expired',
] as const;
export type State = (typeof STATES)[number];

/** Every transition there is; the ledger refuses any other. */
export const LISTED_TRANSITIONS = {
  requested: ['approved', 'rejected', 'withdrawn', 'expired'],
  approved: ['sending', 'withdrawn', 'expired', 'declined'],
  sending: ['completed', 'declined', 'unknown', 'approved'],
  completed: [],
  declined: ['unknown'],
  unknown: ['completed', 'declined'],
  rejected: [],
  withdrawn: [],
  expired: [],
} as const satisfies Record<State, readonly State[]>;

/** States in which money was, may have been, or may yet be spent: they count towards limits and the free allowance. */
export const COUNTED_STATES = [
  'requested',
  'approved',
  'sending',
  'completed',
  'unknown',
] as const satisfies readonly State[];

/** States in which the same content must not be asked for again. */
export const OPEN_STATES = ['requested', 'approved', 'sending', 'unknown'] as const satisfies readonly State[];

export type Kind = 'buy' | 'renew';

/** Why a purchase is `declined`: by the vendor's answer, because nothing was sent, or by a person who settled it. */
export type DeclinedHow = 'vendor' | 'not_sent' | 'settled';

/** One try at sending. Times are milliseconds since 1970, by the ledger's clock. */
export interface Attempt {
  readonly id: string;
  /** 1 for the first. */
  readonly number: number;
  readonly firstAt: number;
  readonly at: number;
  /** The answer must be whole by then. */
  readonly deadline: number;
  readonly balanceBefore: Money;
  readonly balanceBeforeAt: number;
  /** A refusing answer is stored, and waits for the first reading that follows it. */
  readonly refused: boolean;
}

export interface Purchase {
  readonly id: string;
  readonly kind: Kind;
  readonly state: State;
  /** Rises with every change that people see. */
  readonly version: number;
  /** Slack user id, as received. */
  readonly requester: string;
  /** The same human across an organisation: `enterprise_user.id` where there is one, else the user id. */
  readonly requesterPerson: string;
  /** The other person who approved or rejected it; null where nobody did. */
  readonly approver: string | null;
  readonly plan: Plan;
  /** What is bought; for a renewal, what the ledger knows of the order. */
  readonly basket: readonly Allocation[];
  /** IPs; null for a renewal of an order whose size is not known. */
  readonly quantity: number | null;
  /** Digits. Of a renewal: the order renewed. Of a buy: the order placed, once known. */
  readonly orderId: OrderId | null;
  readonly reason: string;
  /** One purchase for one submitted view. */
  readonly submission: string;
  /** Equal for purchases that would do the same thing. */
  readonly contentKey: string;
  readonly needsApproval: boolean;
  readonly createdAt: number;
  /** When it expires, if nobody has decided by then. */
  readonly expiresAt: number;
  /** When it entered its present state. */
  readonly changedAt: number;
  /** When it expires, if it is approved and not sent by then. */
  readonly sendBy: number | null;
  /** The lane does not send it before then. */
  readonly sendAfter: number | null;
  readonly attempt: Attempt | null;
  readonly declinedHow: DeclinedHow | null;
  /** Why it is in its present state, in one clause for people. */
  readonly why: string | null;
}

/** What may change of a purchase after filing; its content is frozen. */
export type PurchaseChange = Partial<
  Pick<Purchase, 'approver' | 'orderId' | 'sendBy' | 'sendAfter' | 'attempt' | 'declinedHow' | 'why'>
>;

/** Everything that may be asked of the vendor, as the requester put it together. */
export type Content =
  | { readonly kind: 'buy'; readonly plan: Plan; readonly basket: readonly Allocation[] }
  | { readonly kind: 'renew'; readonly plan: Plan; readonly orderId: OrderId };

/**
 * The same content means the same plan and basket (merged and sorted by country), or the same order to renew, whoever asks.
 */
export function contentKey(content: Content): string {
  switch (content.kind) {
    case 'buy': {
      const { productId, type, networkType } = content.plan;
      return JSON.stringify(['buy', productId, type, networkType, content.basket.map((a) => [a.country, a.quantity])]);
    }
    case 'renew':
      return JSON.stringify(['renew', content.orderId]);
    default:
      return content satisfies never;
  }
}
