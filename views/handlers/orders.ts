import type { types } from '@slack/bolt';
import type { Intent } from '../../src/purchasing/model/order.ts';
import { orderIdOf } from '../../src/purchasing/model/order-id.ts';
import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { BookQuery, OpenedOrder, Said } from '../../src/purchasing/order-book.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { LONGEST_REASON } from '../inputs.ts';
import { bookMessage, ORDERS_A_PAGE, readPageValue } from '../orders/list.ts';
import { handOverView, noteView, ORDER_TITLE, orderView } from '../orders/order.ts';
import { chosenUser, fieldsOf, tooLong } from '../state.ts';
import { openBuy } from './buy.ts';
import { answerAt, openWhenReady, type Ready, updateView } from './open.ts';
import { openRenew } from './renew.ts';
import { clickOf, idCarried, refusalFor, tell, tellInPlace, userOf } from './reply.ts';
import { GONE } from './review.ts';

/** What a view that says something of an order is about. */
interface SayingDraft {
  readonly orderId: string;
  /** As it was when the view was opened. */
  readonly note: string;
  /** As {@link FormDraft.unreported}. */
  readonly unreported: readonly string[];
}

export function registerOrders(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.previousPage, (args) => turnPage(context, args));
  on.action(ACTION.nextPage, (args) => turnPage(context, args));
  on.action(ACTION.openOrder, async (args) => {
    await args.ack();
    await openOrder(context, args, idCarried(args));
  });
  on.action(ACTION.renewOrder, (args) => renew(context, args));
  on.action(ACTION.buyAgain, (args) => buyAgain(context, args));
  for (const [action, intent] of [
    [ACTION.keep, 'keep'],
    [ACTION.letEnd, 'let_end'],
    [ACTION.neither, null],
  ] as const)
    on.action(action, (args) => sayIntent(context, args, intent));
  on.action(ACTION.handOver, (args) => openSaying(context, args, 'Hand over', handOverView));
  on.action(ACTION.editNote, (args) => openSaying(context, args, 'Note', noteView));
  on.submit(CALLBACK.handOver, (args) => handOver(context, args));
  on.submit(CALLBACK.orderNote, (args) => saveNote(context, args));
}

/** `/proxy orders …`: the first page. */
export async function listOrders(context: HandlerContext, args: CommandArgs, query: BookQuery): Promise<void> {
  await tell(args, await pageOf(context, args, query, 0));
}

async function turnPage(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const asked = readPageValue(idCarried(args));
  // Of a button that another version has drawn, too.
  if (!asked) return tell(args, 'This list is out of date: type `/proxy orders` for a new one. Nothing has changed.');
  const shown = await pageOf(context, args, asked.query, asked.page);
  await (typeof shown === 'string' ? tell(args, shown) : tellInPlace(args, shown));
}

/** A sentence where this person may not see it. */
async function pageOf(context: HandlerContext, args: CommandArgs | ActionArgs, query: BookQuery, page: number) {
  const found = await context.orderBook.page(userOf(args), query, page, ORDERS_A_PAGE);
  return isRefusal(found) ? refusalFor(context, args, found, 'see orders') : bookMessage(found, query);
}

/** The order's modal: from the list, and by `/proxy orders <order_id>`. @param id as it was carried */
export async function openOrder(context: HandlerContext, args: CommandArgs | ActionArgs, id: string): Promise<void> {
  const prepare = async (): Promise<Ready> => {
    const opened = await context.orderBook.open(userOf(args), id);
    return isRefusal(opened)
      ? { sentence: refusalFor(context, args, opened, 'see orders') }
      : { view: orderView(opened) };
  };
  await openWhenReady(context, args, ORDER_TITLE, prepare());
}

async function renew(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const orderId = orderIdOf(idCarried(args));
  if (orderId) return openRenew(context, args, orderId);
  await tell(args, refusalFor(context, args, { refused: 'order_not_in_book', orderId: idCarried(args) }));
}

/** The form with what is in the order, whoever bought it; nothing is filed by it. */
async function buyAgain(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const opened = await context.orderBook.open(userOf(args), idCarried(args));
  if (isRefusal(opened)) return answerAt(context, args, ORDER_TITLE, refusalFor(context, args, opened, 'see orders'));
  const { basket, plan } = opened.order;
  await openBuy(context, args, { basket, plan: plan.productId });
}

