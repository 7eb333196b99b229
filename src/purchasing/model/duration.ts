const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** How people write a duration: `4s`, `15m`, `24h` or `7d`. */
export const DURATION = /^([1-9]\d{0,8})([smhd])$/;

/** @returns milliseconds; not a number where it is no duration. */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * (UNITS_MS.get(unit ?? '') ?? Number.NaN);
}
