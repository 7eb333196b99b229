import type { types } from '@slack/bolt';
import { type AllocationsReading, parseAllocations } from '../../src/input/allocations.ts';
import { countryChoice, rowProblemText } from '../../src/input/words.ts';
import { late } from '../../src/late.ts';
import { totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import { allCountries, searchCountries } from '../../src/purchasing/model/countries.ts';
import { formatDollars } from '../../src/purchasing/model/money.ts';
import type { Approvals, Plan } from '../../src/purchasing/model/policy.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { actions, type Block, button, context, fields, modal, problemsBlock } from '../blocks.ts';
import { costInForm } from '../cost.ts';
import { balanceNow, countriesShort, country, countryLines, ips, planIds, planName } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { planSelect, reasonInput, textInput } from '../inputs.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import { type Decoded, rawText, type Values } from '../state.ts';
import { literal, plain } from '../text.ts';
import { type BuyContent, type BuyDraft, isEmptyRow, MAX_ROWS, planBlock, type Row, totalSoFar } from './draft.ts';
import { savedBlocks } from './saved.ts';

interface BuyFormFacts {
  /** What is wrong and has no field of its own in the view that was submitted. */
  readonly problems?: readonly string[];
  readonly plans: readonly Plan[];
  readonly maxPerOrder: number;
  readonly approvals: Approvals;
  /** Of what can be read of it so far; null where that is nothing. */
  readonly cost?: ExpectedCost | null;
  /** There are limits in dollars, so that what no price is known of needs approval. */
  readonly unpricedNeedsApproval?: boolean;
}

export const BUY_TITLE = 'Buy proxies';

export function buyForm(
  draftId: string,
  draft: BuyDraft,
  { plans, maxPerOrder, approvals, cost = null, unpricedNeedsApproval = false, problems = [] }: BuyFormFacts,
): types.ModalView {
  const { rows } = draft;
  const total = totalSoFar(draft);
  return modal({
    callback: CALLBACK.buy,
    title: BUY_TITLE,
    draftId,
    submit: 'Review',
    close: 'Cancel',
    blocks: [
      ...problemsBlock([...problems, ...said(draft, 'problem'), ...toChoose(rows), ...overLimit(total, maxPerOrder)]),
      ...done(said(draft, 'added')),
      ...planBlocks(draft, plans),
      ...savedBlocks(draft),
      ...rows.flatMap((row, index) => rowBlocks(row, index + 1, rows.length > 1 && isEmptyRow(row), maxPerOrder)),
      ...rowButtons(rows.length),
      ...done(said(draft, 'done')),
      reasonInput('What are they for?', { initial: draft.reason, optional: true }),
      context(`Total ${ips(total)} (as of the last button pressed) · at most ${maxPerOrder} in one order`),
      ...costBlocks(draft, { plans, cost, unpricedNeedsApproval }),
      ...freeLines(approvals, draft.counted).map((line) => context(line)),
      context(`Balance: ${balanceNow(draft.balance)}`),
    ],
  });
}

/** On the plan as of the last button pressed, which is named where it may be another by now. */
function costBlocks(
  { plan, balance }: BuyDraft,
  { plans, cost = null, unpricedNeedsApproval = false }: Pick<BuyFormFacts, 'plans' | 'cost' | 'unpricedNeedsApproval'>,
): readonly Block[] {
  if (plans.length > 1 && plan === '') return [context('Cost: the review says it, once a plan is chosen.')];
  if (cost === null) return [];
  const on = plans.length > 1 ? plans.find(({ productId }) => productId === plan) : undefined;
  const head = `Cost of that${on ? ` on ${planName(on)}` : ''}`;
  return [context(`${head}: ${costInForm(cost, balance, unpricedNeedsApproval)}`)];
}

function planBlocks(draft: BuyDraft, plans: readonly Plan[]): readonly Block[] {
  const [only, ...others] = plans;
  if (!only) return [];
  return [others.length === 0 ? context(`Plan: ${planName(only)}`) : planSelect(plans, draft.plan, planBlock(draft))];
}

function said({ said: last }: BuyDraft, how: NonNullable<BuyDraft['said']>['how']): readonly string[] {
  return last?.how === how ? [last.text] : [];
}

function done(texts: readonly string[]): readonly Block[] {
  return texts.map((text) => context(`✅ ${literal(text, 500)}`));
}

/** What is still to be chosen in rows whose country is unclear. */
function toChoose(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ country, unclear }, index) =>
    unclear && country === ''
      ? [`“${unclear.word}” may mean ${countryChoice(unclear.codes)}: choose the country in row ${index + 1}.`]
      : [],
  );
}

function overLimit(total: number, limit: number): readonly string[] {
  return total > limit ? [`${ips(total)} are over the limit of ${limit} in one order. Lower the quantities.`] : [];
}

/** `3 of 5 free IPs left today`; nothing where nothing needs approval. */
function freeLines(approvals: Approvals, counted: number): readonly string[] {
  if (approvals.mode === 'off') return [];
  const { freeUpTo, freeUpToDollars } = approvals;
  if (freeUpTo === 0) return ['Every purchase needs approval.'];
  const dollars = freeUpToDollars === null ? [] : [`${formatDollars(freeUpToDollars)} a day are free`];
  const left = freeUpTo === null ? [] : [`${Math.max(0, freeUpTo - counted)} of ${freeUpTo} free IPs left today`];
  return [[...left, ...dollars, 'more needs approval'].join(' · ')];
}

