import type { types } from '@slack/bolt';
import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import { fields, paragraph } from '../blocks.ts';
import { orderNumber, planLines } from '../describe.ts';
import { CALLBACK } from '../ids.ts';
import { type ReviewContext, type Reviewed, reviewView } from '../review.ts';
import type { RenewContent } from './draft.ts';
import { orderLines } from './order-lines.ts';

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function renewReview(
  draftId: string,
  content: RenewContent,
  reviewed: Reviewed,
  context: ReviewContext,
): types.ModalView {
  const what = fields([
    ['Renew order', orderNumber(content.orderId)],
    ['Plan', planLines(content.plan, 'renew')],
  ]);
  const known = isRefusal(reviewed) ? [] : paragraph([...orderLines(reviewed.order, context.now)]);
  return reviewView({ callback: CALLBACK.renewReview, draftId, now: 'Renew now' }, [what, ...known], reviewed, context);
}
