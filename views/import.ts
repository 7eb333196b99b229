import type { types } from '@slack/bolt';
import { lineProblemWords, type Pen } from '../src/input/line-words.ts';
import { IMPORT_HEADER } from '../src/input/order-list.ts';
import { totalQuantity } from '../src/purchasing/model/basket.ts';
import type { ImportReview, ImportRow, LineProblem } from '../src/purchasing/model/import.ts';
import type { Plan } from '../src/purchasing/model/policy.ts';
import { type Block, button, context, modal, paragraph, section } from './blocks.ts';
import { countriesShort, dayAsWritten, ips, orderNumber, person, planName, when } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { textInput } from './inputs.ts';
import { literal } from './text.ts';

export const IMPORT_TITLE = 'Import orders';

/** For those who approve, wherever orders are listed. */
export function importButton(): types.Button {
  return button('Import', ACTION.import);
}

/** What a form shows of the list that was submitted. */
export interface ImportForm {
  readonly text: string;
  /** Null before the first submit. */
  readonly review: ImportReview | null;
}

/** Slack's limit of a text field, in characters. */
const LONGEST_LIST = 3_000;

/** Where one pastes a list; after one that was wrong, with what is wrong and the text as it was. */
export function importForm(draftId: string, { text, review }: ImportForm, plans: readonly Plan[]): types.ModalView {
  return modal({
    callback: CALLBACK.import,
    title: IMPORT_TITLE,
    draftId,
    submit: 'Review',
    close: 'Cancel',
    blocks: [
      section('Orders that were bought elsewhere are written down here. It spends nothing.'),
      ...(review ? wrong(review.problems) : []),
      textInput({
        block: BLOCK.import,
        action: ACTION.importText,
        label: 'List of orders',
        hint: 'CSV: countries as US 10; DE 5, days as 2026-01-31, owner a Slack user id or an e-mail address. The last three may be empty.',
        placeholder: IMPORT_HEADER,
        initial: text,
        multiline: true,
        longest: LONGEST_LIST,
      }),
      context(`The first line names the columns: ${IMPORT_HEADER}`),
      context(`product_id is one of ${plansShort(plans)}`),
      context(
        `Slack takes at most ${LONGEST_LIST} characters. A longer list goes by \`npm run ledger -- import FILE\`, on the machine of the bot.`,
      ),
      ...(review && review.add.length > 0
        ? [section('*These lines are right, and would be added:*'), ...rowBlocks(review.add)]
        : []),
    ],
  });
}

const PLANS_SHOWN = 10;

function plansShort(plans: readonly Plan[]): string {
  const shown = plans.slice(0, PLANS_SHOWN).map((plan) => `${literal(plan.productId, 100)} (${planName(plan)})`);
  return `${shown.join(', ')}${plans.length > shown.length ? `, and ${plans.length - shown.length} more` : ''}`;
}

/** A view holds 100 blocks; the form and the rows that are right need their part. */
const PROBLEMS_SHOWN = 60;

/** Of one problem, which may repeat what was typed. */
const LONGEST_PROBLEM = 900;

const PEN: Pen = { foreign: (text) => literal(text, LONGEST_PROBLEM), person, time: when };

function wrong(problems: readonly LineProblem[]): readonly Block[] {
  const lines = new Set(problems.map(({ line }) => line)).size;
  const shown = problems.slice(0, PROBLEMS_SHOWN).map((problem) => `⚠️ ${lineProblemWords(problem, PEN)}`);
  const more = problems.length - shown.length;
  return paragraph([
    `*Nothing was added*: ${lines === 1 ? '1 line is' : `${lines} lines are`} wrong.`,
    ...shown,
    more > 0 ? `And ${more} more.` : null,
  ]);
}

/** What has come up since the review, over the form. */
export function importProblems(problems: readonly LineProblem[]): types.ModalView {
  return modal({ callback: CALLBACK.plain, title: IMPORT_TITLE, close: 'Back', blocks: wrong(problems) });
}

/** Exactly what will be written. Pushed on the form. */
export function importReview(
  metadata: string,
  { add, there }: Omit<ImportReview, 'problems'>,
  outdated = false,
): types.ModalView {
  const frame = { callback: CALLBACK.importReview, title: IMPORT_TITLE, draftId: metadata, close: 'Back' };
  const known =
    there > 0 ? `${orders(there, 'is', 'are')} in the ledger already, as listed: nothing changes there.` : null;
  const changed = outdated
    ? '*Nothing was added.* Something has changed since the list was reviewed: look at it again.'
    : null;
  if (add.length === 0) return modal({ ...frame, blocks: paragraph([changed, '*There is nothing to add.*', known]) });
  return modal({
    ...frame,
    submit: 'Import',
    blocks: [
      ...paragraph([changed, `*${orders(add.length, 'is', 'are')} to be added, in your name:*`, known]),
      ...rowBlocks(add),
      context('Nothing is bought or renewed, and no money moves. The dates on which they end are computed by us.'),
    ],
  });
}

/** `1 order is`, `2 orders are` */
function orders(count: number, one: string, several: string): string {
  return count === 1 ? `1 order ${one}` : `${count} orders ${several}`;
}

/** One order a row, and its note below it. */
function rowBlocks(rows: readonly ImportRow[]): readonly Block[] {
  return paragraph(rows.flatMap((row) => [rowText(row), noteText(row)]));
}

function rowText({ orderId, order }: ImportRow): string {
  const { plan, basket, boughtAt, owner } = order;
  return [
    `• *${orderNumber(orderId)}*: ${ips(totalQuantity(basket))} (${countriesShort(basket, basket.length)})`,
    planName(plan),
    boughtAt === null ? 'day of purchase not known' : `bought on ${dayAsWritten(boughtAt)}`,
    owner === null ? 'no owner' : `owner ${person(owner)}`,
  ].join(' · ');
}

/** A note has 500 characters at most, each of which may be written as an entity. */
const LONGEST_NOTE_SHOWN = 2_600;

function noteText({ order: { note } }: ImportRow): string | null {
  return note === null ? null : `Note: ${literal(note, LONGEST_NOTE_SHOWN)}`;
}

/** After the submit. */
export function importedView(imported: number): types.ModalView {
  return modal({
    callback: CALLBACK.plain,
    title: IMPORT_TITLE,
    clearOnClose: true,
    blocks: [
      section(
        `*${orders(imported, 'was', 'were')} added.* Wherever they are shown, it is said that you imported them. See \`/proxy orders\`.`,
      ),
    ],
  });
}
