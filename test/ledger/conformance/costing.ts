import { atFiling, type CostAtFiling } from '../../../src/purchasing/model/cost.ts';
import type { NewPurchase } from '../../../src/purchasing/model/filing.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import { START } from '../fixture.ts';

export const dollars = (amount: string): CostAtFiling =>
  atFiling({
    known: true,
    amount: { amount: amount as Money, divisor: 1n },
    oldest: START,
    since: START,
    latest: START,
    observations: 1,
  });

/** Filed, and expected to cost so much then. */
export const costing = (amount: string, of: Partial<NewPurchase> = {}): Partial<NewPurchase> => ({
  evidence: { cost: dollars(amount) },
  ...of,
});
