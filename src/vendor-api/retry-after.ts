/**
 * Seconds to wait, from a Retry-After header: a non-negative integer, or an HTTP date in the future. `undefined` for all
 * else: `-3`, `1.5`, `1000abc`, empty, a past date, two headers. `Date.parse("-3")` would be a valid date, and a NaN in a
 * timer fires at once.
 */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  // Only the one form that servers must send; it is exactly what toUTCString writes.
  if (Number.isNaN(date) || new Date(date).toUTCString() !== text || date <= now) return undefined;
  return Math.ceil((date - now) / 1000);
}
