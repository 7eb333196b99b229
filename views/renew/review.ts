import type { types } from '@slack/bolt';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { context, fields, paragraph } from '../blocks.ts';
import { orderNumber, planIds, planName } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import type { RenewContent } from './draft.ts';
import { orderLines, renewalWarnings, sizeLine } from './order-lines.ts';

/** Exactly what will be sent, and what it needs. Pushed on the form. */
export function renewReview(
  draftId: string,
  content: RenewContent,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { now } = surroundings;
  const { orderId, plan } = content;
  const order = isRefusal(found) ? null : found.order;
  const size = order && sizeLine(order);
  const what = fields([
    ['Renew order', `${orderNumber(orderId)}${size ? `\n${size}` : ''}`],
    ['Plan', planName(plan)],
  ]);
  const known = isRefusal(found) ? [] : [...renewalWarnings(order, plan, now), ...orderLines(order, now)];
  const smallPrint = context(`Sent as ${planIds(plan, 'renew')}, order ${orderNumber(orderId)}`);
  return reviewView(
    {
      callback: CALLBACK.renewReview,
      draftId,
      content,
      now: 'Renew now',
      what: [what, ...paragraph(known)],
      smallPrint,
    },
    found,
    surroundings,
  );
}
