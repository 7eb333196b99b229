import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../purchasing/ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    await sleep(ms, undefined, signal && { signal }).catch(() => undefined);
  },
};
