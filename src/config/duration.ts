import { z } from 'zod';
import { wrong } from './problem.ts';

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const FORM = /^([1-9]\d{0,8})([smhd])$/;

/** Longer is a typing mistake, not a policy. */
const LONGEST_MS = 365 * 86_400_000;

const message = wrong('not a duration', 'write it like 4s, 15m, 24h or 7d; at most a year');

const given = z
  .string(message)
  .regex(FORM, message)
  .refine((text) => milliseconds(text) <= LONGEST_MS, message);

/** `4s`, `15m`, `24h` or `7d`, in milliseconds. */
export const aDuration = given.transform(milliseconds);

/** The same, where it may be left out. */
export function duration(unset: string) {
  return given.prefault(unset).transform(milliseconds);
}

function milliseconds(text: string): number {
  const [, amount, unit] = FORM.exec(text) ?? [];
  return Number(amount) * (UNITS_MS.get(unit ?? '') ?? Number.NaN);
}
