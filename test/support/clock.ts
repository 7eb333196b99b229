import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/purchasing/ports/clock.ts';

/** Real time that a test can move ahead: whoever sleeps wakes when the time has come, by itself or by {@link advance}. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: AbortController }>();
  const monotonic = () => performance.now() + ahead;
  return {
    now: () => Date.now() + ahead,
    monotonic,
    async sleep(ms, signal) {
      const wake = new AbortController();
      const sleeper = { until: monotonic() + ms, wake };
      sleepers.add(sleeper);
      const either = signal ? AbortSignal.any([signal, wake.signal]) : wake.signal;
      await sleep(ms, undefined, { signal: either }).catch(() => undefined);
      sleepers.delete(sleeper);
    },
    advance(ms) {
      ahead += ms;
      for (const { until, wake } of sleepers) if (until <= monotonic()) wake.abort();
    },
  };
}
