import type { Clock } from '../purchasing/ports/clock.ts';
import { ALIVE_MS, type Instance, type Instances } from '../purchasing/ports/instances.ts';
import type { Log } from '../purchasing/ports/log.ts';

export interface InstanceWatchDeps {
  readonly instances: Pick<Instances, 'beat' | 'leave'>;
  readonly me: () => Omit<Instance, 'startedAt'>;
  readonly clock: Clock;
  readonly log: Log;
}

const BEAT_EVERY_MS = ALIVE_MS / 3;

/**
 * Records that this process is alive, and reports the others on the same ledger. Slack gives a click to any of them, so those that
 * run with another policy or vendor account are warned of.
 */
export class InstanceWatch {
  readonly #deps: InstanceWatchDeps;
  #nextAt = -Infinity;
  #reported = '';
  #alive: readonly Instance[] = [];
  #isWritten = true;

  constructor(deps: InstanceWatchDeps) {
    this.#deps = deps;
  }

  /** Processes alive at the last beat. */
  get count(): number {
    return this.#alive.length;
  }

  /** Where this process stands among those that were alive at the last beat, the one started first being 0. */
  get place(): { readonly nth: number; readonly others: number } {
    const nth = this.#alive.findIndex(({ id }) => id === this.#deps.me().id);
    return { nth: Math.max(0, nth), others: this.#alive.length - (nth < 0 ? 0 : 1) };
  }

  /** Processes whose policy or vendor account differs from that of the one started last. */
  get different(): number {
    const newest = this.#alive.at(-1);
    return newest ? this.#alive.filter((other) => rulesThatDiffer(other, newest).length > 0).length : 0;
  }

  /** Each beat writes a row. Where that fails, on a full disk for example, no other write would succeed. */
  trouble(): string | undefined {
    return this.#isWritten ? undefined : 'the ledger cannot be written';
  }

  /** A worker's pass; beats when it is due. @throws when the ledger cannot be written. */
  async beat(): Promise<boolean> {
    const { instances, me, clock } = this.#deps;
    if (clock.monotonic() < this.#nextAt) return false;
    try {
      this.#alive = await instances.beat(me(), ALIVE_MS);
      this.#isWritten = true;
    } catch (error) {
      this.#isWritten = false;
      throw error;
    }
    this.#nextAt = clock.monotonic() + BEAT_EVERY_MS;
    this.#report();
    return false;
  }

  /** The policy of this process has changed: beats at the next pass, so that the others learn of it. */
  changed(): void {
    this.#nextAt = -Infinity;
  }

  async leave(): Promise<void> {
    await this.#deps.instances.leave(this.#deps.me().id);
  }

  #isNewerThan(other: Instance): boolean {
    const ids = this.#alive.map(({ id }) => id);
    return ids.indexOf(this.#deps.me().id) > ids.indexOf(other.id);
  }

  /** Logs once for each change of who is there, not at each beat. */
  #report(): void {
    const { log } = this.#deps;
    const me = this.#deps.me();
    const others = this.#alive.filter(({ id }) => id !== me.id);
    const found = JSON.stringify(others);
    if (found === this.#reported) return;
    this.#reported = found;
    for (const other of others) {
      const rules = rulesThatDiffer(other, me);
      const fields = { other: other.id, otherVersion: other.version, version: me.version };
      if (rules.length === 0) log.info(fields, 'another process works on this ledger, or did until half a minute ago');
      else
        log.warn(
          fields,
          `another process on this ledger has another ${rules.join(' and ')}, and a click may reach either: ` +
            (this.#isNewerThan(other)
              ? 'it was started earlier; restart it'
              : 'this one was started earlier; restart it'),
        );
    }
  }
}

type Rules = Pick<Instance, 'policyHash' | 'vendorHash'>;

function rulesThatDiffer(one: Rules, other: Rules): readonly string[] {
  return [
    ...(one.policyHash === other.policyHash ? [] : ['policy']),
    ...(one.vendorHash === other.vendorHash ? [] : ['vendor address or account']),
  ];
}
