const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** How people write a duration: `4s`, `15m`, `24h` or `7d`. */
export const DURATION = /^([1-9]\d{0,8})([smhd])$/;

/** The same, in whole units of the largest that fits; `0s` for less than a second. */
export function durationText(ms: number): string {
  const [unit, unitMs] = [...UNITS_MS].findLast(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`;
}

/** @returns milliseconds; not a number where it is no duration. */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * (UNITS_MS.get(unit ?? '') ?? Number.NaN);
}
