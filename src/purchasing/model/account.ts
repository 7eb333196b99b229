import type { Allocation } from './basket.ts';
import type { Money } from './money.ts';
import type { Kind, Purchase, State } from './purchase.ts';
import type { Quotient } from './quotient.ts';

// What the balance tells. The vendor gives no prices, no history and no invoices: all that is known is what it said at some moments.

/** Who asked for a balance; `before` and `after` a purchase was sent. */
export type Asker = 'command' | 'form' | 'card' | 'home' | 'before' | 'after' | 'interval';

/**
 * A link of the chain of readings. It was asked for when the link before it was written already, so that links never overlap: two
 * processes that read at the same time, and whose answers come in another order, would else show a fall and then a rise that never were.
 * The order of the ledger's writes says which is which; no clock does.
 */
export interface Link {
  /** Its place among all readings. */
  readonly seq: number;
  /** When it was written, by the ledger's clock: shown, and nothing else. */
  readonly at: number;
  readonly balance: Money;
  /** The last entry of the ledger when it was written: whatever began to be sent later cannot be in it. */
  readonly keptAfter: number;
  /** What was sent, and may be booked only after this link. */
  readonly unbooked: readonly Unbooked[];
}

/** Milliseconds by a clock of one process that never jumps: they are compared only with others of the same process. */
export interface ProcessTime {
  readonly process: string;
  readonly ms: number;
}

export interface Unbooked {
  /** A purchase; null stands for all that a ledger which went back in time has forgotten. */
  readonly id: string | null;
  /** By process: {@link ProcessTime.ms} of the first link that it has written and that was asked for when the POST had ended. */
  readonly readAfter: Readonly<Record<string, number>>;
  /** Since it was sent nothing else could explain a change, and the balance has not risen. */
  readonly alone: boolean;
  /** It was booked, for so much; kept until it is sure that nothing else was taken for it. */
  readonly cost: Money | null;
}

/** What the ledger knows of whether a purchase that was sent took money. `doubtful`: it may have, and may yet be known. */
export type Standing = 'placed' | 'not_placed' | 'doubtful';

/**
 * Why a balance is another than it was.
 * - `ours`: it fell, and purchases explain it. One: its cost. Several: their sum.
 * - `top_up`: it rose. What was bought meanwhile is not known by it.
 * - `elsewhere`: it fell, and nothing that took money was sent.
 * - `unknown`: it fell, and a purchase that may explain it is unknown or being sent; or the ledger went back in time, and has forgotten
 *   what explains it.
 */
export type MovementKind = 'ours' | 'top_up' | 'elsewhere' | 'unknown';

/** What has changed between two links; there is none where nothing has. Differences add up to last minus first. */
export interface Movement {
  /** Of the link after it: rises. */
  readonly seq: number;
  /** When the two links were written. */
  readonly from: number;
  readonly to: number;
  readonly before: Money;
  readonly after: Money;
  readonly difference: Money;
  readonly kind: MovementKind;
  /** What explains it, or may. */
  readonly purchases: readonly string[];
  /** Nothing that is still open can change it. */
  readonly final: boolean;
  /** What somebody has said of money that left and that nothing explains; missing where nobody has. */
  readonly known?: KnownFall;
}

/** A person knows where that money went. */
export interface KnownFall {
  readonly by: string;
  readonly at: number;
  readonly note: string;
}

/** What is to be paid for, as far as its price goes. */
export interface Priced {
  readonly kind: Kind;
  readonly productId: string;
  /** Of a renewal: what the ledger knows of the order. */
  readonly basket: readonly Allocation[];
}

export function pricedOf({ kind, plan, basket }: Pick<Purchase, 'kind' | 'plan' | 'basket'>): Priced {
  return { kind, productId: plan.productId, basket };
}

/** What an IP costs, as observed from balances: never a quote. */
export interface Price {
  /** Of one IP. */
  readonly each: Quotient;
  /** When it was first observed, after another one or none. */
  readonly since: number;
  readonly latest: number;
  /** From how many purchases. */
  readonly observations: number;
}

/** By country, for one kind of purchase and one plan. */
export type Prices = ReadonlyMap<string, Price>;

/** At observed prices. */
export interface Estimate {
  readonly amount: Quotient;
  /** When the oldest of its prices was observed for the last time, and the latest. */
  readonly oldest: number;
  /** Since when none of its prices has changed. */
  readonly since: number;
  readonly latest: number;
  readonly observations: number;
}

/** Of a purchase that was sent. */
export interface Sent {
  readonly state: State;
  /** Readings that may still contradict a `declined` are due. */
  readonly readingsDue: boolean;
}
