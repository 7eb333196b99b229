import type { ExpectedCost } from './cost.ts';
import type { Entry } from './entries.ts';
import { OPEN_STATES, type Purchase, type State } from './purchase.ts';

/** More do not fit on one card and into one review. */
export const ROWS_AT_MOST = 25;

/**
 * Renewals that were asked for together, on one submit. They are decided on together, on one card; each is a purchase of its own, with
 * its own checks, its own POST and its own outcome.
 */
export interface Batch {
  readonly id: string;
  /** Slack user id, as received. */
  readonly requester: string;
  readonly requesterPerson: string;
  readonly createdAt: number;
  /** In the order in which they were asked for; never none. */
  readonly rows: readonly Purchase[];
}

/** With what has been said about it, and the rows of which there is an answer to show. */
export interface BatchRecord extends Batch {
  /** Oldest first. */
  readonly talk: readonly Entry[];
  /** Purchase ids. */
  readonly answered: ReadonlySet<string>;
  /** What each row was expected to cost when it was filed; by purchase id, where that is known. */
  readonly costs: ReadonlyMap<string, ExpectedCost>;
}

/** A purchase that was asked for by itself, as a batch of one: what holds of a batch that people decide on or talk about holds of it. */
export function alone(purchase: Purchase): Batch {
  const { id, requester, requesterPerson, createdAt } = purchase;
  return { id, requester, requesterPerson, createdAt, rows: [purchase] };
}

/** What people see as one request: a purchase that was asked for alone, or a batch with all its rows. */
export type Request = Purchase | Batch;

/** @param request null: of none there are none */
export function rowsOf(request: Request | null): readonly Purchase[] {
  if (request === null) return [];
  return 'rows' in request ? request.rows : [request];
}

/** Rises with every change of a row that people see. */
export function versionOf(request: Request | null): number {
  return rowsOf(request).reduce((sum, { version }) => sum + version, 0);
}

/** Somebody or something still moves it on. */
export function isUnderWay({ state }: Pick<Purchase, 'state'>): boolean {
  return (OPEN_STATES as readonly State[]).includes(state);
}
