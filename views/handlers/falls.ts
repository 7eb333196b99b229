import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { decodeKnowFall, knowFallView } from '../fall.ts';
import { ACTION, CALLBACK } from '../ids.ts';
import { decide } from './decisions.ts';
import { openWhenReady, type Ready } from './open.ts';
import { clickedMessage, clickOf, closeMessage, idCarried, refusalFor, tell, userOf } from './reply.ts';

/** What a modal about money that left the account is about. */
interface FallDraft {
  readonly fall: string;
}

/** What approvers say of money that left the account and that nothing explains. */
export function registerFalls(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.knowFall, (args) => openKnowing(context, args));
  on.action(ACTION.freezeForFall, (args) => freeze(context, args));
  on.submit(CALLBACK.knowFall, (args) => know(context, args));
}

async function openKnowing(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const fall = idCarried(args);
  const prepare = async (): Promise<Ready> => {
    const opened = await context.balanceAlerts.openKnowing(fall, clickOf(args), clickedMessage(args));
    if (isRefusal(opened)) return { sentence: refusalFor(context, args, opened) };
    const draft = await context.drafts.create<FallDraft>(userOf(args), { fall });
    return { view: knowFallView(draft.id, opened) };
  };
  await openWhenReady(context, args, 'I know about it', prepare());
  await closeCopy(context, args, fall);
}

async function know(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const decoded = decodeKnowFall(args.view.state.values);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await decide<FallDraft>(context, args, ({ fall }) =>
    context.balanceAlerts.know(fall, clickOf(args), decoded.content),
  );
}

async function freeze(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const fall = idCarried(args);
  const frozen = await context.balanceAlerts.freeze(fall, clickOf(args), clickedMessage(args));
  if (isRefusal(frozen)) await tell(args, refusalFor(context, args, frozen));
  await closeCopy(context, args, fall);
}

/** A message that Slack took although its answer was lost stands twice: nothing keeps the copy up to date. */
async function closeCopy(context: HandlerContext, args: ActionArgs, fall: string): Promise<void> {
  if (!(await context.balanceAlerts.isCopy(fall, clickedMessage(args)))) return;
  await closeMessage(context, args, 'This is a second copy of this message. The other one is kept up to date.');
}
