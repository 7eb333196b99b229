import { randomBytes } from 'node:crypto';

export interface Ids {
  /** `next('V')` → V00000001, V00000002, … */
  next(prefix: string): string;
  random(bytes?: number): string;
  /** A message's ts: unique and rising, whatever the clock does. */
  ts(now: number): string;
}

export function createIds(): Ids {
  let count = 0;
  let lastTs = 0;
  return {
    next(prefix) {
      count += 1;
      return `${prefix}${count.toString(36).toUpperCase().padStart(8, '0')}`;
    },
    random: (bytes = 12) => randomBytes(bytes).toString('hex'),
    ts(now) {
      lastTs = Math.max(lastTs + 1, Math.floor(now * 1000));
      return `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, '0')}`;
    },
  };
}
