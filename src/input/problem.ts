import type { AllocationsReading } from './allocations.ts';
import type { OrderIdProblem } from './fields.ts';

/** Why a typed command could not be followed. Tokens are as typed, decoded and not yet escaped: show them with `literal`. */
export type TypedProblem =
  | { readonly problem: 'rows'; readonly reading: AllocationsReading }
  | { readonly problem: OrderIdProblem; readonly token: string; readonly after: 'renew' | 'orders' }
  /** Neither a word of `/proxy orders` nor a country. */
  | { readonly problem: 'orders_unknown'; readonly token: string }
  /** A country, but which one? */
  | { readonly problem: 'orders_unclear'; readonly token: string; readonly codes: readonly string[] }
  /** No word of `/proxy spend`. */
  | { readonly problem: 'spend_unknown'; readonly token: string }
  | { readonly problem: 'extra_words'; readonly after: string; readonly token: string }
  | { readonly problem: 'stray_quote'; readonly token: string }
  | { readonly problem: 'reason_missing' };
