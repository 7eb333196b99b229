import type { Freeze } from '../model/freeze.ts';
import type { Kind, State } from '../model/purchase.ts';
import type { Instance } from './instances.ts';

/** How many there are, and since when the oldest; null where there is none. */
export interface Backlog {
  readonly count: number;
  readonly since: number | null;
}

/** What stands in the ledger, in numbers: cheap, however many purchases there are. */
export interface Counts {
  readonly now: number;
  readonly frozen: boolean;
  /** Kinds and states of which there is a purchase; `since` when the oldest of them has been in its state, where that is an open one. */
  readonly purchases: readonly (Backlog & { readonly kind: Kind; readonly state: State })[];
  /** Messages to be posted or edited; of those that were never posted, the oldest. */
  readonly notices: Backlog;
  /** Balance readings that are due. */
  readonly readings: Backlog;
}

/** For whoever runs the bot. */
export interface Status extends Counts {
  readonly schema: number;
  readonly freeze: Freeze | null;
  /** Of each state that is not an end, the purchase that has been in it for longest. */
  readonly oldest: readonly { readonly id: string; readonly state: State; readonly since: number }[];
  /** Processes that are alive; the last started is the last. */
  readonly instances: readonly Instance[];
}

export interface StatusReads {
  counts(): Promise<Counts>;
  status(): Promise<Status>;
}

export function countOf({ purchases }: Pick<Counts, 'purchases'>, state: State): number {
  return purchases.filter((of) => of.state === state).reduce((sum, { count }) => sum + count, 0);
}

/** Whether these processes go by different policies, or use different vendor addresses or accounts. */
export function differ(instances: readonly Instance[], what: 'policyHash' | 'vendorHash'): boolean {
  return new Set(instances.map((instance) => instance[what])).size > 1;
}
