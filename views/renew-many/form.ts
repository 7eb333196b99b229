import type { types } from '@slack/bolt';
import { plural } from '../../src/plural.ts';
import { ROWS_AT_MOST } from '../../src/purchasing/model/batch.ts';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import type { Order } from '../../src/purchasing/model/order.ts';
import type { Purchase, RenewContent } from '../../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { BatchReview } from '../../src/purchasing/rules/batches.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { rowContent, sharedFacts } from '../batch-rows.ts';
import { actions, type Block, button, context, fields, modal, paragraph, problemsBlock, section } from '../blocks.ts';
import { costShort } from '../cost.ts';
import { reasonBlock } from '../facts.ts';
import { balanceNow, capital, countriesShort, freezeLine, orderNumber } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { reasonInput, tick } from '../inputs.ts';
import { renewalWarnings } from '../renew/order-lines.ts';
import { moneyLine, type ReviewSurroundings, whoDecides } from '../review.ts';
import { completedTwin, notFiledSentence, refusalSentence } from '../sentences.ts';
import { plain } from '../text.ts';
import type { RenewManyDraft } from './draft.ts';

export const RENEW_MANY_TITLE = 'Renew several';

/** @param chosen the orders that the form is preset with */
export function renewManyForm(
  draftId: string,
  draft: RenewManyDraft,
  chosen: readonly Order[],
  problems: readonly string[] = [],
): types.ModalView {
  const options = chosen.map(orderOption);
  return modal({
    callback: CALLBACK.renewMany,
    title: RENEW_MANY_TITLE,
    draftId,
    submit: 'Review',
    close: 'Cancel',
    blocks: [
      ...problemsBlock(problems),
      {
        type: 'input',
        block_id: BLOCK.orders(draft.preset),
        label: plain('Orders', 150),
        hint: plain(`At most ${ROWS_AT_MOST}. Each is renewed on the plan that was last paid for it.`, 300),
        element: {
          type: 'multi_external_select',
          action_id: ACTION.orders,
          placeholder: plain('Type an order id, a country, or mine', 150),
          min_query_length: 0,
          max_selected_items: ROWS_AT_MOST,
          ...(options.length === 0 ? {} : { initial_options: options }),
        },
      },
      ...actions([button('All of mine that are ending', ACTION.allEnding)]),
      reasonInput('Why are they renewed?', { initial: draft.reason, optional: true }),
      context(`Balance: ${balanceNow(draft.balance)}`),
    ],
  });
}

export function orderOption({ orderId, basket, plan, endsAt }: Order): types.PlainTextOption {
  const countries = basket.length === 0 ? '' : ` · ${countriesShort(basket)}`;
  const ends = endsAt === null ? 'end not known' : `until about ${new Date(endsAt).toISOString().slice(0, 10)}`;
  return {
    text: plain(`${orderId}${countries}`, 75),
    description: plain(`${plan.name.slice(0, 40)}, ${ends}`, 75),
    value: orderId,
  };
}

/** Exactly what will be sent, row by row, and what it needs. Pushed on the form. */
export function renewManyReview(
  { draftId, review }: { readonly draftId: string; readonly review: string },
  contents: readonly RenewContent[],
  found: BatchReview | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { changed, reason, balance } = surroundings;
  const frame = {
    callback: CALLBACK.renewManyReview,
    draftId,
    title: 'Review',
    close: 'Back',
    externalId: surroundings.externalId,
  };
  const outdated = changed ? paragraph(outdatedLines(changed, found, surroundings)) : [];
  if (isRefusal(found)) {
    const no = section(`*This cannot be filed.* ${refusalSentence(found, surroundings)}`);
    return modal({ ...frame, blocks: [...outdated, no, reasonBlock(reason)] });
  }
  const refused = found.rows.filter(isRefusal).length;
  return modal({
    ...frame,
    ...(refused > 0 ? {} : { submit: found.needsApproval ? 'Ask for approval' : 'Renew now' }),
    blocks: [
      ...outdated,
      section(`*Renew ${plural(contents.length, 'order')}*`),
      ...(refused > 0
        ? [
            section(
              '*This cannot be filed*: all of it is filed together or not at all. Go back, and take out what is marked.',
            ),
          ]
        : []),
      // Of what cannot be filed the size was not looked up.
      ...(refused > 0 ? [] : [fields(sharedFacts(rowsOf(contents, found)))]),
      ...rowLines(contents, found, surroundings),
      reasonBlock(reason),
      ...paragraph([
        refused > 0 ? null : needsLine(found, surroundings),
        refused > 0 ? `Balance: ${balanceNow(balance)}` : moneyLine(balance, costsOf(found)),
        freezeLine(surroundings.freeze),
      ]),
      ...separateTick(found, review),
    ],
  });
}

function costsOf({ rows }: BatchReview): readonly ExpectedCost[] {
  return rows.flatMap((row) => (isRefusal(row) ? [] : [row.cost]));
}

type ShownRow = Pick<Purchase, 'orderId' | 'quantity' | 'basket' | 'plan'>;

