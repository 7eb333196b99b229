import type { types } from '@slack/bolt';
import { totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { context, fields } from '../blocks.ts';
import { countriesShort, countryLines, ips, planIds, planName } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import type { BuyContent } from './draft.ts';

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function buyReview(
  draftId: string,
  content: BuyContent,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { basket, plan } = content;
  const what = fields([
    [`Buy ${ips(totalQuantity(basket))}`, countryLines(basket)],
    ['Plan', planName(plan)],
  ]);
  const smallPrint = context(`Sent as ${planIds(plan, 'buy')}, ${countriesShort(basket, basket.length)}`);
  return reviewView(
    { callback: CALLBACK.buyReview, draftId, content, now: 'Buy now', what: [what], smallPrint },
    found,
    surroundings,
  );
}
