/** Chance that can be had again: the same seed gives the same choices. */
export interface Dice {
  /** A whole number below `most`. */
  below(most: number): number;
  pick<T>(list: readonly T[]): T;
  /** True once in so many times. */
  once(inTimes: number): boolean;
}

export function dice(seed: number): Dice {
  const next = fractions(seed);
  const below = (most: number) => Math.floor(next() * most);
  return {
    below,
    pick<T>(list: readonly T[]): T {
      return list[below(list.length)] as T;
    },
    once: (inTimes) => below(inTimes) === 0,
  };
}

/** Numbers from 0 up to 1 (mulberry32: small, fast, and random enough to choose what a test does). */
export function fractions(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
