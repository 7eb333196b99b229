import type { LedgerLine } from '../../support/books.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import type { Phase, Plan } from './plan.ts';
import { armStrike, type Struck } from './strikes.ts';
import { addSlackFaults, heal, type SlackRule } from './trouble.ts';

/** Where a round is played, and what has gone wrong in it so far. */
export interface Scene {
  readonly plan: Plan;
  readonly struck: Struck;
  readonly gate: TcpProxy;
  readonly rules: SlackRule[];
}

/** What became of it. */
export interface Acted {
  /** Broken promises, in words. */
  readonly violations: readonly string[];
  readonly lines: readonly LedgerLine[];
  readonly twice: number;
}

/** Does it while what the plan has for this phase strikes, and waits until the trouble is over. What fails is done again later. */
export async function during(scene: Scene, phase: Phase, act: () => Promise<unknown>): Promise<void> {
  const { plan, struck, rules } = scene;
  const over = armStrike(plan, phase, struck);
  rules.push(...addSlackFaults(struck.site, plan, phase));
  await act().catch(() => undefined);
  await over;
  await heal(struck.site, struck.fleet, rules);
}
