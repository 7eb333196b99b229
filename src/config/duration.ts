const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Longer is a typing mistake, not a policy. */
const LONGEST_MS = 365 * 86_400_000;

/** `4s`, `15m`, `24h` or `7d` in milliseconds; null for anything else, zero included. */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  const duration = Number(amount) * (UNITS_MS.get(unit ?? '') ?? Number.NaN);
  return duration <= LONGEST_MS ? duration : null;
}
