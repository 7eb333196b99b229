import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { HandlerContext } from '../../src/slack/handler-context.ts';
import type { ActionArgs } from '../../src/slack/listeners.ts';
import { openBuy } from './buy.ts';
import { openRenew } from './renew.ts';
import { idCarried, refusalFor, tell, userOf } from './reply.ts';

/** The form with the content of a request that came to nothing; nothing is filed by it. */
export async function askAgain(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const purchase = await context.purchasing.askAgain(idCarried(args), userOf(args));
  if (isRefusal(purchase)) return tell(args, refusalFor(context, args, purchase));
  const { kind, basket, plan, orderId, reason } = purchase;
  const start = { plan: plan.productId, reason };
  if (kind === 'renew' && orderId !== null) return openRenew(context, args, orderId, start);
  return openBuy(context, args, { basket, ...start });
}
