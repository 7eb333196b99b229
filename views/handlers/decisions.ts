import type { types } from '@slack/bolt';
import type { Kind } from '../../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import { costsNow } from '../../src/purchasing/requests.ts';
import type { ActionArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { approveView, type DecisionSubject, decodeReject, rejectView } from '../approval.ts';
import { sentenceView } from '../blocks.ts';
import { settlementLine } from '../history.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { decodeOrderId, orderIdView } from '../order-id.ts';
import { outcomeSentence } from '../sentences.ts';
import { askView } from '../talk.ts';
import { decodeSettle, settleView } from '../unknown.ts';
import { answerView } from '../vendor-answer.ts';
import { openBuy } from './buy.ts';
import { answerAt, openWhenReady, type Ready } from './open.ts';
import { openRenew } from './renew.ts';
import { clickedMessage, clickOf, closeMessage, idCarried, refusalFor, tell, userOf } from './reply.ts';

/** What a modal that decides is about; a button carries the purchase's id, its modal the id of this. */
interface DecisionDraft {
  readonly purchase: string;
  readonly kind: Kind;
  readonly placed: boolean;
}

type Drawing = (draftId: string, subject: DecisionSubject) => types.ModalView;

export function registerDecisions(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.approve, (args) => openDecision(context, args, 'approve', 'Approve', approveView));
  on.action(ACTION.reject, (args) => openDecision(context, args, 'reject', 'Reject', rejectView));
  for (const [action, placed] of [
    [ACTION.placed, true],
    [ACTION.notPlaced, false],
  ] as const)
    on.action(action, (args) =>
      openDecision(context, args, 'settle', 'Settle', (id, { record }) => settleView(id, record, placed), placed),
    );

  on.action(ACTION.ask, (args) =>
    openDecision(context, args, 'ask', 'Ask a question', (id, { record }) => askView(id, record)),
  );

  on.submit(CALLBACK.approve, (args) =>
    decide(context, args, (draft) => context.purchasing.approve(draft.purchase, clickOf(args))),
  );
  on.submit(CALLBACK.reject, (args) => reject(context, args));
  on.submit(CALLBACK.settle, (args) => settle(context, args));
  on.submit(CALLBACK.orderId, (args) => enterOrderId(context, args));

  on.action(ACTION.takeBack, (args) => takeBack(context, args));
  on.action(ACTION.withdraw, (args) => withdraw(context, args));
  on.action(ACTION.askAgain, (args) => askAgain(context, args));
  on.action(ACTION.enterOrderId, (args) => openOrderId(context, args));
  for (const action of [ACTION.showAnswer, ACTION.showAnswerTo]) on.action(action, (args) => openAnswer(context, args));
}

/** A click on a card, or in the private list: its modal, if this person may go on with this request here. */
async function openDecision(
  context: HandlerContext,
  args: ActionArgs,
  action: 'approve' | 'reject' | 'settle' | 'ask',
  title: string,
  draw: Drawing,
  placed = false,
): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const purchase = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const record = await context.purchasing.open(purchase, clickOf(args), clickedMessage(args), action);
    if (isRefusal(record)) return { sentence: await whyNot(context, args, record) };
    const { kind, orderId, firstApprover } = record.purchase;
    const [draft, freeze, order, twoPeople, costs] = await Promise.all([
      context.drafts.create<DecisionDraft>(user, { purchase, kind, placed }),
      context.ledger.freeze(),
      kind === 'renew' && orderId !== null ? context.ledger.order(orderId) : null,
      action === 'settle' ? null : context.purchasing.twoPeople(record.purchase),
      costsNow(context.ledger, [record.purchase]),
    ]);
    if (action === 'approve' && twoPeople && firstApprover === user)
      return { sentence: refusalFor(context, args, { refused: 'first_yes_is_yours' }) };
    return { view: draw(draft.id, { record, now: context.clock.now(), freeze, order, twoPeople, costs }) };
  };
  await openWhenReady(context, args, title, prepare());
  await closeCopy(context, args, purchase);
}

/**
 * Decides, then closes. A refusal that can be mended stands at its field, and what was typed stays; any other takes the place of
 * the modal, with what it means.
 */
export async function decide<D extends object = DecisionDraft>(
  context: HandlerContext,
  args: SubmitArgs,
  act: (draft: D) => Promise<object | Refusal>,
): Promise<void> {
  const draft = await context.drafts.read<D>(args.view.private_metadata, userOf(args));
  const decided = draft ? await act(draft.content) : ({ refused: 'no_such_purchase' } as const);
  if (!isRefusal(decided)) return args.ack();
  const sentence = await whyNot(context, args, decided);
  const field = mendedAt(decided, args.view.blocks);
  if (field !== undefined) return args.ack({ response_action: 'errors', errors: { [field]: sentence } });
  await args.ack({ response_action: 'update', view: sentenceView(args.view.title.text, sentence) });
}

