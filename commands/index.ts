import { RIGHTS, type Right } from '../src/purchasing/model/policy.ts';
import { isRefusal } from '../src/purchasing/model/refusals.ts';
import type { CommandArgs, HandlerContext, Listeners } from '../src/slack/listeners.ts';
import { deskStatusMessage } from '../views/desk-status.ts';
import { showBalance } from '../views/handlers/balance.ts';
import { openBuy } from '../views/handlers/buy.ts';
import { listOrders, openOrder } from '../views/handlers/orders.ts';
import { openRenew } from '../views/handlers/renew.ts';
import { openRenewSeveral } from '../views/handlers/renew-many.ts';
import { clickOf, refusalFor, tell, userOf } from '../views/handlers/reply.ts';
import { openBaskets } from '../views/handlers/saved-baskets.ts';
import { showSpend } from '../views/handlers/spend.ts';
import { mineMessage } from '../views/home.ts';
import { freezeText, helpText, requestsMessage, unfreezeText } from '../views/reports.ts';
import { parseRefusalText } from '../views/typed-problems.ts';
import { parseCommand } from './parse.ts';

export const COMMAND = '/proxy';

export function registerCommands(on: Listeners, context: HandlerContext): void {
  on.command(COMMAND, (args) => dispatch(context, args));
}

/** Help and a refusal are the ack itself; every other command is acked first, within Slack's 3 s. */
async function dispatch(context: HandlerContext, args: CommandArgs): Promise<void> {
  const command = parseCommand(args.command.text);
  if (command.verb === 'help') return args.ack({ response_type: 'ephemeral', ...helpText(command.unknownWord) });
  if (command.verb === 'refused') return args.ack({ response_type: 'ephemeral', ...parseRefusalText(command.refusal) });
  await args.ack();
  switch (command.verb) {
    case 'balance':
      return balance(context, args);
    case 'spend':
      return showSpend(context, args, command.query);
    case 'buy':
      return openBuy(context, args, command);
    case 'baskets':
      return openBaskets(context, args);
    case 'renew':
      return command.orderId === null ? openRenewSeveral(context, args) : openRenew(context, args, command.orderId);
    case 'requests':
      return command.mine ? myRequests(context, args) : requests(context, args);
    case 'orders':
      return listOrders(context, args, command.query);
    case 'order':
      return openOrder(context, args, command.orderId);
    case 'freeze':
      return freeze(context, args, command.reason);
    case 'unfreeze':
      return unfreeze(context, args);
    case 'status':
      return status(context, args);
    default:
      return command satisfies never;
  }
}

async function freeze(context: HandlerContext, args: CommandArgs, reason: string): Promise<void> {
  const frozen = await context.purchasing.freeze(clickOf(args), reason);
  await tell(args, isRefusal(frozen) ? refusalFor(context, args, frozen) : freezeText(frozen));
}

async function unfreeze(context: HandlerContext, args: CommandArgs): Promise<void> {
  const due = await context.orderBook.keptDue();
  const was = await context.purchasing.unfreeze(clickOf(args));
  await tell(args, isRefusal(was) ? refusalFor(context, args, was) : unfreezeText(was, due));
}

async function status(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, ['approve'], 'see how the bot stands')) return;
  await tell(args, deskStatusMessage(await context.deskStatus()));
}

async function balance(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, ['balance'], 'see the balance')) return;
  await showBalance(context, args);
}

async function requests(context: HandlerContext, args: CommandArgs): Promise<void> {
  if (await refused(context, args, RIGHTS, 'see requests')) return;
  const [{ open, theirs }, freeze] = await Promise.all([
    context.purchasing.openTo(userOf(args)),
    context.ledger.freeze(),
  ]);
  await tell(args, requestsMessage(open, context.clock.now(), freeze, theirs));
}

async function myRequests(context: HandlerContext, args: CommandArgs): Promise<void> {
  const found = await context.homePages.page(userOf(args));
  await tell(args, isRefusal(found) ? refusalFor(context, args, found, 'see requests') : mineMessage(found));
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
