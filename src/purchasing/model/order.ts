import { type Allocation, totalQuantity } from './basket.ts';
import type { OrderId } from './order-id.ts';
import type { Plan } from './policy.ts';
import type { Purchase } from './purchase.ts';

/** Everything that the ledger holds about one vendor order. An {@link Order} is computed from it, and never stored. */
export interface OrderFacts {
  readonly orderId: OrderId;
  /** The completed buy that placed it. */
  readonly bought: Purchase | null;
  /** Completed renewals, oldest first. */
  readonly renewals: readonly Purchase[];
  /** What people said about it, oldest first. */
  readonly entries: readonly OrderEntry[];
}

/** One append-only line of the ledger about an order. */
export interface OrderEntry {
  readonly seq: number;
  /** Milliseconds since 1970, by the ledger's clock. */
  readonly at: number;
  /** Slack user id, or the operator of the ledger command. */
  readonly by: string;
  readonly detail: OrderEntryDetail;
}

/** What its owner wants: renewed by itself before it ends, or not renewed. */
export type Intent = 'keep' | 'let_end';

export type OrderEntryDetail =
  /** An order that the bot did not make, as somebody wrote it down. */
  | ({ readonly kind: 'order_imported' } & ImportedOrder)
  | { readonly kind: 'order_owner'; readonly owner: string; readonly before: string | null }
  /** Empty: there is none any more. */
  | { readonly kind: 'order_note'; readonly note: string }
  /** Null: neither. `endsAt` is the end that the order had then. */
  | { readonly kind: 'order_intent'; readonly intent: Intent | null; readonly endsAt: number | null }
  /** Its owner is to be reminded so many days before the day of this end, too. */
  | { readonly kind: 'order_remind_again'; readonly endsAt: number; readonly rung: number };

export interface ImportedOrder {
  readonly plan: Plan;
  readonly basket: readonly Allocation[];
  /** The beginning of that day in UTC; null where nobody knows. */
  readonly boughtAt: number | null;
  readonly owner: string | null;
  readonly note: string | null;
}

export const ORDER_STATES = ['active', 'ending', 'ended', 'end not known'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** An order as the ledger's lines add up to it. */
export interface Order {
  readonly orderId: OrderId;
  /** How the ledger came to know of it; `renewed`: by a renewal alone, so that its content is not known. */
  readonly source: 'bought' | 'imported' | 'renewed';
  /** The plan last paid. */
  readonly plan: Plan;
  readonly basket: readonly Allocation[];
  /** IPs; null where not known. */
  readonly quantity: number | null;
  /** Slack user id; null where nobody was ever named. */
  readonly owner: string | null;
  readonly note: string | null;
  /** Null where not known. */
  readonly boughtAt: number | null;
  /** How often it was renewed. */
  readonly renewals: number;
  /** Computed by the terms of the policy; null where a term or the beginning is not known. */
  readonly endsAt: number | null;
  readonly intent: Intent | null;
  /** So many days before the day of its end somebody wants to be reminded once more; null where nobody does. */
  readonly remindAgain: number | null;
}

/** What was placed first: as the bot bought it, or as somebody wrote it down. */
export interface Placed {
  readonly plan: Plan;
  readonly basket: readonly Allocation[];
  readonly quantity: number | null;
  /** Null where not known. */
  readonly at: number | null;
}

/** Null for an order that the ledger knows by renewals alone, or not at all. */
export function placedOf({ bought, entries }: OrderFacts): Placed | null {
  if (bought) {
    const { plan, basket, quantity } = bought;
    return { plan, basket, quantity, at: sentAt(bought) };
  }
  const imported = importedOf(entries)?.detail;
  if (!imported) return null;
  const { plan, basket, boughtAt: at } = imported;
  return { plan, basket, quantity: totalQuantity(basket), at };
}

/** The line by which somebody wrote it down. */
export function importedOf(entries: readonly OrderEntry[]) {
  for (const entry of entries) {
    const { detail } = entry;
    if (detail.kind === 'order_imported') return { ...entry, detail };
  }
  return undefined;
}

/** A settled purchase was placed when it was sent, not when somebody found out. */
export function sentAt({ attempt, changedAt }: Purchase): number {
  return attempt?.at ?? changedAt;
}
