import type { Clock } from '../../src/purchasing/ports/clock.ts';

/** A clock that a test can move ahead. Whoever sleeps wakes when the time has come, by itself or by {@link advance}. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
  /** Moves to when the next sleeper wakes. */
  skip(): void;
}

/** Sleepers are looked after so often. */
const LOOK_EVERY_MS = 5;

/** So much passes at most between two looks: whatever took longer, this process stood still. */
const LONGEST_MOMENT_MS = 10;

/**
 * Time as this process lives it: while the machine leaves it standing, no time passes, and nobody is late because others are at work
 * on the same machine. Goes on while somebody looks: a sleeper does.
 */
export function livedTime(): () => number {
  let passed = 0;
  let lookedAt = performance.now();
  return () => {
    const at = performance.now();
    passed += Math.min(at - lookedAt, LONGEST_MOMENT_MS);
    lookedAt = at;
    return passed;
  };
}

export function movableClock(lived = livedTime()): MovableClock {
  const began = Date.now() - lived();
  let ahead = 0;
  let timer: NodeJS.Timeout | undefined;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  const monotonic = () => lived() + ahead;
  const next = () => [...sleepers].sort((one, other) => one.until - other.until)[0];
  const wakeWhoeverIsDue = () => {
    const now = monotonic();
    let first = next();
    for (; first !== undefined && first.until <= now; first = next()) {
      sleepers.delete(first);
      first.wake();
    }
    clearTimeout(timer);
    timer = first && setTimeout(wakeWhoeverIsDue, Math.min(first.until - now, LOOK_EVERY_MS));
  };

  return {
    now: () => Math.floor(began + monotonic()),
    monotonic,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
      const sleeper = { until: monotonic() + ms, wake };
      const leave = () => {
        sleepers.delete(sleeper);
        wake();
        wakeWhoeverIsDue();
      };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', leave, { once: true });
      wakeWhoeverIsDue();
      await woken;
      signal?.removeEventListener('abort', leave);
    },
    advance(ms) {
      ahead += ms;
      wakeWhoeverIsDue();
    },
    skip() {
      const first = next();
      if (first) ahead += Math.max(0, first.until - monotonic());
      wakeWhoeverIsDue();
    },
  };
}
