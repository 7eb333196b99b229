import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { ACTION, CALLBACK } from '../ids.ts';
import { answerQuestionView, decodeAnswer, decodeQuestion } from '../talk.ts';
import { decide } from './decisions.ts';
import { openWhenReady, type Ready } from './open.ts';
import { clickedMessage, clickOf, idCarried, refusalFor, tell, userOf } from './reply.ts';

/** What a modal that asks is about. */
export interface AskDraft {
  /** The id of a purchase, or of a batch. */
  readonly purchase: string;
}

/** What a modal that answers is about. */
interface AnswerDraft {
  readonly question: string;
}

/** What requester and approvers say to each other; the card's button that asks opens as those that decide do. */
export function registerTalk(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.nudge, (args) => nudge(context, args));
  on.action(ACTION.answer, (args) => openAnswer(context, args));
  on.submit(CALLBACK.ask, (args) => ask(context, args));
  on.submit(CALLBACK.answer, (args) => answer(context, args));
}

async function nudge(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const nudged = await context.talk.nudge(idCarried(args), clickOf(args), clickedMessage(args));
  if (isRefusal(nudged)) await tell(args, refusalFor(context, args, nudged));
}

async function openAnswer(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const question = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const opened = await context.talk.openAnswering(question, clickOf(args), clickedMessage(args));
    if (isRefusal(opened)) return { sentence: refusalFor(context, args, opened) };
    const draft = await context.drafts.create<AnswerDraft>(userOf(args), { question });
    return { view: answerQuestionView(draft.id, opened, question) };
  };
  await openWhenReady(context, args, 'Answer', prepare());
}

async function ask(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const decoded = decodeQuestion(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide<AskDraft>(context, args, ({ purchase }) => context.talk.ask(purchase, clickOf(args), decoded.content));
}

async function answer(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const decoded = decodeAnswer(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide<AnswerDraft>(context, args, ({ question }) =>
    context.talk.answer(question, clickOf(args), decoded.content),
  );
}
