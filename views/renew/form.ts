import type { types } from '@slack/bolt';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import type { RenewContent } from '../../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import { isKnown, type Review } from '../../src/purchasing/rules/filing.ts';
import { context, fields, modal, paragraph, problemsBlock, section } from '../blocks.ts';
import { costInForm } from '../cost.ts';
import { balanceNow, orderNumber, planIds, planName } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { planSelect, reasonInput } from '../inputs.ts';
import { type ReviewSurroundings, reviewView } from '../review.ts';
import { lastPlan, type RenewDraft } from './draft.ts';
import { orderLines, renewalWarnings, sizeLine } from './order-lines.ts';

interface RenewFormFacts {
  /** What is wrong and has no field of its own in the view that was submitted. */
  readonly problems?: readonly string[];
  readonly plans: readonly Plan[];
  readonly order: OrderFacts;
  readonly now: number;
  /** `approvals: off`. Otherwise an order never seen always needs approval. */
  readonly approvalsOff: boolean;
  /** On the plan that the form begins with; null where no plan is preset or the order is not known. */
  readonly cost?: { readonly plan: Plan; readonly expected: ExpectedCost } | null;
  /** There are limits in dollars, so that what no price is known of needs approval. */
  readonly unpricedNeedsApproval?: boolean;
}

export const RENEW_TITLE = 'Renew order';

export function renewForm(
  draftId: string,
  draft: RenewDraft,
  { plans, order, now, approvalsOff, cost = null, unpricedNeedsApproval = false, problems = [] }: RenewFormFacts,
): types.ModalView {
  const last = lastPlan(order);
  const gone = last !== null && !plans.some(({ productId }) => productId === last.productId);
  return modal({
    callback: CALLBACK.renew,
    title: RENEW_TITLE,
    draftId,
    submit: 'Review',
    close: 'Cancel',
    blocks: [
      ...problemsBlock(problems),
      ...paragraph([
        `*Order ${orderNumber(draft.orderId)}*`,
        sizeLine(order),
        ...orderLines(order, now),
        ...renewalWarnings(order, null, now),
        isKnown(order) || approvalsOff ? null : 'Renewing it always needs approval.',
      ]),
      ...(gone ? [section(`The plan last paid, ${planName(last)}, is no longer offered: choose one.`)] : []),
      planSelect(plans, draft.plan),
      reasonInput('Why is it renewed?', { initial: draft.reason, optional: true }),
      ...(cost === null
        ? []
        : [
            context(
              `Cost on ${planName(cost.plan)}: ${costInForm(cost.expected, draft.balance, unpricedNeedsApproval)}`,
            ),
          ]),
      context(`Balance: ${balanceNow(draft.balance)}`),
    ],
  });
}

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
