import type { Ledger } from './ports/ledger.ts';

/** Of one outage; of more than that the oldest are forgotten. */
const KEPT_AT_MOST = 10_000;

/**
 * Clicks whose handling broke here, mostly since the ledger could not be written: their people were told that nothing was done, or to look
 * and to try again, and may want it no more. So that nothing is done behind their backs when Slack delivers such a click again, it is
 * written down as refused as soon as the ledger can be written, and before it is handled again in any case.
 */
export class FailedClicks {
  readonly #ledger: Pick<Ledger, 'refuseClick'>;
  readonly #unwritten = new Set<string>();
  /** The last delivery of each that is being handled. */
  readonly #handled = new Map<string, Promise<void>>();

  constructor(ledger: Pick<Ledger, 'refuseClick'>) {
    this.#ledger = ledger;
  }

  /** Deliveries of one click are handled one after the other: the next one has to know what the person was told. */
  async handle(click: string, work: () => Promise<void>): Promise<void> {
    const before = this.#handled.get(click);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#handled.set(click, promise);
    try {
      if (before) await before;
      if (this.#unwritten.has(click)) await this.#write(click);
      await work();
    } catch (error) {
      this.#unwritten.add(click);
      const [oldest = click] = this.#unwritten;
      if (this.#unwritten.size > KEPT_AT_MOST) this.#unwritten.delete(oldest);
      throw error;
    } finally {
      resolve();
      if (this.#handled.get(click) === promise) this.#handled.delete(click);
    }
  }

  /** A worker's pass. */
  async write(): Promise<boolean> {
    for (const click of this.#unwritten) await this.#write(click);
    return false;
  }

  async #write(click: string): Promise<void> {
    await this.#ledger.refuseClick(click);
    this.#unwritten.delete(click);
  }
}