async function sayIntent(context: HandlerContext, args: ActionArgs, intent: Intent | null): Promise<void> {
  await args.ack();
  const said = await context.orderBook.say(idCarried(args), clickOf(args), { say: 'intent', intent });
  const no = isRefusal(said) ? refusalFor(context, args, said) : undefined;
  const { view } = args.body;
  if (view) await redrawOrder(context, args, view.id, idCarried(args), no);
  else if (no !== undefined) await tell(args, no);
}

/** Pushed on the order's modal, for whoever may change it. */
async function openSaying(
  context: HandlerContext,
  args: ActionArgs,
  title: string,
  draw: (draftId: string, opened: OpenedOrder) => types.ModalView,
): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const prepare = async (): Promise<Ready> => {
    const opened = await context.orderBook.open(user, idCarried(args));
    if (isRefusal(opened)) return { sentence: refusalFor(context, args, opened, 'see orders') };
    const { order, mayChange } = opened;
    if (!mayChange) return { sentence: refusalFor(context, args, { refused: 'not_owner', owner: order.owner }) };
    const { orderId } = order;
    const note = order.note ?? '';
    const unreported = [BLOCK.note];
    // Slack's state knows the preset of a view that is opened with it; one that does not fit into its field is not shown.
    const content = { orderId, note, unreported: note.length > LONGEST_REASON ? unreported : [] };
    const { id } = await context.drafts.create<SayingDraft>(user, content);
    return {
      view: draw(id, opened),
      beforeUpdate: () => context.drafts.update<SayingDraft>(id, user, (draft) => ({ ...draft, unreported })),
    };
  };
  await openWhenReady(context, args, title, prepare());
}

async function handOver(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const draft = await context.drafts.read<SayingDraft>(args.view.private_metadata, userOf(args));
  if (!draft) return gone(args);
  const owner = chosenUser(args.view.state.values, BLOCK.heir, ACTION.heir);
  if (owner === '') return args.ack({ response_action: 'errors', errors: { [BLOCK.heir]: 'Choose a person.' } });
  await say(context, args, draft.content.orderId, { say: 'owner', owner }, BLOCK.heir);
}

async function saveNote(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const draft = await context.drafts.read<SayingDraft>(args.view.private_metadata, userOf(args));
  if (!draft) return gone(args);
  const { orderId, note: before, unreported } = draft.content;
  const note = fieldsOf(args.view.state.values, unreported).typed(BLOCK.note, ACTION.note, before);
  const wrong = tooLong(note);
  if (wrong !== undefined) return args.ack({ response_action: 'errors', errors: { [BLOCK.note]: wrong } });
  await say(context, args, orderId, { say: 'note', note }, BLOCK.note);
}

function gone(args: SubmitArgs): Promise<void> {
  return args.ack({ response_action: 'update', view: sentenceView(args.view.title.text, GONE, 'Back') });
}

/** Says it, closes the view, and shows it in the order's modal beneath. What can be mended stands at the field. */
async function say(
  context: HandlerContext,
  args: SubmitArgs,
  orderId: string,
  said: Said,
  field: string,
): Promise<void> {
  const result = await context.orderBook.say(orderId, clickOf(args), said);
  if (isRefusal(result)) {
    const sentence = refusalFor(context, args, result);
    if (['heir_may_not_renew', 'rights_unreadable'].includes(result.refused))
      return args.ack({ response_action: 'errors', errors: { [field]: sentence } });
    await args.ack({ response_action: 'update', view: sentenceView(args.view.title.text, sentence, 'Back') });
  } else await args.ack();
  const beneath = args.view.previous_view_id;
  if (beneath) await redrawOrder(context, args, beneath, orderId);
}

/**
 * Shows an order as it is now, until what is shown is the latest of it: whatever order two updates reach Slack in, the one who
 * said something last also draws last.
 */
async function redrawOrder(
  context: HandlerContext,
  args: ActionArgs | SubmitArgs,
  viewId: string,
  id: string,
  problem?: string,
): Promise<void> {
  for (let shown: number | undefined; ; ) {
    const opened = await context.orderBook.open(userOf(args), id);
    if (isRefusal(opened)) {
      const sentence = refusalFor(context, args, opened, 'see orders');
      return updateView(context, args, viewId, sentenceView(ORDER_TITLE, sentence));
    }
    const latest = opened.facts.entries.at(-1)?.seq ?? 0;
    if (latest === shown) return;
    await updateView(context, args, viewId, orderView(opened, problem));
    shown = latest;
  }
}
