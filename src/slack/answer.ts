import type { Clock } from '../purchasing/ports/clock.ts';
import { within } from '../purchasing/within.ts';

/** How Slack hears of what a listener has done. */
export interface Answering<R> {
  readonly ack: (response?: R) => Promise<void>;
  /** The ack where the listener gives none in time. */
  readonly late: () => R | undefined;
  /** Shows the listener's own answer, which came after that. */
  readonly catchUp: (response: R | undefined) => Promise<void>;
}

/** Slack waits 3 s, counted where it is: half a second is for both ways. */
export const ACK_WITHIN_MS = 2_500;

/** One ack for one delivery, in time: the listener's own, or where that takes too long another that says so. */
export class Answer<R> {
  readonly #how: Answering<R>;
  readonly #given = Promise.withResolvers<void>();
  #state: 'awaited' | 'given' | 'given late' = 'awaited';

  constructor(how: Answering<R>) {
    this.#how = how;
  }

  /** The listener's own ack went out, or was at least tried. */
  get wasGiven(): boolean {
    return this.#state === 'given';
  }

  /** To be called instead of Slack's own ack. */
  async give(response?: R): Promise<void> {
    if (this.#state === 'given late') return this.#how.catchUp(response);
    this.#state = 'given';
    this.#given.resolve();
    await this.#how.ack(response);
  }

  /** Nothing more will be given. */
  end(): void {
    this.#given.resolve();
  }

  /** Gives the late one when the time is over. @returns whether it was not needed. */
  async inTime(clock: Clock, ms: number): Promise<boolean> {
    if (
      await within(
        clock,
        ms,
        this.#given.promise.then(() => true),
        false,
      )
    )
      return true;
    if (this.#state !== 'awaited') return true;
    this.#state = 'given late';
    await this.#how.ack(this.#how.late());
    return false;
  }
}
