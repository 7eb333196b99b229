import type { Batch } from './batch.ts';
import type { Change, ChangeFacts } from './change.ts';
import type { ClickResult } from './click.ts';
import type { FilingDecided, FilingFacts, FilingSubject, NewPurchase } from './filing.ts';
import type { Freeze } from './freeze.ts';
import type { NewNotice } from './outbox.ts';
import type { Purchase } from './purchase.ts';

/** What a batch is about, for the facts that decide on filing it. */
export interface BatchSubject {
  /** One batch for one submitted view. */
  readonly submission: string;
  /** The id of the submit that files it. */
  readonly click?: string | undefined;
  readonly rows: readonly FilingSubject[];
}

/** Read inside the transaction that files. */
export interface BatchFilingFacts {
  readonly now: number;
  readonly freeze: Freeze | null;
  /** The batch that this very submission has filed already. */
  readonly filed: Batch | null;
  /** As {@link FilingFacts.deliveredBefore}. */
  readonly deliveredBefore: ClickResult | null;
  /** Of each row, as if it were filed alone. */
  readonly rows: readonly FilingFacts[];
}

/** What filing a batch writes, all in one transaction. */
export interface NewBatch extends Omit<Batch, 'rows'> {
  readonly submission: string;
  readonly notices: readonly NewNotice[];
  readonly rows: readonly NewPurchase[];
}

export type BatchFiling<R> = FilingDecided<R, NewBatch>;

/** A row with the facts that its change is decided on. */
export interface BatchRow {
  readonly purchase: Purchase;
  readonly facts: ChangeFacts;
}

/** What a decision about a batch writes, in one transaction. */
export interface BatchChange<R> {
  readonly result: R;
  /** One for each row that is written, by the purchase's id. */
  readonly changes: ReadonlyMap<string, Change<unknown>>;
  /** About the batch. */
  readonly notices?: readonly NewNotice[];
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type BatchRule<R> = (rows: readonly BatchRow[]) => BatchChange<R>;