/** @param optional of an empty row among others: it is ignored, so Slack must not insist on it */
function rowBlocks(row: Row, number: number, optional: boolean, maxPerOrder: number): readonly Block[] {
  return [
    {
      type: 'section',
      block_id: BLOCK.remove(row.id),
      text: { type: 'mrkdwn', text: `*Row ${number}*` },
      accessory: button('Remove', ACTION.removeRow, row.id),
    },
    {
      type: 'input',
      block_id: BLOCK.country(row.id),
      label: plain('Country', 75),
      optional,
      ...(row.unclear ? { hint: plain(`You typed “${row.unclear.word}”.`, 150) } : {}),
      element: {
        type: 'external_select',
        action_id: ACTION.country,
        // The commonest countries are there before anything is typed.
        min_query_length: 0,
        placeholder: plain('Type a name or code', 75),
        ...(row.country === '' ? {} : { initial_option: countryOption(row.country) }),
      },
    },
    {
      type: 'input',
      block_id: BLOCK.quantity(row.id),
      label: plain('Quantity', 75),
      optional,
      element: {
        type: 'number_input',
        action_id: ACTION.quantity,
        is_decimal_allowed: false,
        ...range(row.quantity, maxPerOrder),
      },
    },
  ];
}

/** A typed quantity above the limit is shown all the same, and refused with a reason; outside min and max Slack refuses the view. */
function range(
  quantity: string,
  maxPerOrder: number,
): { min_value: string; max_value: string; initial_value?: string } {
  const typed = /^[1-9]\d{0,8}$/.test(quantity) ? Number(quantity) : null;
  return {
    min_value: '1',
    max_value: String(Math.max(maxPerOrder, typed ?? 1)),
    ...(typed === null ? {} : { initial_value: quantity }),
  };
}

function rowButtons(rows: number): readonly Block[] {
  const add = button('Add country', ACTION.addCountry);
  const others = [button('Paste a list', ACTION.pasteList), button('Save this basket', ACTION.saveBasket)];
  if (rows >= MAX_ROWS)
    return [...actions(others, 'rows'), context(`That is the most: ${MAX_ROWS} countries in one order.`)];
  const last = rows === MAX_ROWS - 1 ? [context(`One more fits: an order has at most ${MAX_ROWS} countries.`)] : [];
  return [...actions([add, ...others], 'rows'), ...last];
}

/** `🇺🇸 United States`, with the code as its value. */
export function countryOption(code: string): types.PlainTextOption {
  return optionsOfAll().get(code) ?? drawOption(code);
}

/** Drawn once: a type-ahead offers up to a hundred of them at each letter. */
const optionsOfAll = late(() => new Map(allCountries().map(({ code }) => [code, drawOption(code)])));

function drawOption(code: string): types.PlainTextOption {
  return { text: plain(country(code), 75), value: code };
}

/** Slack's limit of options in one answer. */
const OPTIONS_AT_MOST = 100;

/** The answer to what was typed so far. */
export function countryOptions(query: string): types.PlainTextOption[] {
  return searchCountries(query, OPTIONS_AT_MOST).map(({ code }) => countryOption(code));
}

/** Enough for every country there is. Slack's own limit of a text field, in characters. */
const LONGEST_LIST = 3_000;

/** An error under a field has no room for all. */
const PROBLEMS_SHOWN = 5;

export function pasteView(draftId: string): types.ModalView {
  return modal({
    callback: CALLBACK.paste,
    title: 'Paste a list',
    draftId,
    submit: 'Add',
    close: 'Back',
    blocks: [
      textInput({
        block: BLOCK.paste,
        action: ACTION.pasteText,
        label: 'Countries and quantities',
        hint: 'As US 10, 10 US, Germany: 3 or a table of two columns, one a line or separated by commas.',
        multiline: true,
        longest: LONGEST_LIST,
      }),
    ],
  });
}

/** What a message lists, where all of it is understood and fits into the form; otherwise nothing. */
export function listIn(message: string): Pick<AllocationsReading, 'basket' | 'unclear'> {
  const { basket, unclear, problems } = parseAllocations(message);
  const isTaken = problems.length === 0 && basket.length + unclear.length <= MAX_ROWS;
  return isTaken ? { basket, unclear } : { basket: [], unclear: [] };
}

/** What was pasted, each country once; or what is wrong with it, at its field. One wrong row refuses all. */
export function pasteText(values: Values): Decoded<Pick<AllocationsReading, 'basket' | 'unclear'>> {
  // Not `typedText`: the parser of typed lists undoes by itself what Slack and keyboards did.
  const reading = parseAllocations(rawText(values, BLOCK.paste, ACTION.pasteText) ?? '');
  const { basket, unclear, problems } = reading;
  if (problems.length === 0 && basket.length + unclear.length > 0) return { ok: true, content: { basket, unclear } };
  if (problems.length === 0)
    return { ok: false, errors: { [BLOCK.paste]: 'Paste at least one country with a quantity, like US 10.' } };
  const shown = problems.slice(0, PROBLEMS_SHOWN).map((problem) => shorten(rowProblemText(problem)));
  const more = problems.length - shown.length;
  return { ok: false, errors: { [BLOCK.paste]: [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n') } };
}

function shorten(text: string): string {
  const characters = Array.from(text.toWellFormed());
  return characters.length <= 150 ? characters.join('') : `${characters.slice(0, 149).join('')}…`;
}

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function buyReview(
  draftId: string,
  content: BuyContent,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { basket, plan } = content;
  const what = fields([
    [`Buy ${ips(totalQuantity(basket))}`, countryLines(basket)],
    ['Plan', planName(plan)],
  ]);
  const smallPrint = context(`Sent as ${planIds(plan, 'buy')}, ${countriesShort(basket, basket.length)}`);
  return reviewView(
    { callback: CALLBACK.buyReview, draftId, content, now: 'Buy now', what: [what], smallPrint },
    found,
    surroundings,
  );
}
