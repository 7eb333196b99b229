import type { Estimate } from './account.ts';
import type { Money } from './money.ts';
import { compareQuotients, inCents, type Quotient } from './quotient.ts';

/** What something would cost at observed prices; or of which of its countries no price is known, as far as its countries are. */
export type ExpectedCost =
  | ({ readonly known: true } & Estimate)
  | { readonly known: false; readonly missing: readonly string[] };

/** The same as the entry of a filing keeps it: what the person saw who filed it. */
export type CostAtFiling =
  | (Omit<Estimate, 'amount' | 'since'> & {
      readonly amount: Money;
      readonly divisor: string;
      /** Of what was filed before this was kept, it is not known. */
      readonly since?: number;
    })
  | { readonly missing: readonly string[] };

export const NO_PRICE: ExpectedCost = { known: false, missing: [] };

export function atFiling(cost: ExpectedCost): CostAtFiling {
  if (!cost.known) return { missing: cost.missing };
  const { amount, oldest, since, latest, observations } = cost;
  return { amount: amount.amount, divisor: String(amount.divisor), oldest, since, latest, observations };
}

export function expectedThen(then: CostAtFiling): ExpectedCost {
  if ('missing' in then) return { known: false, missing: then.missing };
  const { amount, divisor, oldest, latest, observations, since = latest } = then;
  return { known: true, amount: { amount, divisor: BigInt(divisor) }, oldest, since, latest, observations };
}

/** Null where it is not known. */
export function amountOf(cost: ExpectedCost): Quotient | null {
  return cost.known ? cost.amount : null;
}

/** As it is shown, in cents. */
export function shownAmount(cost: ExpectedCost): Money | null {
  return cost.known ? inCents(cost.amount) : null;
}

/** People see the same amount, or none. */
export function showTheSame(a: ExpectedCost, b: ExpectedCost): boolean {
  return shownAmount(a) === shownAmount(b);
}

/** What was, may have been or may yet be spent. */
export interface Spent {
  readonly amount: Quotient;
  /** How many purchases are in it of which nobody knows what they cost: it may be more. */
  readonly unpriced: number;
}

/** The policy says something in dollars. */
export interface DollarsBy {
  /** Whose months are meant; see {@link Reports.timeZone}. */
  readonly timeZone: string;
}

/** In the calendar month, besides the purchase that is looked at. */
export interface MonthSpent {
  readonly person: Spent;
  readonly everybody: Spent;
}

/** @param limit in dollars */
export function isAbove(amount: Quotient, limit: Money): boolean {
  return compareQuotients(amount, { amount: limit, divisor: 1n }) > 0;
}

export function reaches(amount: Quotient, limit: Money): boolean {
  return compareQuotients(amount, { amount: limit, divisor: 1n }) >= 0;
}
