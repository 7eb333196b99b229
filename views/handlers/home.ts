import type { HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { ACTION } from '../ids.ts';
import { openBuy } from './buy.ts';

export function registerHome(on: Listeners, context: HandlerContext): void {
  on.homeOpened((user) => context.homePages.opened(user));
  on.action(ACTION.buy, async (args) => {
    await args.ack();
    await openBuy(context, args, { basket: [] });
  });
}
