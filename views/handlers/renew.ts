import { type OrderFacts, placedOf } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { RenewContent } from '../../src/purchasing/model/purchase.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import { unpricedNeedsApproval } from '../../src/purchasing/rules/dollars.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { CALLBACK } from '../ids.ts';
import { decodeRenew, newRenewDraft, type RenewDraft, type RenewStart, withTypedRenew } from '../renew/draft.ts';
import { RENEW_TITLE, renewForm, renewReview } from '../renew/form.ts';
import { readTicks } from '../state.ts';
import { costReader } from './costs.ts';
import { openForm } from './open.ts';
import { type PurchaseForm, submitForm, submitReview } from './review.ts';

export function registerRenew(on: Listeners, context: HandlerContext): void {
  on.submit(CALLBACK.renew, (args) => submitForm(context, args, RENEW));
  on.submit(CALLBACK.renewReview, (args) => submitReview(context, args, RENEW));
}

/** `/proxy renew <order_id>`: what the ledger knows of the order, and the plan to pay for. */
export async function openRenew(
  context: HandlerContext,
  args: CommandArgs | ActionArgs,
  orderId: OrderId,
  start?: RenewStart,
): Promise<void> {
  await openForm<RenewDraft>(context, args, RENEW_TITLE, 'renew', async () => {
    const order = await context.ledger.order(orderId);
    const draft = newRenewDraft(orderId, context.purchasing.policy.plans, order, start);
    return { draft, draw: draw(context, order, draft) };
  });
}

/** @param begun what it begins with: its cost is read already while it is kept */
function draw(context: HandlerContext, order: OrderFacts, begun: RenewDraft, problems: readonly string[] = []) {
  const { policy } = context.purchasing;
  const { plans, approvals } = policy;
  const approvalsOff = approvals.mode === 'off';
  const costOf = costReader(context);
  const plan = plans.find(({ productId }) => productId === begun.plan);
  const basket = placedOf(order)?.basket ?? [];
  const priced = plan && basket.length > 0 ? ({ kind: 'renew', productId: plan.productId, basket } as const) : null;
  void costOf(priced);
  return async (draft: Draft<RenewDraft>) => {
    const expected = await costOf(priced);
    const cost = plan && expected ? { plan, expected } : null;
    const now = context.clock.now();
    return renewForm(draft.id, draft.content, {
      plans,
      order,
      now,
      approvalsOff,
      cost,
      unpricedNeedsApproval: unpricedNeedsApproval(policy),
      problems,
    });
  };
}

const RENEW: PurchaseForm<RenewDraft, RenewContent> = {
  withTyped: withTypedRenew,
  decode: decodeRenew,
  withTicks: (draft, values) => ({ ...draft, ...readTicks(values) }),
  neverSeenAccepted: (draft) => draft.neverSeen,
  redraw: async (context, draft, problems) =>
    draw(context, await context.ledger.order(draft.content.orderId), draft.content, problems)(draft),
  draw: renewReview,
};
