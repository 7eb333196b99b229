import type { types } from '@slack/bolt';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import { costsNow, ordersRenewed } from '../../src/purchasing/requests.ts';
import type { BatchDecision } from '../../src/purchasing/rules/batches.ts';
import type { ActionArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { decodeReject } from '../approval.ts';
import { sentenceView } from '../blocks.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import {
  approveBatchView,
  type BatchDecisionSubject,
  decodeApproveBatch,
  rejectBatchView,
} from '../renew-many/decide.ts';
import type { Decoded } from '../state.ts';
import { askView } from '../talk.ts';
import { closeCopy } from './decisions.ts';
import { answerAt, openWhenReady, type Ready } from './open.ts';
import { openRenewSeveral } from './renew-many.ts';
import { clickedMessage, clickOf, idCarried, refusalFor, tell, userOf } from './reply.ts';
import type { AskDraft } from './talk.ts';

/** What a modal that decides on a batch is about: the rows that it shows, and no others. */
interface BatchDecisionDraft {
  readonly batch: string;
  readonly rows: readonly string[];
}

export function registerBatchDecisions(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.approveBatch, (args) => open(context, args, 'approve', approveBatchView));
  on.action(ACTION.rejectBatch, (args) => open(context, args, 'reject', rejectBatchView));
  on.action(ACTION.withdrawBatch, (args) => withdraw(context, args));
  on.action(ACTION.takeBackBatch, (args) => takeBack(context, args));
  on.action(ACTION.askBatch, (args) => openAsking(context, args));
  on.action(ACTION.askAgainBatch, (args) => askAgain(context, args));
  on.submit(CALLBACK.approveBatch, (args) =>
    decide(context, args, ({ rows }) => {
      const decoded = decodeApproveBatch(args.view.state.values, rows);
      if (!decoded.ok) return decoded;
      const { struck, reason } = decoded.content;
      const approve = new Set(rows).difference(new Set(struck));
      return { ok: true, content: { approve, reject: new Set(struck), reason } };
    }),
  );
  on.submit(CALLBACK.rejectBatch, (args) =>
    decide(context, args, ({ rows }) => {
      const decoded = decodeReject(args.view.state.values);
      if (!decoded.ok) return decoded;
      return { ok: true, content: { approve: new Set(), reject: new Set(rows), reason: decoded.content } };
    }),
  );
}

/** A click on the card, or in the private list: the modal with the rows that wait. */
async function open(
  context: HandlerContext,
  args: ActionArgs,
  action: 'approve' | 'reject',
  draw: (draftId: string, subject: BatchDecisionSubject) => types.ModalView,
): Promise<void> {
  await args.ack();
  const id = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const batch = await context.batches.open(id, clickOf(args), clickedMessage(args), action);
    if (isRefusal(batch)) return { sentence: refusalFor(context, args, batch) };
    const waiting = batch.rows.filter(({ state }) => state === 'requested');
    if (action === 'approve' && (await isOwnYes(context, args, waiting)))
      return { sentence: refusalFor(context, args, { refused: 'first_yes_is_yours' }) };
    const [draft, freeze, orders, costs] = await Promise.all([
      context.drafts.create<BatchDecisionDraft>(userOf(args), { batch: id, rows: waiting.map((row) => row.id) }),
      context.ledger.freeze(),
      ordersRenewed(context.ledger, waiting),
      costsNow(context.ledger, waiting),
    ]);
    return { view: draw(draft.id, { batch, waiting, orders, costs, now: context.clock.now(), freeze }) };
  };
  await openWhenReady(context, args, action === 'approve' ? 'Approve' : 'Reject', prepare());
  await closeCopy(context, args, id);
}

/** Two people have to say yes to all that waits, and this one has. */
async function isOwnYes(context: HandlerContext, args: ActionArgs, waiting: readonly Purchase[]): Promise<boolean> {
  const [first] = waiting;
  if (!first || waiting.some(({ firstApprover }) => firstApprover !== userOf(args))) return false;
  return (await context.purchasing.twoPeople(first)) !== null;
}

/** As an approver asks about a single request: the modal is the same, and so is what it submits. */
async function openAsking(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const id = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const batch = await context.batches.open(id, clickOf(args), clickedMessage(args), 'ask');
    if (isRefusal(batch)) return { sentence: refusalFor(context, args, batch) };
    const draft = await context.drafts.create<AskDraft>(userOf(args), { purchase: id });
    return { view: askView(draft.id, batch) };
  };
  await openWhenReady(context, args, 'Ask a question', prepare());
  await closeCopy(context, args, id);
}

/** Decides, then closes; a refusal takes the place of the modal. */
async function decide(
  context: HandlerContext,
  args: SubmitArgs,
  decode: (draft: BatchDecisionDraft) => Decoded<BatchDecision>,
): Promise<void> {
  const draft = await context.drafts.read<BatchDecisionDraft>(args.view.private_metadata, userOf(args));
  const decoded = draft && decode(draft.content);
  if (decoded && !decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  const decided =
    draft && decoded
      ? await context.batches.decide(draft.content.batch, clickOf(args), decoded.content)
      : ({ refused: 'no_such_purchase' } as const);
  if (!isRefusal(decided)) return args.ack();
  const sentence = refusalFor(context, args, decided);
  // What was typed and ticked stays, where it only has to be tried again.
  if (decided.refused === 'rights_unreadable')
    return args.ack({ response_action: 'errors', errors: { [BLOCK.reason]: sentence } });
  const none = 'None of the rows was decided by this: open the card again to see those that still wait.';
  await args.ack({ response_action: 'update', view: sentenceView(args.view.title.text, `${sentence}\n${none}`) });
}

async function withdraw(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const withdrawn = await context.batches.withdraw(idCarried(args), clickOf(args), clickedMessage(args));
  if (isRefusal(withdrawn)) return answerAt(context, args, 'Withdraw', refusalFor(context, args, withdrawn));
  // A private answer is not kept up to date.
  if (args.body.container['is_ephemeral'] === true) await tell(args, 'Withdrawn: what was not sent is not sent.');
}

async function takeBack(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const id = idCarried(args);
  const taken = await context.batches.takeBack(id, clickOf(args), clickedMessage(args));
  if (isRefusal(taken)) await tell(args, refusalFor(context, args, taken));
  await closeCopy(context, args, id);
}

/** The form with the orders of what came to nothing; nothing is filed by it. */
async function askAgain(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const rows = await context.batches.askAgain(idCarried(args), userOf(args));
  if (isRefusal(rows)) return answerAt(context, args, 'Ask again', refusalFor(context, args, rows));
  const orders = rows.flatMap(({ orderId }) => orderId ?? []);
  return openRenewSeveral(context, args, { orders, reason: rows[0]?.reason ?? '' });
}
