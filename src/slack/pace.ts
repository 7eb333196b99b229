import type { Clock } from '../purchasing/ports/clock.ts';

/** Behind a click somebody waits for an ack. Whoever can wait longer lets those go first. */
export const HURRY_MS = 2_000;

const WINDOW_MS = 60_000;

/** Of twenty: 0.18 s after the tenth, 0.36 s after the eleventh … 1.8 s before the last: no click has to wait for longer. */
const STEP_MS = 180;

/**
 * Keeps below a rate limit instead of running into it: half of a minute's calls may come at once, the others at growing distances,
 * so that whoever asks in a busy minute waits a moment and shares a call, rather than being refused for the rest of it.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #callsAMinute: number;
  readonly #calls: number[] = [];

  constructor(clock: Clock, callsAMinute: number) {
    this.#clock = clock;
    this.#callsAMinute = callsAMinute;
  }

  /**
   * Milliseconds until one more call is within the pace; 0 = now.
   * @param share of the minute's calls that may be used up by then: who can wait leaves the other half to those who cannot.
   */
  wait(share: 1 | 0.5): number {
    const now = this.#clock.monotonic();
    this.#forgetOld();
    const most = this.#callsAMinute * share;
    const count = this.#calls.length;
    const full = this.#calls[count - most];
    if (full !== undefined) return full + WINDOW_MS - now;
    const beyondHalf = Math.max(0, count - this.#callsAMinute / 2 + 1);
    return Math.max(0, (this.#calls.at(-1) ?? -Infinity) + beyondHalf * STEP_MS - now);
  }

  /** How many calls of this minute are left. */
  left(): number {
    this.#forgetOld();
    return Math.max(0, this.#callsAMinute - this.#calls.length);
  }

  count(): void {
    this.#forgetOld();
    this.#calls.push(this.#clock.monotonic());
  }

  #forgetOld(): void {
    const began = this.#clock.monotonic() - WINDOW_MS;
    while (this.#calls[0] !== undefined && this.#calls[0] <= began) this.#calls.shift();
  }
}
