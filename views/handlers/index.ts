import type { HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { registerBatchDecisions } from './batch-decisions.ts';
import { registerBuy } from './buy.ts';
import { registerDecisions } from './decisions.ts';
import { registerReminders } from './end-reminders.ts';
import { registerFalls } from './falls.ts';
import { registerHome } from './home.ts';
import { registerImport } from './import.ts';
import { registerOrders } from './orders.ts';
import { registerRenew } from './renew.ts';
import { registerRenewMany } from './renew-many.ts';
import { registerSavedBaskets } from './saved-baskets.ts';
import { registerSpend } from './spend.ts';
import { registerTalk } from './talk.ts';

/** Everything that can be clicked, submitted or typed ahead. */
export function registerViews(on: Listeners, context: HandlerContext): void {
  registerBuy(on, context);
  registerSavedBaskets(on, context);
  registerRenew(on, context);
  registerRenewMany(on, context);
  registerDecisions(on, context);
  registerBatchDecisions(on, context);
  registerHome(on, context);
  registerImport(on, context);
  registerOrders(on, context);
  registerSpend(on, context);
  registerTalk(on, context);
  registerReminders(on, context);
  registerFalls(on, context);
}
