import type { Clock } from '../purchasing/ports.ts';
import { troubleOf } from './errors.ts';

/** How old an answer may be that only opens a view. */
const CACHED_FOR_MS = 60_000;

/** A scope, a plan or an outage is not mended within seconds; asking on and on would only eat the rate limit. */
const TROUBLE_WAIT_S = 10;

export interface Unreadable {
  readonly retryAfterSeconds: number;
}

/**
 * Reads of one kind. Reads of the same key that overlap share one call; a finished answer serves only what may be cached; and
 * when Slack says to wait, nothing is asked of it until then.
 */
export class Shared<T extends object> {
  readonly #clock: Clock;
  readonly #read: (key: string) => Promise<T>;
  readonly #inFlight = new Map<string, Promise<T | Unreadable>>();
  readonly #finished = new Map<string, { readonly value: T; readonly at: number }>();
  #generation = 0;
  #waitUntil = 0;

  constructor(clock: Clock, read: (key: string) => Promise<T>) {
    this.#clock = clock;
    this.#read = read;
  }

  async get(key: string, freshness: 'cached' | 'fresh'): Promise<T | Unreadable> {
    const now = this.#clock.monotonic();
    const finished = this.#finished.get(key);
    if (freshness === 'cached' && finished && now - finished.at < CACHED_FOR_MS) return finished.value;
    const flying = this.#inFlight.get(key);
    if (flying) return flying;
    if (now < this.#waitUntil) return { retryAfterSeconds: Math.ceil((this.#waitUntil - now) / 1000) };
    const call = this.#call(key);
    this.#inFlight.set(key, call);
    return call;
  }

  forget(): void {
    this.#generation += 1;
    this.#finished.clear();
    // What is in flight may have been read before the change: it is not shared with anybody who asks from now on.
    this.#inFlight.clear();
  }

  async #call(key: string): Promise<T | Unreadable> {
    const generation = this.#generation;
    try {
      const value = await this.#read(key);
      if (generation === this.#generation) this.#remember(key, value);
      return value;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind === 'unreachable') return { retryAfterSeconds: TROUBLE_WAIT_S };
      const retryAfterSeconds = trouble.kind === 'rate_limited' ? trouble.retryAfterSeconds : TROUBLE_WAIT_S;
      this.#waitUntil = Math.max(this.#waitUntil, this.#clock.monotonic() + retryAfterSeconds * 1000);
      return { retryAfterSeconds };
    } finally {
      if (generation === this.#generation) this.#inFlight.delete(key);
    }
  }

  #remember(key: string, value: T): void {
    const now = this.#clock.monotonic();
    for (const [old, { at }] of this.#finished) if (now - at >= CACHED_FOR_MS) this.#finished.delete(old);
    this.#finished.set(key, { value, at: now });
  }
}
