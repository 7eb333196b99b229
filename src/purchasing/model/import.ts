import type { Basket } from './basket.ts';
import type { ImportedOrder } from './order.ts';
import type { OrderId } from './order-id.ts';
import type { Kind } from './purchase.ts';

/** The columns of a list of orders that were bought elsewhere, as its first line names them. */
export const IMPORT_COLUMNS = ['order_id', 'product_id', 'countries', 'bought_on', 'owner', 'note'] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** One line of such a list, as far as it could be read: undefined is what could not, null what was left empty. */
export interface ListedOrder {
  /** Counted from 1, the first line of the text. */
  readonly line: number;
  readonly orderId: OrderId | undefined;
  readonly productId: string | undefined;
  readonly basket: Basket | undefined;
  /** The beginning of that day in UTC. */
  readonly boughtAt: number | null | undefined;
  readonly owner: ListedOwner | null | undefined;
  readonly note: string | null | undefined;
}

export type ListedOwner =
  /** A Slack user id. */
  { readonly user: string } | { readonly email: string };

/** What became of looking for an owner. */
export type FoundOwner =
  /** The Slack user id. */
  | { readonly found: 'user'; readonly user: string }
  | { readonly found: 'nobody' }
  /** Slack could not be asked. */
  | { readonly found: 'unreadable'; readonly retryAfterSeconds: number }
  /** The app has not been given the right to look e-mail addresses up. */
  | { readonly found: 'scope_missing' }
  /** An e-mail address where there is no Slack to ask. */
  | { readonly found: 'no_slack' };

/** What is wrong with a line. `column` is null where it is the line, or the whole list. */
export interface LineProblem {
  readonly line: number;
  readonly column: ImportColumn | null;
  readonly fault: LineFault;
}

export type LineFault =
  /** In words already, with what would be right; plain text with foreign text in it. */
  | { readonly fault: 'unreadable'; readonly words: string }
  | { readonly fault: 'plan_unknown'; readonly productId: string; readonly known: readonly string[] }
  | { readonly fault: 'day_to_come' }
  | {
      readonly fault: 'owner_not_found';
      readonly owner: string;
      readonly why: Exclude<FoundOwner, { readonly found: 'user' }>;
    }
  /** The ledger holds the order by a purchase. */
  | { readonly fault: 'held'; readonly purchase: string; readonly kind: Kind; readonly by: string; readonly at: number }
  | {
      readonly fault: 'imported_otherwise';
      readonly by: string;
      readonly at: number;
      /** What the list says differently. */
      readonly differs: readonly ImportColumn[];
    };

/** A line that can be written down. */
export interface ImportRow {
  readonly line: number;
  readonly orderId: OrderId;
  readonly order: ImportedOrder;
}

/** What a list would do, as of now. Nothing is written of one that has problems. */
export interface ImportReview {
  readonly add: readonly ImportRow[];
  /** How many of its lines the ledger holds already, as they stand. */
  readonly there: number;
  /** By line and column. */
  readonly problems: readonly LineProblem[];
}
