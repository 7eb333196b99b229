import type { Movement } from './account.ts';
import type { Money } from './money.ts';
import type { Order } from './order.ts';
import type { NewNotice } from './outbox.ts';
import type { Purchase } from './purchase.ts';
import type { Quotient } from './quotient.ts';
import type { Month, Spend, SpendFacts, SpentBy } from './spend.ts';

// What those who approve are told of a month, once, when it is over.

/** What the ledger knows when it looks whether a report is due. */
export interface ReportingFacts {
  readonly now: number;
  /** The month whose report is owed next; null where no bot that reports has looked yet. */
  readonly next: Month | null;
  /** When the balance was first read; null before. */
  readonly watchedSince: number | null;
}

/** All written in one transaction. */
export interface ReportingChange {
  readonly next: Month;
  readonly notices: readonly NewNotice[];
}

/** Pure. @returns null where there is nothing to write */
export type ReportingRule = (facts: ReportingFacts) => ReportingChange | null;

/** What a report tells of, by the policy when it was owed. */
export interface ReportedMonth {
  readonly month: Month;
  readonly timeZone: string;
}

/** Some of many, and how many there are. */
export interface Some<T> {
  readonly shown: readonly T[];
  readonly total: number;
}

export interface MonthlyReport extends ReportedMonth {
  readonly dueAt: number;
  /** Where the balance was not yet watched when the month began: since when it is. */
  readonly watchedSince: number | null;
  /** When the ledger went back in time since the month began: what it has forgotten nobody can explain. */
  readonly wentBackAt: number | null;
  readonly facts: SpendFacts;
  readonly by: Readonly<Record<SpentBy, Spend>>;
  /** The month before, as far as it was watched; null where it was not. */
  readonly before: { readonly month: Month; readonly spent: Money; readonly watchedSince: number | null } | null;
  /** What left and nothing explains, the most first. */
  readonly unexplained: Some<Movement>;
  /** As of now; with the address of its card, where Slack names one. */
  readonly unknown: Some<{ readonly purchase: Purchase; readonly card: string | null }>;
  /** Orders that ended in this month and were not renewed, in the order of their ends. */
  readonly ended: Some<Order>;
  /** Null where the month after is over already. */
  readonly renewals: RenewalsAhead | null;
}

/** Renewals that are due in a month: of orders that are kept or were renewed before. */
export interface RenewalsAhead {
  readonly month: Month;
  /** The soonest end first; `cost` of one renewal, null where no price is observed. */
  readonly orders: Some<{ readonly order: Order; readonly cost: Quotient | null }>;
  /** An order whose term is short is renewed several times. */
  readonly renewals: number;
  readonly cost: Quotient;
  /** Orders of which no price is observed. */
  readonly unpriced: number;
  /** More orders end in that month than were looked at. */
  readonly more: boolean;
}
