import type { Clock } from './ports/clock.ts';

/** What `work` gives, or `late` where it takes longer than `ms`: it then goes on by itself, unheeded. No timer is left behind. */
export async function within<T, L>(clock: Clock, ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, ended.signal).then(() => late)]);
  } finally {
    ended.abort();
  }
}
