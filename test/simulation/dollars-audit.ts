import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Purchase, State } from '../../src/purchasing/model/purchase.ts';
import { Violation } from './violation.ts';

/** Prices of one IP, by kind and country, in cents, as the world lets them be learned: each is the truth about what is known. */
export type KnownPrices = ReadonlyMap<string, number>;

const MAY_YET_COST: readonly State[] = ['requested', 'approved', 'sending', 'unknown'];
const WAITS: readonly State[] = ['requested', 'approved'];

/** What the promises about dollars come to, in whole cents: by what anybody had seen when it was filed, and by what is seen now. */
export class Dollars {
  readonly #prices: KnownPrices;
  readonly #wall: () => number;
  /** What each was expected to cost when it was filed; null where no price was known. */
  readonly #filed = new Map<string, number | null>();

  constructor(prices: KnownPrices, wall: () => number) {
    this.#prices = prices;
    this.#wall = wall;
  }

  /** @param all that were filed before it */
  filed(now: Purchase, all: readonly Purchase[], policy: Policy): void {
    this.#filed.set(now.id, this.#atPrices(now));
    this.#limits(now, all, policy);
  }

  /** @param others whatever waits behind it does not count */
  sending(now: Purchase, others: readonly Purchase[], earlier: readonly Purchase[], policy: Policy): void {
    const before = new Set(earlier.map(({ id }) => id));
    const counted = others.filter(({ id, state }) => before.has(id) || !WAITS.includes(state));
    this.#limits(now, counted, policy);
  }

  /** @param theirs what else the same person has asked for in the last 24 h */
  needTwo(of: Purchase, theirs: readonly Purchase[], { approvals }: Policy): boolean {
    if (approvals.mode === 'off' || approvals.twoPeopleAboveDollars === null) return false;
    return !this.#areWithin(
      [this.#now(of), ...theirs.map((other) => this.#then(other))],
      approvals.twoPeopleAboveDollars,
    );
  }

  /** Where nobody else has to look at it. */
  areFree(of: Purchase, theirs: readonly Purchase[], all: readonly Purchase[], policy: Policy): boolean {
    const { approvals, limits } = policy;
    if (approvals.mode === 'off') return true;
    const own = this.#now(of);
    const isLimited = limits.dollarsPerMonth !== null || limits.dollarsPerPersonPerMonth !== null;
    if (isLimited && [own, ...this.#inMonth(all).map((other) => this.#then(other))].includes(null)) return false;
    if (approvals.freeUpToDollars === null) return true;
    return this.#areWithin([own, ...theirs.map((other) => this.#then(other))], approvals.freeUpToDollars);
  }

  #limits(now: Purchase, others: readonly Purchase[], { limits }: Policy): void {
    const own = this.#now(now);
    const all = this.#inMonth(others);
    const theirs = all.filter(({ requesterPerson }) => requesterPerson === now.requesterPerson);
    for (const [limit, of] of [
      [limits.dollarsPerMonth, all],
      [limits.dollarsPerPersonPerMonth, theirs],
    ] as const) {
      if (limit === null) continue;
      const costs = of.map((other) => this.#then(other) ?? 0);
      const spent = costs.reduce((sum, cost) => sum + cost, 0);
      // Nobody can tell what it costs: then it is nothing too much only as long as anything is left.
      if (own === null ? spent >= cents(limit) : spent + own > cents(limit))
        throw new Violation('over_dollars', `${now.id}, ${now.state}: ${spent} + ${own} of ${limit}`);
    }
  }

  #inMonth(all: readonly Purchase[]): readonly Purchase[] {
    const now = new Date(this.#wall());
    const since = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    return all.filter(
      ({ state, changedAt }) => MAY_YET_COST.includes(state) || (state === 'completed' && changedAt >= since),
    );
  }

  #areWithin(costs: readonly (number | null)[], limit: string): boolean {
    return costs.every((cost) => cost !== null) && costs.reduce((sum, cost) => sum + cost, 0) <= cents(limit);
  }

  /** What is decided on: the prices of now, else those of when it was filed. */
  #now(of: Purchase): number | null {
    return this.#atPrices(of) ?? this.#filed.get(of.id) ?? null;
  }

  /** What it counts as beside others: what its requester saw, else the prices of now. */
  #then(of: Purchase): number | null {
    return this.#filed.get(of.id) ?? this.#atPrices(of);
  }

  #atPrices({ kind, basket }: Purchase): number | null {
    const prices = basket.map(
      ({ country, quantity }) => (this.#prices.get(`${kind} ${country}`) ?? Number.NaN) * quantity,
    );
    const cost = prices.reduce((sum, price) => sum + price, 0);
    return basket.length === 0 || Number.isNaN(cost) ? null : cost;
  }
}

function cents(dollars: string): number {
  return Math.round(Number(dollars) * 100);
}
