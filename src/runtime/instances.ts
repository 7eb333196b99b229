import { alert, type NewNotice } from '../purchasing/model/outbox.ts';
import { shortDigest } from '../purchasing/model/policy-digest.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import { ALIVE_MS, type Instance, type Instances } from '../purchasing/ports/instances.ts';
import type { Log } from '../purchasing/ports/log.ts';

export interface InstanceWatchDeps {
  readonly instances: Pick<Instances, 'beat' | 'leave'>;
  readonly me: () => Omit<Instance, 'startedAt'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly owe: (notice: NewNotice) => Promise<void>;
}

const BEAT_EVERY_MS = ALIVE_MS / 3;

/** A policy reaches replicas one after the other; Kubernetes takes up to a minute for a file. */
const MAY_DIFFER_MS = 60_000;

/**
 * Records that this process is alive, and reports the others on the same ledger. Slack gives a click to any of them, so those that
 * run with another policy or vendor account are warned of.
 */
export class InstanceWatch {
  readonly #deps: InstanceWatchDeps;
  #nextAt = -Infinity;
  /** Since when each of the others has been there as it is, and whether that was reported. */
  #met = new Map<string, { readonly since: number; said: boolean }>();
  #alive: readonly Instance[] = [];
  #isWritten = true;

  constructor(deps: InstanceWatchDeps) {
    this.#deps = deps;
  }

  /** This process, as it is now. */
  get me(): Omit<Instance, 'startedAt'> {
    return this.#deps.me();
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
    await this.#report();
    return false;
  }

  /** The policy of this process has changed: beats at the next pass, so that the others learn of it. */
  changed(): void {
    this.#nextAt = -Infinity;
  }

  async leave(): Promise<void> {
    await this.#deps.instances.leave(this.#deps.me().id);
  }

  /** Reports each of the others once, as long as it does not change. */
  async #report(): Promise<void> {
    const { clock } = this.#deps;
    const me = this.#deps.me();
    const now = clock.monotonic();
    const before = this.#met;
    this.#met = new Map();
    for (const other of this.#alive) {
      if (other.id === me.id) continue;
      const rules = rulesThatDiffer(other, me);
      const hashes = rules.length === 0 ? [] : [other.policyHash, other.vendorHash, me.policyHash];
      const met = before.get([other.id, ...hashes].join(' ')) ?? { since: now, said: false };
      this.#met.set([other.id, ...hashes].join(' '), met);
      const onlyPolicy = rules.length === 1 && other.vendorHash === me.vendorHash;
      if (met.said || (onlyPolicy && now - met.since < MAY_DIFFER_MS)) continue;
      if (onlyPolicy) await this.#tellPolicies(other, me);
      met.said = true;
      this.#say(other, rules);
    }
  }

  #say(other: Instance, rules: readonly string[]): void {
    const { log } = this.#deps;
    const me = this.#deps.me();
    const ids = this.#alive.map(({ id }) => id);
    const isNewer = ids.indexOf(me.id) > ids.indexOf(other.id);
    const fields = {
      other: other.id,
      otherVersion: other.version,
      version: me.version,
      ...(rules.length > 0 && { otherPolicy: other.policyHash, policy: me.policyHash }),
    };
    if (rules.length === 0) log.info(fields, 'another process works on this ledger, or did until half a minute ago');
    else
      log.warn(
        fields,
        `another process on this ledger has another ${rules.join(' and ')}, and a click may reach either: ` +
          (other.vendorHash === me.vendorHash
            ? 'give both the same policy file'
            : `${isNewer ? 'it' : 'this one'} was started earlier; restart it`),
      );
  }

  /** Nobody reads the log of a bot that seems well. An update under way is over soon, and says what differs by its version. */
  async #tellPolicies(other: Instance, me: Omit<Instance, 'startedAt'>): Promise<void> {
    if (other.version !== me.version) return;
    const both = [me, other].toSorted((a, b) => a.id.localeCompare(b.id));
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    const which = both.map(({ id, policyHash }) => `policy ${shortDigest(policyHash)} in process ${id}`).join(', ');
    const text = `Processes of the bot have gone by different policies for over a minute (${which}), and a click may reach either. Give all of them the same policy file.`;
    await this.#deps.owe(
      alert(`policies differ:${day}:${both.map(({ id, policyHash }) => `${id} ${policyHash}`).join(' ')}`, text),
    );
  }
}

type Rules = Pick<Instance, 'policyHash' | 'vendorHash'>;

function rulesThatDiffer(one: Rules, other: Rules): readonly string[] {
  return [
    ...(one.policyHash === other.policyHash ? [] : ['policy']),
    ...(one.vendorHash === other.vendorHash ? [] : ['vendor address or account']),
  ];
}
