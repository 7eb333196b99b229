import { orderIdOf } from '../../src/purchasing/model/order-id.ts';
import type { ActionArgs, HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { ACTION } from '../ids.ts';
import { openBuy } from './buy.ts';
import { openRenew } from './renew.ts';
import { idCarried } from './reply.ts';

export function registerHome(on: Listeners, context: HandlerContext): void {
  on.homeOpened((user) => context.homePages.opened(user));
  on.action(ACTION.buy, async (args) => {
    await args.ack();
    await openBuy(context, args, { basket: [] });
  });
  on.action(ACTION.renewOrder, (args) => renew(context, args));
}

async function renew(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const orderId = orderIdOf(idCarried(args));
  if (orderId === undefined) throw new Error('a button that carries no order id');
  await openRenew(context, args, orderId);
}
