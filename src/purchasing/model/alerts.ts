import type { Link, Movement } from './account.ts';
import type { ClickResult } from './click.ts';
import type { NewEntry } from './entries.ts';
import type { Freeze } from './freeze.ts';
import type { Money } from './money.ts';
import type { NewNotice } from './outbox.ts';

/** What has been told of the balance, and not ended since: the readings at which it was told. */
export interface Told {
  /** There is less than the policy wants; null since there is not. */
  readonly low: number | null;
  /** It is enough for fewer days than the policy wants; null since it is not. */
  readonly short: number | null;
}

/** What the ledger knows when it looks at the balance. */
export interface WatchFacts {
  readonly now: number;
  readonly judgedUpTo: number;
  /** All after `judgedUpTo`, in their order. */
  readonly movements: readonly Movement[];
  /** Of these, those that were told, by `seq`. */
  readonly toldOf: ReadonlySet<number>;
  readonly latest: Link | null;
  /** A purchase is being sent, or its last reading is still to come. */
  readonly underWay: boolean;
  readonly told: Told;
  /** What has left the account lately, and for how long it was watched. */
  readonly spent: { readonly spent: Money; readonly overMs: number };
  readonly freeze: Freeze | null;
}

/** All written in one transaction. */
export interface WatchChange {
  readonly judgedUpTo: number;
  readonly told: Told;
  readonly notices: readonly NewNotice[];
  /** Freezes spending from now on. */
  readonly freeze: { readonly to: Freeze; readonly notice: NewNotice } | null;
}

/** Pure. @returns null where there is nothing to write */
export type WatchRule = (facts: WatchFacts) => WatchChange | null;

/** A change of the balance that people were told of. */
export interface ToldMovement {
  readonly movement: Movement;
  /** Something was sent that could have explained it, and took no money. */
  readonly sentInVain: boolean;
}

export interface ToldFacts {
  readonly told: ToldMovement;
  readonly now: number;
  readonly freeze: Freeze | null;
  readonly deliveredBefore: ClickResult | null;
}

/** What a person's click on a fall that was told writes. */
export interface ToldChange<R> {
  readonly result: R;
  readonly entry?: Pick<NewEntry, 'by' | 'detail'>;
  readonly freeze?: { readonly to: Freeze; readonly notice: NewNotice };
  readonly click?: ClickResult;
}
