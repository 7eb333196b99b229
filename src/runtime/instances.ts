import type { Clock } from '../purchasing/ports/clock.ts';
import { ALIVE_MS, type Instance, type Instances } from '../purchasing/ports/instances.ts';
import type { Log } from '../purchasing/ports/log.ts';

export interface ReplicasDeps {
  readonly instances: Instances;
  readonly me: Omit<Instance, 'startedAt'>;
  readonly clock: Clock;
  readonly log: Log;
}

const BEAT_EVERY_MS = ALIVE_MS / 3;

/**
 * Tells of the other processes on this ledger. They need no leader and share no memory, but people must hear when two of them go by
 * different rules: Slack gives a click to any of them.
 */
export class Replicas {
  readonly #deps: ReplicasDeps;
  #nextAt = -Infinity;
  #reported = '';
  #alive: readonly Instance[] = [];

  constructor(deps: ReplicasDeps) {
    this.#deps = deps;
  }

  /** As they were at the last look. */
  get count(): number {
    return this.#alive.length;
  }

  /** Processes whose policy or vendor is not that of the one that was started last. */
  get different(): number {
    const newest = this.#alive.at(-1);
    return newest ? this.#alive.filter((other) => rulesThatDiffer(other, newest).length > 0).length : 0;
  }

  /** A worker's pass; most of them do nothing. */
  async beat(): Promise<boolean> {
    const { instances, me, clock } = this.#deps;
    if (clock.monotonic() < this.#nextAt) return false;
    this.#alive = await instances.beat(me, ALIVE_MS);
    this.#nextAt = clock.monotonic() + BEAT_EVERY_MS;
    this.#report();
    return false;
  }

  async leave(): Promise<void> {
    await this.#deps.instances.leave(this.#deps.me.id);
  }

  #isNewerThan(other: Instance): boolean {
    const ids = this.#alive.map(({ id }) => id);
    return ids.indexOf(this.#deps.me.id) > ids.indexOf(other.id);
  }

  /** Once for each change of who is there, not at each beat. */
  #report(): void {
    const { me, log } = this.#deps;
    const others = this.#alive.filter(({ id }) => id !== me.id);
    const found = JSON.stringify(others);
    if (found === this.#reported) return;
    this.#reported = found;
    for (const other of others) {
      const rules = rulesThatDiffer(other, me);
      const fields = { other: other.id, otherVersion: other.version, version: me.version };
      if (rules.length === 0) log.info(fields, 'another process works on this ledger');
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
