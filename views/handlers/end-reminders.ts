import type { Click, ClickedMessage } from '../../src/purchasing/model/click.ts';
import { isOrderId, type OrderId } from '../../src/purchasing/model/order-id.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { ACTION } from '../ids.ts';
import { openRenew } from './renew.ts';
import { openRenewSeveral } from './renew-many.ts';
import { clickedMessage, clickOf, closeMessage, idCarried, refusalFor, tell } from './reply.ts';

/** What can be done with an order on a reminder; the message itself then shows what was done. */
export function registerReminders(on: Listeners, context: HandlerContext): void {
  const { reminding, orderBook } = context;
  on.action(ACTION.reminderRenew, (args) => renew(context, args));
  on.action(ACTION.reminderRenewSeveral, (args) => renewSeveral(context, args));
  on.action(ACTION.reminderLetEnd, (args) =>
    say(context, args, async (orderId, click, message) => {
      const outside = await reminding.refuseOutside(orderId, message);
      return outside ?? orderBook.say(orderId, click, { say: 'intent', intent: 'let_end' });
    }),
  );
  on.action(ACTION.remindTomorrow, (args) =>
    say(context, args, (orderId, click, message) => reminding.remindAgain(orderId, click, message)),
  );
}

async function renew(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const orderId = orderCarried(args);
  const outside = orderId
    ? await context.reminding.refuseOutside(orderId, clickedMessage(args))
    : ({ refused: 'wrong_reminder' } as const);
  if (!orderId || outside) return tell(args, refusalFor(context, args, outside ?? { refused: 'wrong_reminder' }));
  await openRenew(context, args, orderId);
  await closeCopy(context, args, orderId);
}

/** The choice, with what this reminder tells of and nobody has renewed since. */
async function renewSeveral(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const orders = await context.reminding.toRenew(clickedMessage(args));
  if (isRefusal(orders)) return tell(args, refusalFor(context, args, orders));
  const problems =
    orders.length === 0 ? ['All that this reminder tells of is renewed, let end or handed over since.'] : [];
  await openRenewSeveral(context, args, { orders, problems });
}

async function say(
  context: HandlerContext,
  args: ActionArgs,
  act: (orderId: OrderId, click: Click, message: ClickedMessage) => Promise<object | Refusal>,
): Promise<void> {
  await args.ack();
  const orderId = orderCarried(args);
  const said = orderId
    ? await act(orderId, clickOf(args), clickedMessage(args))
    : ({ refused: 'wrong_reminder' } as const);
  if (isRefusal(said)) await tell(args, refusalFor(context, args, said));
  if (orderId) await closeCopy(context, args, orderId);
}

/** A reminder that Slack took although its answer was lost stands twice; what is pressed on the copy counts, and closes it. */
async function closeCopy(context: HandlerContext, args: ActionArgs, orderId: OrderId): Promise<void> {
  if (!(await context.reminding.isCopy(orderId, clickedMessage(args)))) return;
  await closeMessage(context, args, 'This is a second copy of a reminder. The other one is kept up to date.');
}

function orderCarried(args: ActionArgs): OrderId | undefined {
  const id = idCarried(args);
  return isOrderId(id) ? id : undefined;
}
