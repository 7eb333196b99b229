import type { types } from '@slack/bolt';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Plan } from '../../src/purchasing/model/plan.ts';
import { isKnown } from '../../src/purchasing/rules/filing.ts';
import { context, modal, paragraph, problemsBlock, section } from '../blocks.ts';
import { balanceNow, orderNumber, planName } from '../format.ts';
import { CALLBACK } from '../ids.ts';
import { planSelect, reasonInput } from '../inputs.ts';
import { lastPlan, type RenewDraft } from './draft.ts';
import { orderLines, renewalWarnings, sizeLine } from './order-lines.ts';

interface RenewFormFacts {
  /** What is wrong and has no field of its own in the view that was submitted. */
  readonly problems?: readonly string[];
  readonly plans: readonly Plan[];
  readonly order: OrderFacts;
  readonly now: number;
  /** Nothing needs approval, by the policy; otherwise an order never seen always does. */
  readonly approvalsOff: boolean;
}

export const RENEW_TITLE = 'Renew order';

export function renewForm(
  draftId: string,
  draft: RenewDraft,
  { plans, order, now, approvalsOff, problems = [] }: RenewFormFacts,
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
      context(`Balance: ${balanceNow(draft.balance)}`),
    ],
  });
}
