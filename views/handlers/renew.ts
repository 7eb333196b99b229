import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { CommandArgs, Listeners } from '../../src/slack/listeners.ts';
import { CALLBACK } from '../ids.ts';
import { decodeRenew, newRenewDraft, type RenewContent, type RenewDraft, withTypedRenew } from '../renew/draft.ts';
import { RENEW_TITLE, renewForm } from '../renew/form.ts';
import { renewReview } from '../renew/review.ts';
import { readTicks } from '../state.ts';
import { openForm } from './open-form.ts';
import { type Kind, submitForm, submitReview } from './review.ts';

export function registerRenew(on: Listeners, desk: Desk): void {
  on.submit(CALLBACK.renew, (args) => submitForm(desk, args, RENEW));
  on.submit(CALLBACK.renewReview, (args) => submitReview(desk, args, RENEW));
}

/** `/proxy renew <order_id>`: what the ledger knows of the order, and the plan to pay for. */
export async function openRenew(desk: Desk, args: CommandArgs, orderId: OrderId): Promise<void> {
  await openForm<RenewDraft>(desk, args, RENEW_TITLE, 'renew', async () => {
    const order = await desk.ledger.order(orderId);
    return { draft: newRenewDraft(orderId, desk.purchasing.policy.plans, order), draw: draw(desk, order) };
  });
}

function draw(desk: Desk, order: OrderFacts) {
  const { plans, approvals } = desk.purchasing.policy;
  return (draft: { readonly id: string; readonly content: RenewDraft }) =>
    renewForm(draft.id, draft.content, { plans, order, now: desk.clock.now(), approvalsOff: approvals.mode === 'off' });
}

const RENEW: Kind<RenewDraft, RenewContent> = {
  withTyped: withTypedRenew,
  decode: decodeRenew,
  withTicks: (draft, values) => ({ ...draft, ...readTicks(values) }),
  neverSeenAccepted: (draft) => draft.neverSeen,
  draw: renewReview,
};
