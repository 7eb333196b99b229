import {
  compare,
  difference,
  greatestCommon,
  lowestTerms,
  type Money,
  NO_MONEY,
  sum,
  times,
  toCents,
} from './money.ts';

/**
 * An exact amount that need not end: `amount` divided by `divisor`. $10.00 for 3 IPs is such a price; a third of it, as a decimal, would
 * be rounded, and a basket at rounded prices would cost something else.
 */
export interface Quotient {
  readonly amount: Money;
  /** Above zero. */
  readonly divisor: bigint;
}

export const NOTHING: Quotient = { amount: NO_MONEY, divisor: 1n };

export function plus(a: Quotient, b: Quotient): Quotient {
  const { one, other, divisor } = atOneDivisor(a, b);
  return lowestTerms(sum(one, other), divisor);
}

export function minus(a: Quotient, b: Quotient): Quotient {
  const { one, other, divisor } = atOneDivisor(a, b);
  return lowestTerms(difference(one, other), divisor);
}

/** Below zero when `a` is less than `b`, zero when they are the same, else above zero. */
export function compareQuotients(a: Quotient, b: Quotient): -1 | 0 | 1 {
  const { one, other } = atOneDivisor(a, b);
  return compare(one, other);
}

export function multiply({ amount, divisor }: Quotient, count: number): Quotient {
  return lowestTerms(times(amount, BigInt(count)), divisor);
}

export function divide({ amount, divisor }: Quotient, count: number): Quotient {
  return lowestTerms(amount, divisor * BigInt(count));
}

/** As it is shown: rounded half up to cents. */
export function inCents({ amount, divisor }: Quotient): Money {
  return toCents(amount, divisor);
}

function atOneDivisor(a: Quotient, b: Quotient) {
  const divisor = (a.divisor / greatestCommon(a.divisor, b.divisor)) * b.divisor;
  return { one: times(a.amount, divisor / a.divisor), other: times(b.amount, divisor / b.divisor), divisor };
}
