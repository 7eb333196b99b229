import type { BalanceReading } from '../src/purchasing/model/balance-reading.ts';

/** What a form and its review share, whatever is bought or renewed. */
export interface ReviewedDraft {
  readonly reason: string;
  readonly separate: boolean;
  readonly balance: BalanceReading | null;
  readonly promised: Promised | null;
}

/** What the last review says, and which one that is: only its own submit files it. Null where nothing can be filed. */
export interface Promised {
  readonly review: string;
  readonly needsApproval: boolean;
}

export type Decoded<C> =
  | { readonly ok: true; readonly content: C }
  | { readonly ok: false; readonly errors: Record<string, string> };
