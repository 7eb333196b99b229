import type { Basket } from './basket.ts';
import type { ClickResult } from './click.ts';

/** A basket under a name, for the whole team. */
export interface SavedBasket {
  readonly id: string;
  /** As somebody typed it, on one line. */
  readonly name: string;
  readonly basket: Basket;
  /** The plan's product id; null where none was chosen. */
  readonly plan: string | null;
  /** Slack user id as received, of whoever saved it. */
  readonly by: string;
  readonly at: number;
}

/** As many as one view has room for, each with its buttons. */
export const BASKETS_AT_MOST = 30;

/** In characters; short enough to be read in a list. */
export const LONGEST_BASKET_NAME = 60;

/** What somebody did with a saved basket: one append-only line of the ledger. */
export type BasketEntryDetail =
  | ({ readonly kind: 'basket_saved' } & Omit<SavedBasket, 'by' | 'at'>)
  | { readonly kind: 'basket_renamed'; readonly id: string; readonly name: string; readonly before: string }
  | { readonly kind: 'basket_removed'; readonly id: string; readonly name: string };

/** Read inside the transaction that saves, renames or removes one. */
export interface BasketFacts {
  readonly now: number;
  readonly saved: readonly SavedBasket[];
  /** What an earlier delivery of this click led to; null for the first. */
  readonly deliveredBefore: ClickResult | null;
}

/** What is written, in one transaction: the entry, and what it says is done to the saved baskets. */
export interface BasketChange<R> {
  readonly result: R;
  readonly entry?: { readonly by: string; readonly detail: BasketEntryDetail };
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type BasketRule<R> = (facts: BasketFacts) => BasketChange<R>;

/** The name as it is kept: on one line. */
export function basketName(typed: string): string {
  return typed
    .toWellFormed()
    .replace(/[\p{White_Space}\p{Cc}]+/gu, ' ')
    .replace(/^ | $/g, '');
}

/** Seen nowhere, or as white space only. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/gu;
const BLANK = /[\p{White_Space}\u2800]+/gu;

/**
 * What two names have in common that a person takes for the same: compared by it, and never shown. Empty for a name in which there is
 * nothing to be seen. Upper case first: it makes SS of ß, and one letter of both small sigmas.
 */
export function foldedName(name: string): string {
  return name.normalize('NFKC').replace(UNSEEN, '').replace(BLANK, ' ').trim().toUpperCase().toLowerCase();
}
