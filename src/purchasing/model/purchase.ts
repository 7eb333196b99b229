import type { Allocation } from './basket.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';
import type { Plan } from './policy.ts';
import type { Quotient } from './quotient.ts';

/**
 * The states of a purchase. What is true in each, who moves it on, and what a crash there means:
 *
 * - requested: recorded with its content frozen; an approver (two of them, where the policy asks for that: it stays requested after the
 *   first yes), the requester (withdraw) or time moves it on. A crash loses nothing.
 * - approved: decided yes, not yet sent; the lane, the requester (withdraw) or time moves it on. After a crash the lane takes it up again.
 * - sending: committed before the POST; money may be leaving. Only its own process finishes it; after a crash another process calls it
 *   unknown once its deadline is well past. It is never sent again.
 * - completed: the vendor said `code` 200, or a named person settled it so. Final.
 * - declined: the vendor said no and the balance did not fall, or nothing ever left, or a named person settled it so.
 *   Only a later reading that contradicts it moves it (to unknown).
 * - unknown: nobody can tell. Only a named person moves it on.
 * - rejected, withdrawn, expired: no money moved. Final.
 *
 * All of that is so as far as this ledger knows. One that went back in time may have forgotten that a purchase was sent: whatever was
 * open becomes unknown, and so does any purchase for which an answer comes that the ledger has forgotten to wait for.
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
  requested: ['approved', 'rejected', 'withdrawn', 'expired', 'unknown'],
  approved: ['sending', 'withdrawn', 'expired', 'declined', 'unknown'],
  sending: ['completed', 'declined', 'unknown', 'approved'],
  completed: [],
  declined: ['unknown'],
  unknown: ['completed', 'declined'],
  rejected: ['unknown'],
  withdrawn: ['unknown'],
  expired: ['unknown'],
} as const satisfies Record<State, readonly State[]>;

/** The states from which each of `To` is listed. */
export type From<To extends State> = {
  [S in State]: [To] extends [(typeof LISTED_TRANSITIONS)[S][number]] ? S : never;
}[State];

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
  /** The refusing answer speaks of money: the other rows of its batch wait for some. */
  readonly short?: true;
  /** The ledger learned of it by its answer alone: what else was sent meanwhile, it cannot tell. */
  readonly forgotten?: true;
}

/** A row of a batch. */
export interface BatchPlace {
  readonly id: string;
  /** 0 is the first. */
  readonly place: number;
}

/** A purchase in one of these states: a rule that has looked at the state can say so to the compiler. */
export type Purchase<S extends State = State> = S extends State ? Fields & { readonly state: S } : never;

interface Fields {
  readonly id: string;
  readonly kind: Kind;
  /** Rises with every change that people see. */
  readonly version: number;
  /** Slack user id, as received. */
  readonly requester: string;
  /** The same human across an organisation: `enterprise_user.id` where there is one, else the user id. */
  readonly requesterPerson: string;
  /** The other person who approved or rejected it; null where nobody did. */
  readonly approver: string | null;
  /** Where two people are needed: who said yes first, by the Slack user id as received; null where nobody did, or took it back. */
  readonly firstApprover: string | null;
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
  /** Where it stands among the renewals that were asked for together; null for one that was asked for alone. */
  readonly batch: BatchPlace | null;
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
  Pick<Purchase, 'approver' | 'firstApprover' | 'orderId' | 'sendBy' | 'sendAfter' | 'attempt' | 'declinedHow' | 'why'>
>;

/** Everything that may be asked of the vendor, as the requester put it together. */
export type Content =
  | { readonly kind: 'buy'; readonly plan: Plan; readonly basket: readonly Allocation[] }
  | { readonly kind: 'renew'; readonly plan: Plan; readonly orderId: OrderId };

export type RenewContent = Extract<Content, { kind: 'renew' }>;

/** The same content means the same plan and quantities by country, in whatever order, or the same order to renew, whoever asks. */
export function contentKey(content: Content): string {
  switch (content.kind) {
    case 'buy': {
      const { productId, type, networkType } = content.plan;
      // By code units, not `localeCompare`: the key must be the same on every machine.
      const basket = content.basket.map(({ country, quantity }) => [country, quantity] as const).sort(byCode);
      return JSON.stringify(['buy', productId, type, networkType, basket]);
    }
    case 'renew':
      return JSON.stringify(['renew', content.orderId]);
    default:
      return content satisfies never;
  }
}

function byCode([a]: readonly [string, number], [b]: readonly [string, number]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Another purchase of the same content. */
export interface Twin {
  readonly id: string;
  readonly state: State;
  readonly requester: string;
  readonly changedAt: number;
}

/** One of a person's purchases that count towards limits, the free allowance, and whether two people have to approve. */
export interface Counted {
  readonly plan: Plan;
  /** IPs; null where not known. */
  readonly quantity: number | null;
  /** What it has cost, or is expected to; null where that is not known, or was not looked up since the policy says nothing in dollars. */
  readonly cost: Quotient | null;
}

/** What a person does with a purchase that has been filed, as its entries name it. */
export type PurchaseAction =
  | 'approve'
  | 'take back'
  | 'reject'
  | 'settle'
  | 'withdraw'
  | 'nudge'
  | 'ask'
  | 'answer'
  | 'enter order id'
  | 'show the answer'
  | 'look into a fall';
