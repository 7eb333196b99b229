import type { types } from '@slack/bolt';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { fields, paragraph } from '../blocks.ts';
import { orderNumber, planLines } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import type { RenewContent } from './draft.ts';
import { orderLines } from './order-lines.ts';

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function renewReview(
  draftId: string,
  content: RenewContent,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const what = fields([
    ['Renew order', orderNumber(content.orderId)],
    ['Plan', planLines(content.plan, 'renew')],
  ]);
  const known = isRefusal(found) ? [] : paragraph([...orderLines(found.order, surroundings.now)]);
  return reviewView(
    { callback: CALLBACK.renewReview, draftId, now: 'Renew now' },
    [what, ...known],
    found,
    surroundings,
  );
}
