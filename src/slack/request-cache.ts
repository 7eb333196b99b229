import type { Clock } from '../purchasing/ports/clock.ts';
import { type SlackTrouble, troubleOf } from './errors.ts';

/** How old an answer may be that only opens a view. */
const CACHED_FOR_MS = 60_000;

/** A scope, a plan or an outage is not mended within seconds; asking on and on would only eat the rate limit. */
const TROUBLE_WAIT_S = 10;

export interface Unreadable {
  readonly retryAfterSeconds: number;
  readonly because: SlackTrouble['kind'];
}

export function isUnreadable(value: object | undefined): value is Unreadable {
  return value !== undefined && 'retryAfterSeconds' in value;
}

/**
 * Reads of one kind. Reads of the same key that overlap share one call; a finished answer serves only what may be cached; and
 * when Slack says to wait, nothing is asked of it until then.
 */
export class RequestCache<T extends object> {
  readonly #clock: Clock;
  readonly #read: (key: string) => Promise<T>;
  readonly #inFlight = new Map<string, Promise<T | Unreadable>>();
  readonly #finished = new Map<string, { readonly value: T; readonly at: number }>();
  #generation = 0;
  /** Slack's own word for all reads of this kind. */
  #waitUntil = 0;
  /** What was refused is refused again; other keys are not to blame. */
  readonly #refusedUntil = new Map<string, number>();

  constructor(clock: Clock, read: (key: string) => Promise<T>) {
    this.#clock = clock;
    this.#read = read;
  }

  async get(key: string, freshness: 'cached' | 'fresh'): Promise<T | Unreadable> {
    const known = freshness === 'cached' ? this.cached(key) : undefined;
    if (known) return known;
    const flying = this.#inFlight.get(key);
    if (flying) return flying;
    const now = this.#clock.monotonic();
    const refusedUntil = this.#refusedUntil.get(key) ?? 0;
    const waitUntil = Math.max(this.#waitUntil, refusedUntil);
    if (now < waitUntil)
      return {
        retryAfterSeconds: Math.ceil((waitUntil - now) / 1000),
        because: waitUntil === refusedUntil ? 'refused' : 'rate_limited',
      };
    const call = this.#call(key);
    this.#inFlight.set(key, call);
    return call;
  }

  /** A finished answer that is young enough to open a view with. */
  cached(key: string): T | undefined {
    const finished = this.#finished.get(key);
    return finished && this.#clock.monotonic() - finished.at < CACHED_FOR_MS ? finished.value : undefined;
  }

  inFlight(key: string): boolean {
    return this.#inFlight.has(key);
  }

  forget(): void {
    this.#generation += 1;
    this.#finished.clear();
    this.#refusedUntil.clear();
    // What is in flight may have been read before the change: it is not shared with anybody who asks from now on.
    this.#inFlight.clear();
  }

  async #call(key: string): Promise<T | Unreadable> {
    const generation = this.#generation;
    try {
      const value = await this.#read(key);
      this.#refusedUntil.delete(key);
      if (generation === this.#generation) this.#remember(key, value);
      return value;
    } catch (error) {
      const trouble = troubleOf(error);
      const now = this.#clock.monotonic();
      switch (trouble.kind) {
        case 'unreachable':
          return { retryAfterSeconds: TROUBLE_WAIT_S, because: trouble.kind };
        case 'refused':
          this.#refusedUntil.set(key, now + TROUBLE_WAIT_S * 1000);
          return { retryAfterSeconds: TROUBLE_WAIT_S, because: trouble.kind };
        case 'rate_limited':
          this.#waitUntil = Math.max(this.#waitUntil, now + trouble.retryAfterSeconds * 1000);
          return { retryAfterSeconds: trouble.retryAfterSeconds, because: trouble.kind };
        default:
          return trouble satisfies never;
      }
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
