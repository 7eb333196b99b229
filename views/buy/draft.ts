import type { AllocationsReading, UnclearRow } from '../../src/input/allocations.ts';
import { parseQuantity } from '../../src/input/fields.ts';
import type { Priced } from '../../src/purchasing/model/account.ts';
import { type Allocation, totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import type { SavedBasket } from '../../src/purchasing/model/saved-basket.ts';
import { ips } from '../format.ts';
import { ACTION, BLOCK } from '../ids.ts';
import { type Decoded, type Errors, type FormDraft, fieldsOf, planShown, type Values } from '../state.ts';

/** Three blocks a row, and at most 100 in a view; this many leave room, and are more than anybody picks by hand. */
export const MAX_ROWS = 25;

export interface Row {
  /** Stable and random: part of the row's block_ids. */
  readonly id: string;
  /** A two-letter code, or empty. */
  readonly country: string;
  /** As typed. */
  readonly quantity: string;
  /** What was typed in place of a country, and may mean any of these. */
  readonly unclear?: Pick<UnclearRow, 'word' | 'codes'>;
}

/** What a form begins with. */
export interface BuyStart {
  readonly basket: readonly Allocation[];
  readonly unclear?: readonly UnclearRow[];
  /** The product_id that is preset, as long as it is offered. */
  readonly plan?: string | undefined;
  readonly reason?: string;
  readonly counted?: number;
  readonly anySaved?: boolean;
}

export type BuyContent = Extract<Content, { kind: 'buy' }>;

/** What a person has put together in the open form. */
export interface BuyDraft extends FormDraft<BuyContent> {
  readonly kind: 'buy';
  readonly rows: readonly Row[];
  /** The latest presses and pasted lists that are in it already: Slack may deliver each again. */
  readonly handled: readonly string[];
  /** IPs of the person's own that counted towards the free allowance when the form was opened. */
  readonly counted: number;
  // A draft of the version before has none of these.
  /** There are saved baskets to choose from. */
  readonly anySaved?: boolean;
  /** How often a saved basket was chosen: part of the block ids of what that sets anew. */
  readonly chosen?: number;
  /** How often the plan was set by one. */
  readonly planSet?: number;
  /** What is told of the last press, as it was typed. */
  readonly said?: Said | null;
}

interface Said {
  /** `done` stands beside the buttons under the rows, `added` at the top: where whoever pressed is looking, on a phone too. */
  readonly how: 'done' | 'added' | 'problem';
  readonly text: string;
}

/** More than Slack can have on its way at once. */
const HANDLED_KEPT = 20;

/** Once for each press or pasted list, however often it arrives. */
export function once(draft: BuyDraft, id: string, apply: (draft: BuyDraft) => BuyDraft): BuyDraft {
  if (draft.handled.includes(id)) return draft;
  const next = apply(draft);
  // What changed nothing, a list that did not fit, may be tried again.
  return next === draft ? draft : { ...next, handled: [...next.handled, id].slice(-HANDLED_KEPT) };
}

type NewRowId = () => string;

/** With an empty row where nothing was typed. More than `MAX_ROWS` do not fit: see `tooManyCountries`. */
export function newBuyDraft(plans: readonly Plan[], start: BuyStart, newRowId: NewRowId): BuyDraft {
  const { basket, unclear = [], reason = '', counted = 0, anySaved = false } = start;
  const filled = [...basket.map((row) => filledRow(row, newRowId)), ...unclear.map((row) => unclearRow(row, newRowId))];
  if (filled.length > MAX_ROWS) throw new RangeError(`${filled.length} rows do not fit into the form`);
  const plan = planShown(start.plan ?? '', plans);
  const rows = filled.length === 0 ? [emptyRow(newRowId)] : filled;
  return {
    kind: 'buy',
    plan,
    rows,
    reason,
    balance: null,
    separate: false,
    view: null,
    lastReview: null,
    handled: [],
    counted,
    anySaved,
    unreported: [...(plan === '' ? [] : [BLOCK.plan]), ...(reason === '' ? [] : [BLOCK.reason]), ...presetsOf(rows)],
  };
}

/** Why so many countries cannot be taken, in plain words for an error or a private answer; undefined where they fit. */
export function tooManyCountries(count: number): string | undefined {
  return count > MAX_ROWS ? `That makes ${count} countries, and one order takes at most ${MAX_ROWS}.` : undefined;
}

/** Where the plan is chosen: a plan that is set anew has a new id, or Slack would keep the one that was chosen before. */
export function planBlock({ planSet = 0 }: Pick<BuyDraft, 'planSet'>): string {
  return planSet === 0 ? BLOCK.plan : BLOCK.planAnew(planSet);
}

/** With what the fields hold now. */
export function withTyped(draft: BuyDraft, values: Values): BuyDraft {
  const fields = fieldsOf(values, draft.unreported);
  return {
    ...draft,
    plan: fields.chosen(planBlock(draft), ACTION.plan, draft.plan),
    reason: fields.typed(BLOCK.reason, ACTION.reason, draft.reason),
    rows: draft.rows.map((row) => ({
      ...row,
      country: fields.chosen(BLOCK.country(row.id), ACTION.country, row.country),
      quantity: fields.raw(BLOCK.quantity(row.id), ACTION.quantity, row.quantity),
    })),
    unreported: fields.unreported(),
  };
}

/** Adds no row at the limit: the button is gone by then, but a late click may still arrive. */
export function addRow(draft: BuyDraft, newRowId: NewRowId): BuyDraft {
  return draft.rows.length >= MAX_ROWS ? draft : { ...draft, rows: [...draft.rows, emptyRow(newRowId)] };
}

/** Removes a row. The only row is emptied instead, under a new id, or Slack would keep what was typed. */
export function removeRow(draft: BuyDraft, rowId: string, newRowId: NewRowId): BuyDraft {
  const rows = draft.rows.filter(({ id }) => id !== rowId);
  return { ...draft, rows: rows.length === 0 ? [emptyRow(newRowId)] : rows };
}

/**
 * A pasted list replaces empty rows and joins the others, one country once. A row whose quantity changes gets a new id, or Slack
 * would go on showing the old one. A row whose quantity cannot be read stays as it is, to be mended by the person.
 */
export function pasteRows(
  draft: BuyDraft,
  { basket, unclear }: Pick<AllocationsReading, 'basket' | 'unclear'>,
  newRowId: NewRowId,
): Decoded<BuyDraft> {
  const left = new Map(basket.map(({ country, quantity }) => [country, quantity]));
  const kept = draft.rows
    .filter((row) => !isEmptyRow(row))
    .map((row) => {
      const pasted = left.get(row.country);
      const before = readable(row.quantity);
      if (pasted === undefined || before === undefined) return row;
      left.delete(row.country);
      return filledRow({ country: row.country, quantity: before + pasted }, newRowId);
    });
  const rows = [
    ...kept,
    ...[...left].map(([country, quantity]) => filledRow({ country, quantity }, newRowId)),
    ...unclear.map((row) => unclearRow(row, newRowId)),
  ];
  const before = new Set(draft.rows.map(({ id }) => id));
  const unreported = [...draft.unreported, ...presetsOf(rows.filter(({ id }) => !before.has(id)))];
  const tooMany = tooManyCountries(rows.length);
  if (tooMany) return { ok: false, errors: { [BLOCK.paste]: `${tooMany} Nothing was added.` } };
  return { ok: true, content: rows.length === 0 ? draft : { ...draft, rows, unreported } };
}

/**
 * A saved basket joins the rows as a pasted list does, and its plan is chosen, where it is still offered. Of a basket that does not fit, nothing is taken.
 */
export function chooseSaved(
  draft: BuyDraft,
  { name, basket, plan }: Pick<SavedBasket, 'name' | 'basket' | 'plan'>,
  plans: readonly Plan[],
  newRowId: NewRowId,
): BuyDraft {
  const joined = pasteRows(draft, { basket, unclear: [] }, newRowId);
  if (!joined.ok) return { ...draft, said: { how: 'problem', text: Object.values(joined.errors).join(' ') } };
  const isOffered = plans.some(({ productId }) => productId === plan);
  const added = `Added “${name}”: ${ips(totalQuantity(basket))}.`;
  const isGone = plan !== null && !isOffered;
  const said: Said = isGone
    ? {
        how: 'problem',
        text: `${added} The plan saved with it is no longer offered, so the plan here stays as it was.`,
      }
    : { how: 'added', text: added };
  const next = { ...joined.content, said };
  if (plan === null || !isOffered || plan === draft.plan) return next;
  const withPlan = { ...next, plan, planSet: (draft.planSet ?? 0) + 1 };
  return { ...withPlan, unreported: [...next.unreported, planBlock(withPlan)] };
}

/** Why a basket cannot be taken as it stands, row by row, for a view that lies over the form. */
export function unfinishedRows({ rows }: BuyDraft, errors: Errors): string {
  const lines = rows.flatMap(({ id }, index) => {
    const wrong = [errors[BLOCK.country(id)], errors[BLOCK.quantity(id)]].filter((error) => error !== undefined);
    return wrong.length === 0 ? [] : [`• Row ${index + 1}: ${wrong.join(' ')}`];
  });
  return `Something is still missing in the form. Nothing was saved.\n${lines.join('\n')}`;
}

/** What of it a price can be looked up for; null where a row is not complete yet, or there is none. */
export function pricedSoFar({ rows, plan }: BuyDraft): Priced | null {
  const filled = rows.filter((row) => !isEmptyRow(row));
  const quantities = new Map<string, number>();
  for (const { country, quantity } of filled) {
    const count = readable(quantity);
    if (country === '' || !count) return null;
    quantities.set(country, (quantities.get(country) ?? 0) + count);
  }
  if (plan === '' || quantities.size === 0) return null;
  const basket = Array.from(quantities, ([country, quantity]) => ({ country, quantity }));
  return { kind: 'buy', productId: plan, basket };
}

/** The total of what can be read so far. */
export function totalSoFar({ rows }: BuyDraft): number {
  return rows.reduce((sum, row) => sum + (readable(row.quantity) ?? 0), 0);
}

export function isEmptyRow({ country, quantity }: Row): boolean {
  return country === '' && readable(quantity) === 0;
}

/** 0 for an empty field, undefined for what cannot be read. */
function readable(quantity: string): number | undefined {
  const reading = parseQuantity(quantity);
  if (reading.ok) return reading.quantity;
  return reading.problem === 'quantity_missing' ? 0 : undefined;
}

/** The fields in which these rows come with a value. */
function presetsOf(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ id, country, quantity }) => [
    ...(country === '' ? [] : [BLOCK.country(id)]),
    ...(quantity === '' ? [] : [BLOCK.quantity(id)]),
  ]);
}

function emptyRow(newRowId: NewRowId): Row {
  return { id: newRowId(), country: '', quantity: '' };
}

function filledRow({ country, quantity }: Allocation, newRowId: NewRowId): Row {
  return { id: newRowId(), country, quantity: String(quantity) };
}

function unclearRow({ word, codes, quantity }: UnclearRow, newRowId: NewRowId): Row {
  return { id: newRowId(), country: '', quantity: String(quantity), unclear: { word, codes } };
}
