import { ROWS_AT_MOST } from '../../src/purchasing/model/batch.ts';
import { shownAmount } from '../../src/purchasing/model/cost.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { RenewContent } from '../../src/purchasing/model/purchase.ts';
import { isAboutRights, isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import { type BatchProposal, type BatchReview, batchReviewId } from '../../src/purchasing/rules/batches.ts';
import { orderOf } from '../../src/purchasing/rules/orders.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { ACTION, CALLBACK } from '../ids.ts';
import {
  decodeRenewMany,
  type LastBatchReview,
  newRenewManyDraft,
  type RenewManyDraft,
  readSeparate,
  withOrders,
  withTypedRenewMany,
} from '../renew-many/draft.ts';
import { filedManyView, orderOption, RENEW_MANY_TITLE, renewManyForm, renewManyReview } from '../renew-many/form.ts';
import { openForm, redraw, updateView } from './open.ts';
import { clickOf, refusalFor, userOf } from './reply.ts';
import { type DrawnReview, drawnReview, GONE, pushReview, REVIEW_OF } from './review.ts';

/** Slack takes no more options at once than 100; nobody reads so many. */
const SUGGESTED = 25;

export function registerRenewMany(on: Listeners, context: HandlerContext): void {
  on.suggest(ACTION.orders, async ({ ack, payload, body }) => {
    const found = await context.orderBook.suggest(body.user.id, payload.value, SUGGESTED);
    await ack({ options: isRefusal(found) ? [] : found.map(orderOption) });
  });
  on.action(ACTION.renewSeveral, async (args) => {
    await args.ack();
    await openRenewSeveral(context, args);
  });
  on.action(ACTION.allEnding, (args) => chooseEnding(context, args));
  on.submit(CALLBACK.renewMany, (args) => submitOrders(context, args));
  on.submit(CALLBACK.renewManyReview, (args) => submitBatch(context, args));
}

/** `/proxy renew` without an order, and **Renew several**: the orders to renew, with these chosen already. */
export async function openRenewSeveral(
  context: HandlerContext,
  args: CommandArgs | ActionArgs,
  { orders = [], reason = '', problems = [] }: Preselected = {},
): Promise<void> {
  await openForm<RenewManyDraft>(context, args, RENEW_MANY_TITLE, 'renew', async () => {
    const draft = newRenewManyDraft(orders, reason);
    const left =
      orders.length > ROWS_AT_MOST ? [`These are ${orders.length}: chosen are the first ${ROWS_AT_MOST}.`] : [];
    return { draft, draw: await drawing(context, draft.orders, [...problems, ...left]) };
  });
}

/** What a choice begins with. */
interface Preselected {
  readonly orders?: readonly OrderId[];
  readonly reason?: string;
  readonly problems?: readonly string[];
}

/** The orders' texts are read once: a form that is drawn again with others is drawn by another. */
async function drawing(context: HandlerContext, orders: readonly OrderId[], problems: readonly string[] = []) {
  const facts = await Promise.all(orders.map((orderId) => context.ledger.order(orderId)));
  const chosen = facts.map(orderOf).filter((order) => order !== null);
  return (draft: Draft<RenewManyDraft>) => renewManyForm(draft.id, draft.content, chosen, problems);
}

/** Chooses what is ending of this person's own, beside what is chosen. */
async function chooseEnding(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const { view } = args.body;
  if (!view) return;
  const user = userOf(args);
  const ending = await context.orderBook.page(user, { which: 'ending', mine: true, country: null }, 0, ROWS_AT_MOST);
  const found = isRefusal(ending) ? [] : ending.orders.map(({ orderId }) => orderId);
  const problems = isRefusal(ending)
    ? [refusalFor(context, args, ending)]
    : [
        ...(found.length === 0 ? ['None of your orders is ending.'] : []),
        ...(ending.total > ROWS_AT_MOST
          ? [`${ending.total} of yours are ending: chosen are those that end first.`]
          : []),
      ];
  const draft = await context.drafts.update<RenewManyDraft>(view.private_metadata, user, (old) =>
    withOrders(withTypedRenewMany({ ...old, view: view.id }, view.state.values), found),
  );
  if (!draft) return updateView(context, args, view.id, sentenceView(RENEW_MANY_TITLE, GONE));
  await redraw(context, args, draft, await drawing(context, draft.content.orders, problems));
}

/** The form is submitted: its errors, or the review of exactly what would be sent. Files nothing. */
async function submitOrders(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { view } = args;
  const draft = await context.drafts.update<RenewManyDraft>(view.private_metadata, userOf(args), (old) =>
    withTypedRenewMany(old, view.state.values),
  );
  if (!draft) return args.ack({ response_action: 'update', view: sentenceView(RENEW_MANY_TITLE, GONE) });
  const { orders, reason, balance } = draft.content;
  const facts = await Promise.all(orders.map((orderId) => context.ledger.order(orderId)));
  const decoded = decodeRenewMany(draft.content, facts, context.purchasing.policy.plans);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  const review = await reviewOf(context, draft, { contents: decoded.content, reason });
  await pushReview(context, args, review, balance);
}

/** The review is submitted: filed once, however often it arrives, or a new review that says what has changed. */
async function submitBatch(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { view } = args;
  const say = (sentence: string) =>
    args.ack({ response_action: 'update', view: sentenceView(view.title.text, sentence, 'Back') });
  const [draftId = '', reviewId = ''] = view.private_metadata.split(REVIEW_OF);
  const draft = await context.drafts.update<RenewManyDraft>(draftId, userOf(args), (old) => ({
    ...old,
    separate: readSeparate(view.state.values, reviewId),
  }));
  if (!draft?.content.lastReview) return say(GONE);
  const { lastReview, balance } = draft.content;
  const { needsApproval, costs, lastTwins } = lastReview;
  const promised =
    needsApproval !== null && lastReview.id === reviewId
      ? { needsApproval, costs, lastTwins }
      : ({ refused: 'review_outdated' } as const);
  const filed = await context.batches.file(proposalOf(draft, lastReview), promised, clickOf(args));
  if (!isRefusal(filed)) return args.ack({ response_action: 'update', view: filedManyView(filed.rows, filed.freeze) });
  if (isAboutRights(filed)) return say(refusalFor(context, args, filed));
  const again = await reviewOf(context, draft, lastReview, filed);
  return args.ack({ response_action: 'update', view: again.view(balance) });
}

async function reviewOf(
  context: HandlerContext,
  draft: Draft<RenewManyDraft>,
  asked: Pick<LastBatchReview, 'contents' | 'reason'>,
  changed?: Refusal,
): Promise<DrawnReview> {
  const { policy } = context.purchasing;
  const { contents, reason } = asked;
  const { found, freeze } = await context.batches.review(proposalOf(draft, { ...asked, repeated: [] }));
  const repeated = isRefusal(found) ? [] : repeatedOf(contents, found);
  const fileable = !isRefusal(found) && !found.rows.some(isRefusal);
  const id = batchReviewId(contents, reason, found);
  const costs = isRefusal(found) ? [] : found.rows.map((row) => (isRefusal(row) ? null : shownAmount(row.cost)));
  const lastTwins = isRefusal(found) ? [] : found.rows.map((row) => (isRefusal(row) ? null : row.lastTwin));
  const needsApproval = fileable ? found.needsApproval : null;
  const lastReview = { id, contents, reason, repeated, costs, lastTwins, needsApproval };
  await context.drafts.update<RenewManyDraft>(draft.id, draft.user, (old) => ({ ...old, lastReview }));
  return drawnReview(context, policy, { user: draft.user, reason, freeze, changed }, (surroundings) =>
    renewManyReview({ draftId: `${draft.id}${REVIEW_OF}${id}`, review: id }, contents, found, surroundings),
  );
}

function proposalOf(
  draft: Draft<RenewManyDraft>,
  { contents, reason, repeated }: Pick<LastBatchReview, 'contents' | 'reason' | 'repeated'>,
): BatchProposal {
  const separate = draft.content.separate ? repeated : [];
  return { submission: draft.id, requester: draft.user, contents, reason, separate };
}

/** Renewed in the last 24 h. */
function repeatedOf(contents: readonly RenewContent[], { rows }: BatchReview): readonly OrderId[] {
  return contents.flatMap(({ orderId }, index) => {
    const row = rows[index];
    return row && !isRefusal(row) && row.twin !== null ? [orderId] : [];
  });
}
