import { type Clock, within } from '../purchasing/ports/clock.ts';

/** How one delivery is answered. */
export interface Answering<R> {
  readonly ack: (response?: R) => Promise<void>;
  /** The ack when the handler is late with its own. */
  readonly late: () => R | undefined;
  /** Shows the handler's own answer, after the late ack. */
  readonly catchUp: (response: R | undefined) => Promise<void>;
}

/** Slack waits 3 s from when it sends. Half a second is left for the network. */
export const ACK_WITHIN_MS = 2_500;

/** Acknowledges one delivery once, in time: with the handler's own answer, or else with one that says that it is late. */
export class Answer<R> {
  readonly #how: Answering<R>;
  readonly #given = Promise.withResolvers<void>();
  #state: 'awaited' | 'given' | 'given late' = 'awaited';

  constructor(how: Answering<R>) {
    this.#how = how;
  }

  /** The handler's own ack was sent, or at least tried. */
  get wasGiven(): boolean {
    return this.#state === 'given';
  }

  /** Replaces Bolt's ack. */
  async give(response?: R): Promise<void> {
    if (this.#state === 'given late') return this.#how.catchUp(response);
    this.#state = 'given';
    this.#given.resolve();
    await this.#how.ack(response);
  }

  /** The handler has ended. */
  end(): void {
    this.#given.resolve();
  }

  /** Sends the late ack when the time is over. @returns false when it had to. */
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
