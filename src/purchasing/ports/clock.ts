/** Time, injected so that tests own it. Milliseconds. */
export interface Clock {
  /** Since 1970; jumps when somebody sets the clock. */
  now(): number;
  /** Since some start; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A moment by both clocks. */
export interface Moment {
  readonly date: number;
  readonly monotonic: number;
}

export function momentOf(clock: Clock): Moment {
  return { date: clock.now(), monotonic: clock.monotonic() };
}

/** Whether so much time has passed since, by either clock: where somebody puts the date forward, at once; since never, too. */
export function hasPassed(clock: Clock, ms: number, since: Moment | undefined): boolean {
  return since === undefined || clock.monotonic() - since.monotonic >= ms || clock.now() - since.date >= ms;
}

/** A reason given saves the error that would be made in its place. */
const OVER = 'over';

/** What `work` gives, or `late` where it takes longer than `ms`: it then goes on by itself, unheeded. No timer is left behind. */
export async function within<T, L>(clock: Clock, ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, ended.signal).then(() => late)]);
  } finally {
    ended.abort(OVER);
  }
}

/** The pause after so many failures in a row, 0 first: it doubles each time, up to `atMostMs`. */
export function backoff(failures: number, firstMs: number, atMostMs: number): number {
  return Math.min(firstMs * 2 ** failures, atMostMs);
}
