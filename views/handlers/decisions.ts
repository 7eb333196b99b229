import type { types } from '@slack/bolt';
import type { Kind } from '../../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import type { Decided } from '../../src/purchasing/rules/decisions.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { ActionArgs, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { answerView } from '../answer.ts';
import { approveView, decodeReject, rejectView } from '../approval/decide.ts';
import { settlementLine } from '../history.ts';
import { ACTION, CALLBACK } from '../ids.ts';
import { decodeOrderId, orderIdView } from '../order-id.ts';
import { sentenceView } from '../plain.ts';
import { refusalSentence } from '../sentences.ts';
import { decodeSettle, settleView } from '../unknown/settle.ts';
import { closeCopy } from './copies.ts';
import { openWhenReady, type Ready } from './open.ts';
import { clickOf, idCarried, placeOf, tell, userOf } from './reply.ts';

/** What a modal that decides is about; a button carries the purchase's id, its modal the id of this. */
interface DecisionDraft {
  readonly purchase: string;
  readonly kind: Kind;
  readonly placed: boolean;
}

type Drawing = (draftId: string, record: PurchaseRecord) => types.ModalView;

export function registerDecisions(on: Listeners, desk: Desk): void {
  on.action(ACTION.approve, (args) => openDecision(desk, args, 'approve', 'Approve', approveView));
  on.action(ACTION.reject, (args) => openDecision(desk, args, 'reject', 'Reject', rejectView));
  for (const [action, placed] of [
    [ACTION.placed, true],
    [ACTION.notPlaced, false],
  ] as const)
    on.action(action, (args) =>
      openDecision(desk, args, 'settle', 'Settle', (id, record) => settleView(id, record, placed), placed),
    );

  on.submit(CALLBACK.approve, (args) =>
    decide(desk, args, (draft) => desk.purchasing.approve(draft.purchase, clickOf(args))),
  );
  on.submit(CALLBACK.reject, (args) => reject(desk, args));
  on.submit(CALLBACK.settle, (args) => settle(desk, args));
  on.submit(CALLBACK.orderId, (args) => enterOrderId(desk, args));

  on.action(ACTION.withdraw, (args) => withdraw(desk, args));
  on.action(ACTION.enterOrderId, (args) => openOrderId(desk, args));
  on.action(ACTION.showAnswer, (args) => openAnswer(desk, args));
}

/** A click on a card: its modal, if this person may go on with this request here. */
async function openDecision(
  desk: Desk,
  args: ActionArgs,
  action: 'approve' | 'reject' | 'settle',
  title: string,
  draw: Drawing,
  placed = false,
): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const purchase = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const record = await desk.purchasing.open(purchase, clickOf(args), placeOf(args).channel, action);
    if (isRefusal(record)) return { sentence: await whyNot(desk, record) };
    const draft = await desk.drafts.create<DecisionDraft>(user, { purchase, kind: record.purchase.kind, placed });
    return { view: draw(draft.id, record) };
  };
  await openWhenReady(desk, args, title, prepare());
  await closeCopy(desk, args, purchase);
}

/** Decides, then closes; a refusal stays on the screen, with what it means. */
async function decide(desk: Desk, args: SubmitArgs, act: (draft: DecisionDraft) => Promise<Decided>): Promise<void> {
  const draft = await desk.drafts.read<DecisionDraft>(args.view.private_metadata, userOf(args));
  const decided = draft ? await act(draft.content) : ({ refused: 'no_such_purchase' } as const);
  if (!isRefusal(decided)) return args.ack();
  await args.ack({ response_action: 'update', view: sentenceView(args.view.title.text, await whyNot(desk, decided)) });
}

/** With who settled it, where somebody else was quicker. */
async function whyNot(desk: Desk, refusal: Refusal): Promise<string> {
  const sentence = refusalSentence(refusal, desk.clock.now());
  const record = refusal.refused === 'wrong_state' ? await desk.ledger.record(refusal.purchase.id) : undefined;
  const settled = record && settlementLine(record);
  return settled ? `${sentence}\n${settled}` : sentence;
}

async function reject(desk: Desk, args: SubmitArgs): Promise<void> {
  const decoded = decodeReject(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(desk, args, ({ purchase }) => desk.purchasing.reject(purchase, clickOf(args), decoded.reason));
}

async function settle(desk: Desk, args: SubmitArgs): Promise<void> {
  const draft = await desk.drafts.read<DecisionDraft>(args.view.private_metadata, userOf(args));
  const decoded = decodeSettle(args.view.state.values, draft?.content ?? { placed: false, kind: 'buy' });
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(desk, args, ({ purchase }) => desk.purchasing.settle(purchase, clickOf(args), decoded.settlement));
}

async function enterOrderId(desk: Desk, args: SubmitArgs): Promise<void> {
  const decoded = decodeOrderId(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide(desk, args, ({ purchase }) => desk.purchasing.enterOrderId(purchase, clickOf(args), decoded.orderId));
}

async function withdraw(desk: Desk, args: ActionArgs): Promise<void> {
  await args.ack();
  const withdrawn = await desk.purchasing.withdraw(idCarried(args), clickOf(args), placeOf(args).channel);
  if (isRefusal(withdrawn)) await tell(args, refusalSentence(withdrawn, desk.clock.now()));
}

async function openOrderId(desk: Desk, args: ActionArgs): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const purchase = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const record = await desk.purchasing.open(purchase, clickOf(args), placeOf(args).channel, 'enter order id');
    if (isRefusal(record)) return { sentence: refusalSentence(record, desk.clock.now()) };
    const draft = await desk.drafts.create<DecisionDraft>(user, { purchase, kind: record.purchase.kind, placed: true });
    return { view: orderIdView(draft.id, record) };
  };
  await openWhenReady(desk, args, 'Enter order id', prepare());
}

async function openAnswer(desk: Desk, args: ActionArgs): Promise<void> {
  await args.ack();
  const prepare = async (): Promise<Ready> => {
    const opened = await desk.purchasing.openAnswer(idCarried(args), clickOf(args), placeOf(args).channel);
    return isRefusal(opened)
      ? { sentence: refusalSentence(opened, desk.clock.now()) }
      : { view: answerView(opened, opened.answer) };
  };
  await openWhenReady(desk, args, 'Show the answer', prepare());
}
