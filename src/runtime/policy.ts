import type { PolicySeen } from '../config/policy.ts';
import { type Problem, problemLine } from '../config/problem.ts';
import { alert, type NewNotice } from '../purchasing/model/outbox.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import { digestOf, policyDigest, shortDigest } from '../purchasing/model/policy-digest.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';

export interface PolicyInForceDeps {
  readonly policy: Policy;
  /** Where it was read from; undefined where it was given by itself. */
  readonly file: PolicyFile | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly owe: (notice: NewNotice) => Promise<void>;
  /** Another policy is in force. */
  readonly changed: () => void;
}

export interface PolicyFile {
  /** What the policy was read from that the bot has started with. */
  readonly first: PolicySeen;
  readonly look: () => PolicySeen;
}

/** Some editors empty a file before they fill it: what a half of it says holds for nobody. */
const SETTLED_AFTER_MS = 1_000;

/** So many problems stand in one message; the log has all. */
const TOLD_AT_MOST = 5;

/**
 * The policy that everybody is judged by. It is taken from the file again when that has changed, and at SIGHUP: as a whole, or not at all.
 *
 * The file is read every second, not watched: a watch is lost when an editor replaces the file, never fires where Kubernetes swaps a
 * link above it or a container has the one file mounted, and tells of nothing on network file systems.
 */
export class PolicyInForce {
  readonly #deps: PolicyInForceDeps;
  #policy: Policy;
  #since: number;
  #taken: string | undefined;
  #seen: { readonly content: string; readonly at: number } | undefined;
  #toTell: NewNotice | undefined;

  constructor(deps: PolicyInForceDeps) {
    this.#deps = deps;
    this.#policy = deps.policy;
    this.#since = deps.clock.now();
    this.#taken = deps.file?.first.content;
  }

  get policy(): Policy {
    return this.#policy;
  }

  /** When it was read, by this machine's clock. */
  get since(): number {
    return this.#since;
  }

  use(policy: Policy): void {
    const { clock, log, changed } = this.#deps;
    const isOther = policyDigest(policy) !== policyDigest(this.#policy);
    this.#policy = policy;
    if (isOther) this.#since = clock.now();
    log.info({ policy: policyDigest(policy), same: !isOther }, 'the policy was read again');
    if (isOther) changed();
  }

  /** Reads the file again, whether or not it has changed. */
  reload(): void {
    const { file } = this.#deps;
    if (file) this.#take(file.look());
  }

  /** A worker's pass. */
  async look(): Promise<boolean> {
    const { file, clock, owe } = this.#deps;
    if (this.#toTell) {
      await owe(this.#toTell);
      this.#toTell = undefined;
      return true;
    }
    if (!file) return false;
    const found = file.look();
    if (found.content === this.#taken) this.#seen = undefined;
    else if (found.content !== this.#seen?.content) this.#seen = { content: found.content, at: clock.monotonic() };
    else if (clock.monotonic() - this.#seen.at >= SETTLED_AFTER_MS) this.#take(found);
    return false;
  }

  #take(found: PolicySeen): void {
    const { log } = this.#deps;
    this.#taken = found.content;
    this.#seen = undefined;
    const reading = found.read();
    if (reading.ok) {
      for (const warning of reading.warnings) log.warn({}, warning);
      this.use(reading.policy);
      return;
    }
    for (const { key, problem, remedy } of reading.problems)
      log.error({ key }, `the policy stays as it was: ${key} ${problem}: ${remedy}`);
    this.#toTell = this.#refused(reading.problems);
  }

  /** Told once a day for the same problems, however many processes read the same file. */
  #refused(problems: readonly Problem[]): NewNotice {
    const lines = problems.map(problemLine);
    const more = lines.length - TOLD_AT_MOST;
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    const text = [
      `The policy file was changed and is wrong, so the policy before stays in force (policy ${shortDigest(policyDigest(this.#policy))}).`,
      ...lines.slice(0, TOLD_AT_MOST),
      ...(more > 0 ? [`and ${more} more, which are in the log.`] : []),
    ].join('\n');
    return alert(`policy refused:${day}:${digestOf(lines)}`, text);
  }
}
