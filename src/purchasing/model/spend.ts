import type { Link, Movement, MovementKind } from './account.ts';
import type { Money } from './money.ts';
import type { Purchase } from './purchase.ts';

// What was spent in a time, as the balances tell it. What they do not tell is counted and said, and never shared out by guess.

export const PERIODS = ['this month', 'last month', '90d'] as const;
/** A calendar month, as in `2026-11`. */
export type Month = `${number}-${number}`;

export type Period = (typeof PERIODS)[number] | Month;

export function isMonth(text: string): text is Month {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
}

export const SPENT_BY = ['person', 'plan', 'country'] as const;
export type SpentBy = (typeof SPENT_BY)[number];

/** What a person asks to see of it. */
export interface SpendQuery {
  readonly period: Period;
  readonly by: SpentBy;
}

/** After `from`, and not after `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the ledger holds of a time. */
export interface SpendFacts {
  readonly span: Span;
  /** The readings with which it begins and ends: the last ones by then; null where there are none. */
  readonly begins: Link | null;
  readonly ends: Link | null;
  readonly movements: readonly Movement[];
  /** Those that explain a movement or may, and those that were sent in this time. */
  readonly purchases: readonly Purchase[];
  /** Of those that explain none of these movements: what they have cost, where a movement is theirs alone, whenever it was. */
  readonly costs: ReadonlyMap<string, Money>;
}

/** Of one person, plan or country. */
export interface SpendRow {
  readonly key: string;
  readonly spent: Money;
  readonly purchases: number;
  /** Null where one of them is of an order whose size is not known. */
  readonly ips: number | null;
  /** Of its purchases so many have no cost in `spent`: it was not observed, or only in a sum with others. */
  readonly withoutCost: number;
}

export interface KindSum {
  readonly movements: number;
  /** Of their differences: below zero where money left. */
  readonly sum: Money;
}

export interface Spend {
  readonly by: SpentBy;
  readonly kinds: Readonly<Record<MovementKind, KindSum>>;
  /** The most is first. */
  readonly rows: readonly SpendRow[];
  /** What purchases of several persons, plans or countries cost together: nobody can tell each one's part. Null where there is no such. */
  readonly together: { readonly spent: Money; readonly purchases: number } | null;
  /** Purchases that were placed, and at which the balance was not seen to fall. */
  readonly notObserved: readonly Purchase[];
  /** Sent in this time, and of which nobody can tell yet whether they took money. */
  readonly doubtful: number;
}
