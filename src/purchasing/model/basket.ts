/** One country (ISO 3166-1 alpha-2, upper case) with a quantity of IPs, at least 1. */
export interface Allocation {
  readonly country: string;
  readonly quantity: number;
}

/** What is bought: each country once, in the order in which it was put together. `mergeBasket` makes one. */
export type Basket = readonly Allocation[];

/**
 * Sums rows of the same country; each stands where it was typed first, in what is reviewed, sent and kept. A row that no parser
 * lets through is a bug of the caller and throws, as does a total that could not be told exactly.
 */
export function mergeBasket(rows: readonly Allocation[]): Basket {
  const quantities = new Map<string, number>();
  for (const { country, quantity } of rows) {
    if (!/^[A-Z]{2}$/.test(country)) throw new RangeError(`not a country code: ${JSON.stringify(country)}`);
    if (!Number.isSafeInteger(quantity) || quantity < 1) throw new RangeError(`not a quantity of IPs: ${quantity}`);
    quantities.set(country, (quantities.get(country) ?? 0) + quantity);
  }
  const basket = [...quantities].map(([country, quantity]) => ({ country, quantity }));
  totalQuantity(basket);
  return basket;
}

/** The number of IPs in all countries together. */
export function totalQuantity(basket: readonly Allocation[]): number {
  let total = 0;
  for (const { quantity } of basket) {
    total += quantity;
    // Past 2^53 a sum is silently rounded, and a limit would be checked on another number than the one sent.
    if (!Number.isSafeInteger(total)) throw new RangeError('the total quantity is too large to be exact');
  }
  return total;
}
