import type { Policy } from './model/policy.ts';
import type { Account } from './ports/account.ts';
import { backoff, type Clock } from './ports/clock.ts';
import type { Leases } from './ports/leases.ts';
import type { Vendor } from './ports/vendor.ts';

/** What has just started has people and purchases to look after first. */
const AFTER_START_MS = 60_000;

/** Longer than the vendor may take to answer by so much: after a process that was killed, another takes its place then. */
const LEASE_BEYOND_MS = 10_000;

/** A vendor in trouble is asked ever less often, down to this; whoever reads at longer intervals goes on with these. */
const SELDOM_MS = 60 * 60_000;

/** Readings at which nothing has changed are kept for so long. */
const KEPT_FOR_MS = 90 * 24 * 60 * 60_000;
const THIN_EVERY_MS = 60 * 60_000;

export interface BalanceIntervalDeps {
  readonly account: Account;
  readonly leases: Leases;
  readonly vendor: Vendor;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly answerWithinMs: number;
  /** The vendor refuses the account: people have to look. */
  readonly vendorRefuses: (refused: 'unauthorized' | 'forbidden', call: 'balance') => Promise<void>;
}

/** Reads the balance when nobody else has for a while, so that money which leaves by another way is noticed. */
export class BalanceInterval {
  readonly #deps: BalanceIntervalDeps;
  readonly #startedAt: number;
  #thinned = 0;
  #thinNotBefore = 0;

  constructor(deps: BalanceIntervalDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
  }

  /** @returns whether it has read. */
  async read(): Promise<boolean> {
    const { leases, vendor, policy, clock, answerWithinMs } = this.#deps;
    const { readEveryMs } = policy().balance;
    if (readEveryMs === null) return false;
    if (clock.monotonic() - this.#startedAt < Math.min(readEveryMs, AFTER_START_MS)) return false;
    const failures = await leases.takeInterval(readEveryMs, answerWithinMs + LEASE_BEYOND_MS);
    if (failures === null) return false;
    const reading = await vendor.readBalance('interval');
    if (reading.ok) {
      await leases.endInterval(null);
      return true;
    }
    const slower = backoff(failures + 1, readEveryMs, Math.max(SELDOM_MS, readEveryMs));
    await leases.endInterval({ againAfterMs: Math.max(slower, (reading.retryAfterSeconds ?? 0) * 1000) });
    if (reading.refused) await this.#deps.vendorRefuses(reading.refused, 'balance');
    return true;
  }

  /** One short step. @returns whether there may be more to do. */
  async thin(): Promise<boolean> {
    const { account, clock } = this.#deps;
    if (clock.monotonic() < this.#thinNotBefore) return false;
    const looked = await account.thin(this.#thinned, KEPT_FOR_MS);
    if (looked === null) {
      this.#thinNotBefore = clock.monotonic() + THIN_EVERY_MS;
      return false;
    }
    this.#thinned = looked;
    return true;
  }
}
