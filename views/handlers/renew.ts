import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { CALLBACK } from '../ids.ts';
import {
  decodeRenew,
  newRenewDraft,
  type RenewContent,
  type RenewDraft,
  type RenewStart,
  withTypedRenew,
} from '../renew/draft.ts';
import { RENEW_TITLE, renewForm, renewReview } from '../renew/form.ts';
import { readTicks } from '../state.ts';
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
    return { draft: newRenewDraft(orderId, context.purchasing.policy.plans, order, start), draw: draw(context, order) };
  });
}

function draw(context: HandlerContext, order: OrderFacts, problems: readonly string[] = []) {
  const { plans, approvals } = context.purchasing.policy;
  const approvalsOff = approvals.mode === 'off';
  return (draft: Draft<RenewDraft>) =>
    renewForm(draft.id, draft.content, { plans, order, now: context.clock.now(), approvalsOff, problems });
}

const RENEW: PurchaseForm<RenewDraft, RenewContent> = {
  withTyped: withTypedRenew,
  decode: decodeRenew,
  withTicks: (draft, values) => ({ ...draft, ...readTicks(values) }),
  neverSeenAccepted: (draft) => draft.neverSeen,
  redraw: async (context, draft, problems) =>
    draw(context, await context.ledger.order(draft.content.orderId), problems)(draft),
  draw: renewReview,
};
