import type { HandlerContext } from '../src/slack/handler-context.ts';
import type { CommandArgs, Listeners } from '../src/slack/listeners.ts';
import { openBuy } from '../views/handlers/buy.ts';
import { openRenew } from '../views/handlers/renew.ts';
import { helpText } from '../views/reports/help.ts';
import { parseRefusalText } from '../views/typed-problems.ts';
import { freeze, unfreeze } from './freeze.ts';
import { parseCommand } from './parse.ts';
import { balance, orders, requests } from './queries.ts';

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
    case 'buy':
      return openBuy(context, args, command);
    case 'renew':
      return openRenew(context, args, command.orderId);
    case 'requests':
      return requests(context, args);
    case 'orders':
      return orders(context, args);
    case 'freeze':
      return freeze(context, args, command.reason);
    case 'unfreeze':
      return unfreeze(context, args);
    default:
      return command satisfies never;
  }
}
