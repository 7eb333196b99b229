import type { ChangeRule } from '../model/change.ts';
import type { ClickResult } from '../model/click.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';

/**
 * Lets a click count once, however often Slack delivers it. A later delivery changes nothing: where the first was done it is answered
 * by `again`; where it was refused, with why it is refused now, or that it is not done any more.
 * @param again given what the decision would say now.
 */
export function countOnce<R extends object>(
  decide: ChangeRule<R | Refusal>,
  again: (purchase: Purchase, now: R | Refusal) => R | Refusal,
): ChangeRule<R | Refusal> {
  return (purchase, facts) => {
    const change = decide(purchase, facts);
    if (facts.deliveredBefore === null) return { ...change, click: clickResult(change.result) };
    const { result, by } = change;
    if (facts.deliveredBefore === 'done') return { result: again(purchase, result), by };
    return { result: isRefusal(result) ? result : { refused: 'delivered_again' }, by };
  };
}

export function clickResult(result: object): ClickResult {
  return isRefusal(result) ? 'refused' : 'done';
}
