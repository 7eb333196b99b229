import type { Desk } from '../src/desk.ts';
import type { Listeners } from '../src/listeners.ts';
import { registerBuy } from './buy/handlers.ts';
import { registerDecisions } from './decision-handlers.ts';
import { registerRenew } from './renew/handlers.ts';

/** Everything that can be clicked, submitted or typed ahead. */
export function registerViews(on: Listeners, desk: Desk): void {
  registerBuy(on, desk);
  registerRenew(on, desk);
  registerDecisions(on, desk);
}
