import type { Clock } from './clock.ts';

/** Never throws and never blocks: what is done does not depend on whether it can be logged. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Whoever looks at the log of the last hour sees what lasts, and nobody drowns in it. */
const SAID_AGAIN_AFTER_MS = 15 * 60_000;

/** What is wrong for a while: worth a line when it begins or becomes another, and once in a while as long as it lasts. */
export class Lasting {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  #now: { readonly what: string; readonly since: number; readonly saidAt: number } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** @returns the fields of a line that is to be written now, which name since when where it was said before; else undefined. */
  news(what: string): { readonly since?: string } | undefined {
    const saidAt = this.#clock.monotonic();
    const before = this.#now;
    if (before?.what !== what) {
      this.#now = { what, since: this.#clock.now(), saidAt };
      return {};
    }
    if (saidAt - before.saidAt < SAID_AGAIN_AFTER_MS) return undefined;
    this.#now = { ...before, saidAt };
    return { since: new Date(before.since).toISOString() };
  }

  /** It is well again. @returns whether anything was wrong. */
  end(): boolean {
    const wasWrong = this.#now !== undefined;
    this.#now = undefined;
    return wasWrong;
  }
}
