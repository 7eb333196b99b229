import type { HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { registerBuy } from './buy.ts';
import { registerDecisions } from './decisions.ts';
import { registerHome } from './home.ts';
import { registerImport } from './import.ts';
import { registerOrders } from './orders.ts';
import { registerRenew } from './renew.ts';
import { registerTalk } from './talk.ts';

/** Everything that can be clicked, submitted or typed ahead. */
export function registerViews(on: Listeners, context: HandlerContext): void {
  registerBuy(on, context);
  registerRenew(on, context);
  registerDecisions(on, context);
  registerHome(on, context);
  registerImport(on, context);
  registerOrders(on, context);
  registerTalk(on, context);
}
