import { type Allocation, mergeBasket, totalQuantity } from '../../src/purchasing/basket.ts';
import { isCountry } from '../../src/purchasing/countries.ts';
import type { Plan, Policy } from '../../src/purchasing/policy.ts';
import type { Content } from '../../src/purchasing/purchase.ts';
import type { BalanceReading } from '../../src/purchasing/vendor-port.ts';
import { parseQuantity, type QuantityProblem } from '../../src/typed/quantity.ts';
import { ACTION, BLOCK } from '../ids.ts';
import { chosen, type Errors, proseProblem, rawText, readTicks, typedText, type Values } from '../state.ts';

/** Three blocks a row, and at most 100 in a view; this many leave room, and are more than anybody picks by hand. */
export const MAX_ROWS = 25;

export interface Row {
  /** Stable and random: part of the row's block_ids. */
  readonly id: string;
  readonly country: string | '';
  /** As typed. */
  readonly quantity: string;
}

/** What a person has put together in the open form. */
export interface BuyDraft {
  readonly kind: 'buy';
  /** product_id, or empty. */
  readonly plan: string;
  readonly rows: readonly Row[];
  readonly reason: string;
  readonly balance: BalanceReading | null;
  readonly separate: boolean;
  /** Slack's id of the root view. */
  readonly view: string | null;
  /** What the review that is open promises. */
  readonly promised: { readonly needsApproval: boolean } | null;
}

type NewRowId = () => string;

/** With an empty row where nothing was typed. More than `MAX_ROWS` do not fit: see `tooManyCountries`. */
export function newBuyDraft(plans: readonly Plan[], rows: readonly Allocation[], newRowId: NewRowId): BuyDraft {
  if (rows.length > MAX_ROWS) throw new RangeError(`${rows.length} rows do not fit into the form`);
  const [only, ...others] = plans;
  return {
    kind: 'buy',
    plan: only && others.length === 0 ? only.productId : '',
    rows: rows.length === 0 ? [emptyRow(newRowId())] : rows.map((row) => filledRow(row, newRowId)),
    reason: '',
    balance: null,
    separate: false,
    view: null,
    promised: null,
  };
}

/** Why so many countries cannot be taken, in plain words for an error or a private answer; undefined where they fit. */
export function tooManyCountries(count: number): string | undefined {
  return count > MAX_ROWS ? `That makes ${count} countries, and one order takes at most ${MAX_ROWS}.` : undefined;
}

/**
 * With what the fields hold now. A field that Slack's state does not know keeps the draft's value: one that an update has just
 * preset is shown to the person and yet missing in the state.
 */
export function withTyped(draft: BuyDraft, values: Values): BuyDraft {
  return {
    ...draft,
    plan: chosen(values, BLOCK.plan, ACTION.plan) ?? draft.plan,
    reason: typedText(values, BLOCK.reason, ACTION.reason) ?? draft.reason,
    rows: draft.rows.map((row) => ({
      id: row.id,
      country: chosen(values, BLOCK.country(row.id), ACTION.country) ?? row.country,
      quantity: rawText(values, BLOCK.quantity(row.id), ACTION.quantity) ?? row.quantity,
    })),
  };
}

/** With the box of the review. */
export function withBuyTicks(draft: BuyDraft, values: Values): BuyDraft {
  return { ...draft, separate: readTicks(values).separate };
}

/** At the limit, nothing: the button is gone by then, and a late click adds no row. */
export function addRow(draft: BuyDraft, newRowId: string): BuyDraft {
  return draft.rows.length >= MAX_ROWS ? draft : { ...draft, rows: [...draft.rows, emptyRow(newRowId)] };
}

/** The last row is emptied instead; under a new id, or Slack would keep what was typed. */
export function removeRow(draft: BuyDraft, rowId: string, newRowId: string): BuyDraft {
  const rows = draft.rows.filter(({ id }) => id !== rowId);
  return { ...draft, rows: rows.length === 0 ? [emptyRow(newRowId)] : rows };
}

/**
 * A pasted list replaces empty rows and joins the others, one country once. A row whose quantity changes gets a new id, or Slack
 * would go on showing the old one. A row whose quantity cannot be read stays as it is, to be mended by the person. Where it does
 * not all fit, nothing changes: see `pasteProblems`.
 */
