import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { InstanceWatch } from './instances.ts';

interface CutOffDeps {
  readonly instances: Pick<InstanceWatch, 'place' | 'trouble'>;
  /** Slack gives this process its share of what people do, as long as it is connected. */
  readonly slack: { stepAside(why: string): void; comeBack(): void };
  readonly clock: Clock;
  readonly log: Log;
}

/** A failover takes no longer; people who click meanwhile are told to try again. */
const LEAVES_AFTER_MS = 5_000;

/**
 * Where the database itself is away, all would leave at once, and nobody would be left to say so: they look one after the other, so that
 * the last stays. Longer than the look at the ledger takes to fail.
 */
const ONE_BY_ONE_MS = 3_000;

/** Steps aside while this process cannot use the ledger, if others were seen on it: they may be able to. */
export class CutOff {
  readonly #deps: CutOffDeps;
  #since: number | undefined;
  #acted = false;

  constructor(deps: CutOffDeps) {
    this.#deps = deps;
  }

  /** @param readable whether the ledger could be read just now, which is looked at once a second */
  look(readable: boolean): void {
    const { instances, slack, clock } = this.#deps;
    if (readable && instances.trouble() === undefined) {
      if (this.#acted) slack.comeBack();
      this.#acted = false;
      this.#since = undefined;
      return;
    }
    this.#since ??= clock.monotonic();
    const { nth, others } = instances.place;
    if (!this.#acted && clock.monotonic() - this.#since >= LEAVES_AFTER_MS + nth * ONE_BY_ONE_MS) this.#act(others);
  }

  #act(others: number): void {
    this.#acted = true;
    const why = 'the ledger cannot be used';
    if (others > 0) this.#deps.slack.stepAside(why);
    else this.#deps.log.warn({}, `${why}, and no other process was seen on it: this one stays, and tells people so`);
  }
}
