import type { Estimate, Price, Prices } from '../model/account.ts';
import type { Allocation } from '../model/basket.ts';
import type { ExpectedCost } from '../model/cost.ts';
import { isPositive, type Money } from '../model/money.ts';
import { compareQuotients, divide, minus, multiply, NOTHING, plus, type Quotient } from '../model/quotient.ts';

/** A purchase that stood alone between two links. */
export interface Observation {
  readonly basket: readonly Allocation[];
  readonly cost: Money;
  readonly at: number;
}

/**
 * What an observation teaches: prices that are new or confirmed, and null where one is no longer known. One country gives its price; of
 * several, all but one must be known. Where all are known and do not add up to what was paid, one of them has changed, and nobody can
 * tell which: none is known then.
 */
export function observe(known: Prices, { basket, cost, at }: Observation): ReadonlyMap<string, Price | null> {
  const [first, ...more] = basket;
  const paid: Quotient = { amount: cost, divisor: 1n };
  if (!first || !isPositive(cost)) return new Map();
  if (more.length === 0) return learnt(known, first, paid, at);
  const missing = basket.filter(({ country }) => !known.has(country));
  const rest = minus(paid, costOf(known, basket));
  if (missing.length === 0) return new Map(isZero(rest) ? [] : basket.map(({ country }) => [country, null] as const));
  const [unknown, ...others] = missing;
  return unknown && others.length === 0 && compareQuotients(rest, NOTHING) > 0
    ? learnt(known, unknown, rest, at)
    : new Map();
}

function learnt(known: Prices, { country, quantity }: Allocation, paid: Quotient, at: number): Map<string, Price> {
  const each = divide(paid, quantity);
  const was = known.get(country);
  const same = was !== undefined && isZero(minus(was.each, each));
  const price = same
    ? { ...was, latest: Math.max(was.latest, at), observations: was.observations + 1 }
    : { each, since: at, latest: at, observations: 1 };
  return new Map([[country, price]]);
}

/** What it costs at observed prices, exactly; undefined where the price of a part is not known. */
export function estimate(basket: readonly Allocation[], prices: Prices): Estimate | undefined {
  const parts = basket.flatMap(({ country }) => prices.get(country) ?? []);
  if (parts.length === 0 || parts.length < basket.length) return undefined;
  return {
    amount: costOf(prices, basket),
    oldest: Math.min(...parts.map(({ latest }) => latest)),
    since: Math.max(...parts.map(({ since }) => since)),
    latest: Math.max(...parts.map(({ latest }) => latest)),
    observations: parts.reduce((sum, { observations }) => sum + observations, 0),
  };
}

export function expect(basket: readonly Allocation[], prices: Prices): ExpectedCost {
  const found = estimate(basket, prices);
  if (found) return { known: true, ...found };
  return { known: false, missing: basket.flatMap(({ country }) => (prices.has(country) ? [] : [country])) };
}

/** Of what is known of it. */
function costOf(prices: Prices, basket: readonly Allocation[]): Quotient {
  return basket.reduce((sum, { country, quantity }) => {
    const price = prices.get(country);
    return price ? plus(sum, multiply(price.each, quantity)) : sum;
  }, NOTHING);
}

function isZero(amount: Quotient): boolean {
  return compareQuotients(amount, NOTHING) === 0;
}
