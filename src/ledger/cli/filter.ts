import { DURATION, durationMs } from '../../purchasing/model/duration.ts';
import { STATES, type State } from '../../purchasing/model/purchase.ts';

/** Which purchases are wanted; null where it does not matter. */
export interface Filter {
  readonly states: readonly State[] | null;
  /** Who asked: the id as received, or that of the same human. */
  readonly person: string | null;
  readonly orderId: string | null;
  /** Asked for together with others: the id of that batch. */
  readonly batchId: string | null;
  /** Asked for then or later; milliseconds since 1970. */
  readonly since: number | null;
  /** Of many, so many of the newest. */
  readonly limit: number | null;
}

export const EVERYTHING: Filter = {
  states: null,
  person: null,
  orderId: null,
  batchId: null,
  since: null,
  limit: null,
};

/** As `parseArgs` wants them. */
export const FILTER_OPTIONS = {
  state: { type: 'string' },
  person: { type: 'string' },
  order: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
} as const;

export type FilterOptions = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string };

/** @throws with a sentence that says what is wrong and what would be right. */
export function readFilter(options: FilterOptions, now: number): Filter {
  const { state, person, order, since, limit } = options;
  return {
    states: state === undefined ? null : state.split(',').map(readState),
    person: person === undefined ? null : readPerson(person),
    orderId: order === undefined ? null : readOrder(order),
    batchId: null,
    since: since === undefined ? null : readSince(since, now),
    limit: limit === undefined ? null : readLimit(limit),
  };
}

/** An order id as the ledger has it: digits without leading zeros. Null where it is none. */
export function orderIdOf(text: string): string | null {
  return /^\d{1,40}$/.test(text) ? text.replace(/^0+(?=\d)/, '') : null;
}

function readState(text: string): State {
  const state = STATES.find((known) => known === text.trim());
  if (state === undefined)
    throw new Error(`--state ${shown(text)} is no state: give one, or several with commas, of ${STATES.join(', ')}`);
  return state;
}

function readPerson(text: string): string {
  if (!/^[UW][A-Z0-9]+$/.test(text))
    throw new Error(
      `--person ${shown(text)} is no Slack user id: give one like U024BE7LH (in Slack: the profile, ⋮, Copy member ID)`,
    );
  return text;
}

function readOrder(text: string): string {
  const orderId = orderIdOf(text);
  if (orderId === null)
    throw new Error(`--order ${shown(text)} is no order id: give its digits, 40 at most, and nothing else`);
  return orderId;
}

/** A date is taken for its first moment in UTC. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

function readSince(text: string, now: number): number {
  if (DURATION.test(text)) return now - durationMs(text);
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN;
  // The 30th of February would be taken for the 2nd of March.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text.slice(0, 10)))
    throw new Error(
      `--since ${shown(text)} is neither a date nor a duration: give 2026-01-31 or 2026-01-31T12:00Z (both UTC), or 15m, 24h or 7d`,
    );
  return at;
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--limit ${shown(text)} is no number of purchases: give a whole number from 1`);
  return Number(text);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
