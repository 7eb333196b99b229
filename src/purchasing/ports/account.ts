import type { Asker, Estimate, Link, Movement, Priced, ProcessTime } from '../model/account.ts';
import type { Money } from '../model/money.ts';
import type { Purchase } from '../model/purchase.ts';

/** What stood in the ledger when a balance was asked for: taken before the vendor is. */
export interface Ticket {
  readonly askedAt: number;
  /** The last entry, and the last reading. */
  readonly entry: number;
  readonly reading: number;
}

export interface NewReading {
  readonly balance: Money;
  readonly asker: Asker;
  readonly taken: ProcessTime;
}

/** The vendor's account, as the balances tell it that were read. */
export interface Account {
  ticket(): Promise<Ticket>;
  /** @returns whether it is a link of the chain; where another reading overlaps it, it is only kept. */
  keep(ticket: Ticket, reading: NewReading): Promise<boolean>;

  /** The first link: since then the balance is watched. */
  first(): Promise<Link | null>;
  /** The last link. */
  latest(): Promise<Link | null>;
  /** The last link that was written by then: what the balance was. */
  asOf(at: number): Promise<Link | null>;
  /** Those whose later link was written after `from` and not after `to`; oldest first. */
  movements(from: number, to: number): Promise<readonly Movement[]>;
  /** Those after the one of this `seq`; oldest first. */
  movementsAfter(seq: number): Promise<readonly Movement[]>;
  /** Those that explain a movement after `from` and not after `to`, or may, and those that were sent then; as they were filed. */
  purchases(from: number, to: number): Promise<readonly Purchase[]>;
  /** Of those that explain a movement of this time, or may, the ones that renew; by id. */
  renewals(from: number, to: number): Promise<ReadonlySet<string>>;
  /** What these purchases have cost, each by the one movement that is its alone; others are left out. */
  costs(purchases: readonly string[]): Promise<ReadonlyMap<string, Money>>;
  /** Each at observed prices; undefined where one of its own is not known. */
  estimates(all: readonly Priced[]): Promise<readonly (Estimate | undefined)[]>;

  /**
   * Removes what is older than `olderThanMs` and at which nothing has changed, of some readings after this one: a short step.
   * @returns up to which it has looked; null where there is nothing older any more.
   */
  thin(after: number, olderThanMs: number): Promise<number | null>;
}
