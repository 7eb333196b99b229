import type { types } from '@slack/bolt';
import { totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { fields } from '../blocks.ts';
import { countryLines, ips, planLines } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import type { BuyContent } from './decode.ts';

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function buyReview(
  draftId: string,
  content: BuyContent,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const what = fields([
    [`Buy ${ips(totalQuantity(content.basket))}`, countryLines(content.basket)],
    ['Plan', planLines(content.plan, 'buy')],
  ]);
  return reviewView({ callback: CALLBACK.buyReview, draftId, now: 'Buy now' }, [what], found, surroundings);
}
