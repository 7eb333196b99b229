import type { Desk } from '../../src/desk.ts';
import type { CommandArgs, Listeners } from '../../src/listeners.ts';
import type { OrderFacts } from '../../src/purchasing/ports.ts';
import { CALLBACK } from '../ids.ts';
import { openWhenReady, type Ready } from '../open.ts';
import { redraw } from '../redraw.ts';
import { type Kind, submitForm, submitReview } from '../review-handlers.ts';
import { refusalSentence } from '../sentences.ts';
import { readTicks } from '../state.ts';
import { userOf } from '../tell.ts';
import { decodeRenew, newRenewDraft, type RenewContent, type RenewDraft, withTypedRenew } from './draft.ts';
import { RENEW_TITLE, renewForm } from './form.ts';
import { renewReview } from './review.ts';

export function registerRenew(on: Listeners, desk: Desk): void {
  on.submit(CALLBACK.renew, (args) => submitForm(desk, args, RENEW));
  on.submit(CALLBACK.renewReview, (args) => submitReview(desk, args, RENEW));
}

/** `/proxy renew <order_id>`: what the ledger knows of the order, and the plan to pay for. */
export async function openRenew(desk: Desk, args: CommandArgs, orderId: string): Promise<void> {
  const user = userOf(args);
  let opened: { readonly id: string; readonly order: OrderFacts } | undefined;
  const prepare = async (): Promise<Ready> => {
    const no = await desk.purchasing.mayOpen(user, 'renew');
    if (no) return { sentence: refusalSentence(no, desk.clock.now()) };
    const order = await desk.purchasing.order(orderId);
    const draft = await desk.drafts.create(user, newRenewDraft(orderId, desk.purchasing.policy.plans, order));
    opened = { id: draft.id, order };
    return { view: draw(desk, order)(draft) };
  };
  const view = await openWhenReady(desk, args, RENEW_TITLE, prepare());
  if (view === undefined || !opened) return;
  const { id, order } = opened;
  await desk.drafts.update<RenewDraft>(id, user, (draft) => ({ ...draft, view }));
  const balance = await desk.purchasing.balance();
  await desk.drafts.update<RenewDraft>(id, user, (draft) => ({ ...draft, balance }));
  await redraw(desk, args, () => desk.drafts.read<RenewDraft>(id, user), draw(desk, order));
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
