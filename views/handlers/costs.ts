import type { Priced } from '../../src/purchasing/model/account.ts';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import type { HandlerContext } from '../../src/slack/listeners.ts';

/**
 * What a form says of its cost, read once for the same content: nobody waits for it longer than for the draft beside which it is read.
 * Null where there is nothing to look up, and where it cannot be read: a form that says less is better than none.
 */
export function costReader(context: HandlerContext): (of: Priced | null) => Promise<ExpectedCost | null> {
  let last: { readonly of: string; readonly cost: Promise<ExpectedCost | null> } | undefined;
  return (of) => {
    if (of === null) return Promise.resolve(null);
    const key = JSON.stringify(of);
    if (last?.of !== key) {
      const cost = context.ledger.expectedCost(of).catch((err: unknown) => {
        context.log.warn({ err }, 'what it would cost could not be read');
        return null;
      });
      last = { of: key, cost };
    }
    return last.cost;
  };
}
