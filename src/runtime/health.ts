import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';

interface ReadinessDeps {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'freeze'>;
  /** Each returns why commands would not be answered, or undefined. */
  readonly checks: readonly (() => string | undefined)[];
}

/** Health checks wait only briefly; a database slower than this does not serve people either. */
const LEDGER_ANSWERS_WITHIN_MS = 1_000;

/** Whether commands would be answered now: the bot is set up, is not stopping, and Slack and the ledger are there. */
export class Readiness {
  readonly #deps: ReadinessDeps;
  #phase: { readonly waitsFor: string } | 'serving' | 'stopping' = { waitsFor: 'not connected to Slack yet' };

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  get isServing(): boolean {
    return this.#phase === 'serving';
  }

  waitsFor(why: string): void {
    if (this.#phase !== 'stopping') this.#phase = { waitsFor: why };
  }

  serves(): void {
    if (this.#phase !== 'stopping') this.#phase = 'serving';
  }

  stops(): void {
    this.#phase = 'stopping';
  }

  /** Why a command would not be answered; undefined when it would. */
  async whyNot(): Promise<string | undefined> {
    if (this.#phase === 'stopping') return 'stopping';
    if (this.#phase !== 'serving') return this.#phase.waitsFor;
    const { clock, ledger, checks } = this.#deps;
    for (const check of checks) {
      const why = check();
      if (why !== undefined) return why;
    }
    const asked = ledger.freeze().then(
      () => undefined,
      () => 'the ledger cannot be read',
    );
    return within(clock, LEDGER_ANSWERS_WITHIN_MS, asked, 'the ledger does not answer in time');
  }
}