export function pasteRows(draft: BuyDraft, allocations: readonly Allocation[], newRowId: NewRowId): BuyDraft {
  const left = new Map(allocations.map(({ country, quantity }) => [country, quantity]));
  const kept = draft.rows
    .filter((row) => !isEmptyRow(row))
    .map((row) => {
      const pasted = left.get(row.country);
      const before = readable(row.quantity);
      if (pasted === undefined || before === undefined) return row;
      left.delete(row.country);
      return filledRow({ country: row.country, quantity: before + pasted }, newRowId);
    });
  const rows = [...kept, ...[...left].map(([country, quantity]) => filledRow({ country, quantity }, newRowId))];
  return rows.length === 0 || rows.length > MAX_ROWS ? draft : { ...draft, rows };
}

/** How many rows there would be with a pasted list. */
export function rowsWith(draft: BuyDraft, allocations: readonly Allocation[]): number {
  const kept = draft.rows.filter((row) => !isEmptyRow(row));
  const joins = (country: string) =>
    kept.some((row) => row.country === country && readable(row.quantity) !== undefined);
  return kept.length + allocations.filter(({ country }) => !joins(country)).length;
}

/** The total of what can be read so far. */
export function totalSoFar({ rows }: BuyDraft): number {
  return rows.reduce((sum, row) => sum + (readable(row.quantity) ?? 0), 0);
}

function isEmptyRow({ country, quantity }: Row): boolean {
  return country === '' && readable(quantity) === 0;
}

/** 0 for an empty field, undefined for what cannot be read. */
function readable(quantity: string): number | undefined {
  const reading = parseQuantity(quantity);
  if (reading.ok) return reading.quantity;
  return reading.problem === 'quantity_missing' ? 0 : undefined;
}

function emptyRow(id: string): Row {
  return { id, country: '', quantity: '' };
}

function filledRow({ country, quantity }: Allocation, newRowId: NewRowId): Row {
  return { id: newRowId(), country, quantity: String(quantity) };
}

export type BuyContent = Extract<Content, { kind: 'buy' }>;

/** A draft in which everything stands as it was submitted: what would be bought, or what is wrong, each at its field. */
export function decodeBuy(
  draft: BuyDraft,
  policy: Pick<Policy, 'plans' | 'limits'>,
): { readonly ok: true; readonly content: BuyContent } | { readonly ok: false; readonly errors: Errors } {
  const errors: Errors = {};
  const plan = readPlan(draft.plan, policy.plans, errors);
  const filled = draft.rows.filter((row) => !isEmptyRow(row));
  const rows = filled.flatMap((row) => readRow(row, errors) ?? []);
  const [first] = draft.rows;
  if (filled.length === 0 && first) {
    errors[BLOCK.country(first.id)] = CHOOSE_COUNTRY;
    errors[BLOCK.quantity(first.id)] = QUANTITY.quantity_missing;
  }
  const wrong = proseProblem(draft.reason, 'Say in a few words what it is for');
  if (wrong) errors[BLOCK.reason] ??= wrong;
  if (!plan || Object.keys(errors).length > 0) return { ok: false, errors };

  const basket = mergeBasket(rows);
  const total = totalQuantity(basket);
  const limit = policy.limits.ipsPerOrder;
  const last = filled.at(-1);
  if (total > limit && last)
    return {
      ok: false,
      errors: { [BLOCK.quantity(last.id)]: `That makes ${total} IPs in all, and one order may have at most ${limit}.` },
    };
  return { ok: true, content: { kind: 'buy', plan, basket } };
}

/** With a single plan there is no field for it: what is wrong is said at the reason, the one input that is always there. */
function readPlan(productId: string, plans: readonly Plan[], errors: Errors): Plan | undefined {
  const plan = plans.find((known) => known.productId === productId);
  if (plan) return plan;
  if (plans.length > 1)
    errors[BLOCK.plan] = productId === '' ? 'Choose a plan.' : 'This plan is no longer offered: choose another one.';
  else errors[BLOCK.reason] = 'The plan is no longer offered. Close this, and run /proxy buy again.';
  return undefined;
}

const CHOOSE_COUNTRY = 'Choose a country.';

const QUANTITY = {
  quantity_missing: 'Enter how many IPs.',
  quantity_zero: 'At least 1.',
  quantity_too_large: 'That is too many.',
  quantity_not_whole: 'Enter a whole number in plain digits.',
} as const satisfies Record<QuantityProblem, string>;

function readRow(row: Row, errors: Errors): Allocation | undefined {
  const quantity = parseQuantity(row.quantity);
  if (row.country === '') errors[BLOCK.country(row.id)] = CHOOSE_COUNTRY;
  else if (!isCountry(row.country)) errors[BLOCK.country(row.id)] = 'Choose a country from the list.';
  if (!quantity.ok) errors[BLOCK.quantity(row.id)] = QUANTITY[quantity.problem];
  return quantity.ok && isCountry(row.country) ? { country: row.country, quantity: quantity.quantity } : undefined;
}
