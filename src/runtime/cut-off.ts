import type { Clock } from '../purchasing/ports/clock.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { InstanceWatch } from './instances.ts';

interface CutOffDeps {
  readonly ledger: Pick<Ledger, 'freeze'>;
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

  /** A worker's pass. */
  async look(): Promise<boolean> {
    const { ledger, instances, slack, clock } = this.#deps;
    const readable = await ledger.freeze().then(
      () => true,
      () => false,
    );
    if (readable && instances.trouble() === undefined) {
      if (this.#acted) slack.comeBack();
      this.#acted = false;
      this.#since = undefined;
      return false;
    }
    this.#since ??= clock.monotonic();
    const { nth, others } = instances.place;
    if (!this.#acted && clock.monotonic() - this.#since >= LEAVES_AFTER_MS + nth * ONE_BY_ONE_MS) this.#act(others);
    return false;
  }

  #act(others: number): void {
    this.#acted = true;
    const why = 'the ledger cannot be used';
    if (others > 0) this.#deps.slack.stepAside(why);
    else this.#deps.log.warn({}, `${why}, and no other process was seen on it: this one stays, and tells people so`);
  }
}