/** The field at which a refusal can be mended, or tried again without typing anything anew. */
function mendedAt({ refused }: Refusal, blocks: SubmitArgs['view']['blocks']): string | undefined {
  const inputs = blocks.flatMap(({ type, block_id }) => (type === 'input' && block_id !== undefined ? [block_id] : []));
  if (refused === 'order_id_taken' || refused === 'order_id_known') return inputs.find((id) => id === BLOCK.orderId);
  return refused === 'rights_unreadable' ? inputs[0] : undefined;
}

/** With who settled it, where somebody else was quicker. */
async function whyNot(context: HandlerContext, args: ActionArgs | SubmitArgs, refusal: Refusal): Promise<string> {
  const sentence = refusalFor(context, args, refusal);
  const record = refusal.refused === 'wrong_state' ? await context.ledger.record(refusal.purchase.id) : undefined;
  const settled = record && settlementLine(record);
  return settled ? `${sentence}\n${settled}` : sentence;
}

async function reject(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const decoded = decodeReject(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(context, args, ({ purchase }) => context.purchasing.reject(purchase, clickOf(args), decoded.content));
}

async function settle(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const draft = await context.drafts.read<DecisionDraft>(args.view.private_metadata, userOf(args));
  const decoded = decodeSettle(args.view.state.values, draft?.content ?? { placed: false, kind: 'buy' });
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(context, args, ({ purchase }) => context.purchasing.settle(purchase, clickOf(args), decoded.content));
}

async function enterOrderId(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const decoded = decodeOrderId(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(context, args, ({ purchase }) =>
    context.purchasing.enterOrderId(purchase, clickOf(args), decoded.content),
  );
}

async function withdraw(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const withdrawn = await context.purchasing.withdraw(idCarried(args), clickOf(args), clickedMessage(args));
  if (isRefusal(withdrawn)) return answerAt(context, args, 'Withdraw', refusalFor(context, args, withdrawn));
  // A private answer is not kept up to date.
  if (args.body.container['is_ephemeral'] === true) await tell(args, outcomeSentence(withdrawn));
}

async function takeBack(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const purchase = idCarried(args);
  const taken = await context.purchasing.takeBack(purchase, clickOf(args), clickedMessage(args));
  if (isRefusal(taken)) await tell(args, refusalFor(context, args, taken));
  await closeCopy(context, args, purchase);
}

async function openOrderId(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const purchase = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const record = await context.purchasing.open(purchase, clickOf(args), clickedMessage(args), 'enter order id');
    if (isRefusal(record)) return { sentence: refusalFor(context, args, record) };
    const draft = await context.drafts.create<DecisionDraft>(user, {
      purchase,
      kind: record.purchase.kind,
      placed: true,
    });
    return { view: orderIdView(draft.id, record) };
  };
  await openWhenReady(context, args, 'Enter order id', prepare());
}

async function openAnswer(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const prepare = async (): Promise<Ready> => {
    const opened = await context.purchasing.openAnswer(idCarried(args), clickOf(args), clickedMessage(args));
    return isRefusal(opened)
      ? { sentence: refusalFor(context, args, opened) }
      : { view: answerView(opened, opened.answer) };
  };
  await openWhenReady(context, args, 'Show the answer', prepare());
}

/** The form with the content of a request that came to nothing; nothing is filed by it. */
async function askAgain(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const purchase = await context.purchasing.askAgain(idCarried(args), userOf(args));
  if (isRefusal(purchase)) return answerAt(context, args, 'Ask again', refusalFor(context, args, purchase));
  const { kind, basket, plan, orderId, reason } = purchase;
  const start = { plan: plan.productId, reason };
  if (kind === 'renew' && orderId !== null) return openRenew(context, args, orderId, start);
  return openBuy(context, args, { basket, ...start });
}

/**
 * A card that Slack took although its answer was lost is posted again, and then stands twice. Both lead to the one purchase; the
 * copy that the ledger does not know loses its buttons when it is clicked, since nothing keeps it up to date.
 */
export async function closeCopy(context: HandlerContext, args: ActionArgs, purchase: string): Promise<void> {
  if (!(await context.purchasing.isCopy(purchase, clickedMessage(args)))) return;
  await closeMessage(
    context,
    args,
    `This is a second copy of the card for ${purchase}. The other one is kept up to date.`,
  );
}
