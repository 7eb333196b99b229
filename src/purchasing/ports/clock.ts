/** Time, injected so that tests own it. Milliseconds. */
export interface Clock {
  /** Since 1970; jumps when somebody sets the clock. */
  now(): number;
  /** Since some start; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
