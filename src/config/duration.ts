import { z } from 'zod';
import { DURATION, durationMs } from '../purchasing/model/duration.ts';
import { wrong } from './problem.ts';

/** Longer is a typing mistake, not a policy. */
const LONGEST_MS = 365 * 86_400_000;

const message = wrong('not a duration', 'write it like 4s, 15m, 24h or 7d; at most a year');

const given = z
  .string(message)
  .regex(DURATION, message)
  .refine((text) => durationMs(text) <= LONGEST_MS, message);

/** `4s`, `15m`, `24h` or `7d`, in milliseconds. */
export const aDuration = given.transform(durationMs);

/** The same, where it may be left out. */
export function duration(unset: string) {
  return given.prefault(unset).transform(durationMs);
}
