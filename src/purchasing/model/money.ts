import Big from 'big.js';

declare const canonical: unique symbol;

/**
 * An exact amount as decimal text: `-3.20`, `12.50`, `1000000000000000000000`. Only digits, one optional point, a minus
 * where it is below zero; no exponent, no leading zeros, no minus zero. The decimals are as many as the source had, since
 * they are shown. Only {@link parseMoney} and the arithmetic here make one, so that no float can become money.
 */
export type Money = string & { readonly [canonical]: true };

export const NO_MONEY = '0' as Money;

/** Longer amounts are damage or an attack (`1e999999999` would fill the memory), not a balance. In characters. */
const LONGEST = 60;

/** The grammar of a JSON number; it takes in every plain decimal, and refuses grouping, blanks, `+`, `.5` and `007`. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Reads the source text of a JSON number, or a plain decimal. `undefined` for everything that would have to be guessed:
 * `1,234.50` may be a thousand or one, so it is neither.
 */
export function parseMoney(text: string): Money | undefined {
  if (text.length > LONGEST) return undefined;
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const exponent = Number(match[2] ?? '0');
  if (Math.abs(exponent) > LONGEST) return undefined; // before anything is expanded
  const decimals = Math.max(0, (match[1] ?? '').length - exponent);
  const written = toText(new Big(text), decimals);
  return written.length > LONGEST ? undefined : written;
}

/** `after − before`, exact, with as many decimals as the finer of the two. Observed between two readings: not a price. */
export function difference(after: Money, before: Money): Money {
  return toText(new Big(after).minus(before), Math.max(decimalsOf(after), decimalsOf(before)));
}

/** Exact, with as many decimals as the finer of the two. */
export function sum(a: Money, b: Money): Money {
  return toText(new Big(a).plus(b), Math.max(decimalsOf(a), decimalsOf(b)));
}

/** @param count a whole number */
export function times(amount: Money, count: bigint): Money {
  return toText(new Big(amount).times(String(count)), decimalsOf(amount));
}

/** The same fraction in lowest terms, as far as the decimals of the amount go. @param divisor above zero */
export function lowestTerms(amount: Money, divisor: bigint): { readonly amount: Money; readonly divisor: bigint } {
  const decimals = decimalsOf(amount);
  const units = unitsOf(amount);
  const common = greatestCommon(units < 0n ? -units : units, divisor);
  return { amount: ofUnits(units / common, decimals), divisor: divisor / common };
}

/** `amount / divisor`, rounded half up (half a cent below zero: down). @param divisor above zero */
export function toCents(amount: Money, divisor: bigint): Money {
  const units = unitsOf(amount);
  const hundredfold = (units < 0n ? -units : units) * 100n;
  const by = divisor * 10n ** BigInt(decimalsOf(amount));
  const cents = (hundredfold * 2n + by) / (by * 2n);
  return ofUnits(units < 0n ? -cents : cents, 2);
}

export function greatestCommon(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommon(b, a % b);
}

/** Below zero when `a` is less than `b`, zero when they are the same amount (`12.5` and `12.50` are), else above zero. */
export function compare(a: Money, b: Money): -1 | 0 | 1 {
  return new Big(a).cmp(b);
}

export function isPositive(money: Money): boolean {
  return new Big(money).gt(0);
}

/** `$1,012.50`, `−$3.20`: at least two decimals, and every one the vendor gave; the minus is the mathematical one. */
export function formatDollars(money: Money): string {
  const amount = new Big(money);
  const text = toText(amount.abs(), Math.max(2, decimalsOf(money)));
  const [whole = '', decimals] = text.split('.');
  const grouped = `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${decimals}`;
  return amount.lt(0) ? `−$${grouped}` : `$${grouped}`;
}

/** `3.20` is 320 units, of which 100 make one. */
function unitsOf(amount: Money): bigint {
  return BigInt(amount.replace('.', ''));
}

/** By multiplication: `div` of big.js rounds. */
function ofUnits(units: bigint, decimals: number): Money {
  return toText(new Big(String(units)).times(`1e-${decimals}`), decimals);
}

function decimalsOf(money: Money): number {
  const point = money.indexOf('.');
  return point === -1 ? 0 : money.length - point - 1;
}

function toText(amount: Big, decimals: number): Money {
  // big.js keeps the sign of zero; people read "-0.00" as a debt.
  return (amount.eq(0) ? amount.abs() : amount).toFixed(decimals) as Money;
}