function rowsOf(contents: readonly RenewContent[], { rows }: BatchReview): readonly ShownRow[] {
  return contents.map(({ orderId, plan }, index) => {
    const found = rows[index];
    const known = found && !isRefusal(found) ? found : { basket: [], quantity: null };
    return { orderId, plan, basket: known.basket, quantity: known.quantity };
  });
}

function rowLines(
  contents: readonly RenewContent[],
  found: BatchReview,
  surroundings: ReviewSurroundings,
): readonly Block[] {
  const shown = rowsOf(contents, found);
  const fileable = !found.rows.some(isRefusal);
  return paragraph(
    shown.flatMap((row, index) => {
      const review = found.rows[index];
      const cost = fileable && review && !isRefusal(review) ? ` · ${costShort(review.cost)}` : '';
      const line = `${index + 1}. ${capital(rowContent(row, shown))}${cost}`;
      if (!review) return [line];
      if (isRefusal(review)) {
        const no = `⚠️ *Cannot be filed*: ${refusalSentence(review, surroundings)}`;
        return [`${index + 1}. Order ${orderNumber(row.orderId)}\n${no}`];
      }
      const odd = [
        ...renewalWarnings(review.order, row.plan, surroundings.now),
        ...(review.twin ? [`⚠️ ${completedTwin(review.twin, surroundings)}`] : []),
      ];
      return [[line, ...odd].join('\n')];
    }),
  );
}

function needsLine({ needsApproval, rows }: BatchReview, surroundings: ReviewSurroundings): string {
  const reviews = rows.flatMap((row) => (isRefusal(row) ? [] : [row]));
  const why = whyUnpriced(reviews, surroundings);
  if (reviews.some((row) => row.twoPeople))
    return `*Needs approval by two people*${why}, asked for once for all of it. ${whoDecides(surroundings, 'Two')} No money is spent before.`;
  if (needsApproval)
    return `*Needs approval*${why}, asked for once for all of it. ${whoDecides(surroundings)} No money is spent before.`;
  const frozen = surroundings.freeze ? ', but spending is frozen: nothing is sent until that ends' : '';
  return `*No approval needed*${frozen}. “Renew now” sends them to the vendor one after the other, and real money is spent. If an outcome is unknown, or money is missing, the rest waits.`;
}

/** That it is for want of a price that somebody has to approve it, or two. */
function whyUnpriced(reviews: readonly Review[], { approvals }: ReviewSurroundings): string {
  const unpriced = reviews.some(({ cost, countedDollars }) => !cost.known || (countedDollars?.unpriced ?? 0) > 0);
  const counts =
    approvals.mode === 'channel' &&
    (reviews.some(({ twoPeople }) => twoPeople)
      ? reviews.some(({ twoPeopleFor }) => twoPeopleFor === 'dollars')
      : approvals.freeUpToDollars !== null && !approvals.renewalsNeedApproval);
  return reviews.some(({ mayBeOver }) => mayBeOver) || (counts && unpriced)
    ? ' (there are limits in dollars, and not everything has an observed price yet)'
    : '';
}

/** What has changed; what stands at its row is not said twice. */
function outdatedLines(changed: Refusal, found: BatchReview | Refusal, reader: ReviewSurroundings): readonly string[] {
  if (changed.refused !== 'rows_refused' || isRefusal(found)) return notFiledSentence(changed, reader).split('\n');
  const marked = found.rows.some((row) => isRefusal(row) || row.twin !== null);
  if (!marked) return refusalSentence(changed, reader).split('\n');
  const rows = changed.rows.filter(({ because }) => because.refused === 'cost_changed');
  return [
    '*Nothing was filed*, and no money moved: look at what is marked below.',
    ...(rows.length > 0 ? refusalSentence({ refused: 'rows_refused', rows }, reader).split('\n').slice(1) : []),
  ];
}

function separateTick({ rows }: BatchReview, review: string): readonly Block[] {
  const repeated = rows.filter((row) => !isRefusal(row) && row.twin !== null).length;
  if (repeated === 0) return [];
  return [
    section(
      `⚠️ ${plural(repeated, 'order')} of these ${repeated === 1 ? 'was' : 'were'} renewed in the last 24 hours, and would be paid a second time.`,
    ),
    tick(BLOCK.separateIn(review), ACTION.separate, 'Asked for once more', 'This is a new, separate purchase'),
  ];
}

/** After filing: the last view. */
export function filedManyView(rows: readonly Purchase[], freeze: Freeze | null): types.ModalView {
  const [first] = rows;
  return modal({
    callback: CALLBACK.plain,
    title: 'Filed',
    clearOnClose: true,
    blocks: paragraph([
      `*Filed: renew ${plural(rows.length, 'order')}* (${rows.map(({ orderId }) => orderNumber(orderId)).join(', ')}).`,
      first?.state === 'requested' ? 'It waits for approval. No money is spent before.' : null,
      first?.state === 'approved' && freeze === null
        ? 'They are on their way to the vendor, one after the other.'
        : null,
      'What becomes of it is told to you by direct message. You can close this.',
      freezeLine(freeze),
    ]),
  });
}
