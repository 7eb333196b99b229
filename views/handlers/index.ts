import type { Desk } from '../../src/slack/handler-context.ts';
import type { Listeners } from '../../src/slack/listeners.ts';
import { registerBuy } from './buy.ts';
import { registerDecisions } from './decisions.ts';
import { registerRenew } from './renew.ts';

/** Everything that can be clicked, submitted or typed ahead. */
export function registerViews(on: Listeners, desk: Desk): void {
  registerBuy(on, desk);
  registerRenew(on, desk);
  registerDecisions(on, desk);
}
