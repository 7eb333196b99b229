import { RIGHTS, type Right } from '../src/purchasing/model/right.ts';
import type { HandlerContext } from '../src/slack/handler-context.ts';
import type { CommandArgs } from '../src/slack/listeners.ts';
import { refusalFor, tell, userOf } from '../views/handlers/reply.ts';
import { balanceText } from '../views/reports/balance.ts';
import { ordersMessage, requestsMessage } from '../views/reports/lists.ts';

/** More than a message shows, so that it can say that there are more. */
const ORDERS_READ = 200;

export async function balance(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, ['balance'], 'see the balance')) return;
  const { purchasing, ledger } = context;
  const [reading, open, freeze] = await Promise.all([purchasing.balance(), ledger.open(), ledger.freeze()]);
  await tell(args, balanceText(reading, open, freeze));
}

export async function requests(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, RIGHTS, 'see requests')) return;
  const [{ open, theirs }, freeze] = await Promise.all([
    context.purchasing.openTo(userOf(args)),
    context.ledger.freeze(),
  ]);
  await tell(args, requestsMessage(open, context.clock.now(), freeze, theirs));
}

export async function orders(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, RIGHTS, 'see orders')) return;
  const { completed, theirs } = await context.purchasing.completedTo(userOf(args), ORDERS_READ);
  await tell(args, ordersMessage(completed, context.clock.now(), theirs));
}

/** @param asked how a refusal names what was asked for: "see orders" */
async function refused(
  context: HandlerContext,
  args: CommandArgs,
  rights: readonly [Right, ...Right[]],
  asked: string,
): Promise<boolean> {
  const no = await context.purchasing.mayOpen(userOf(args), ...rights);
  if (no) await tell(args, refusalFor(context, args, no, asked));
  return no !== undefined;
}
