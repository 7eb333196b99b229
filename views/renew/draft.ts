import { type OrderFacts, placedOf } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Plan, Policy } from '../../src/purchasing/model/policy.ts';
import type { RenewContent } from '../../src/purchasing/model/purchase.ts';
import { ACTION, BLOCK } from '../ids.ts';
import { type Decoded, type Errors, type FormDraft, fieldsOf, planProblem, tooLong, type Values } from '../state.ts';

export interface RenewDraft extends FormDraft<RenewContent> {
  readonly kind: 'renew';
  readonly orderId: OrderId;
  readonly neverSeen: boolean;
}

/** What a form begins with, where the same is asked for again. */
export interface RenewStart {
  readonly plan: string;
  readonly reason: string;
}

/** Preset to the plan last paid or asked for, if it is still offered; never to another one in its place. */
export function newRenewDraft(
  orderId: OrderId,
  plans: readonly Plan[],
  order: OrderFacts | null,
  start?: RenewStart,
): RenewDraft {
  const preset = start ? plans.find(({ productId }) => productId === start.plan) : presetPlan(plans, order);
  const plan = preset?.productId ?? '';
  const reason = start?.reason ?? '';
  return {
    kind: 'renew',
    orderId,
    plan,
    reason,
    separate: false,
    neverSeen: false,
    view: null,
    balance: null,
    lastReview: null,
    unreported: [...(plan === '' ? [] : [BLOCK.plan]), ...(reason === '' ? [] : [BLOCK.reason])],
  };
}

/** The plan last paid, if it is still offered. The only plan there is, for an order that the ledger has never seen. */
function presetPlan(plans: readonly Plan[], order: OrderFacts | null): Plan | undefined {
  const last = lastPlan(order);
  if (last === null) return plans.length === 1 ? plans[0] : undefined;
  return plans.find(({ productId }) => productId === last.productId);
}

export function lastPlan(order: OrderFacts | null): Plan | null {
  return order?.renewals.at(-1)?.plan ?? (order && placedOf(order))?.plan ?? null;
}

/** With what the fields hold now. */
export function withTypedRenew(draft: RenewDraft, values: Values): RenewDraft {
  const fields = fieldsOf(values, draft.unreported);
  return {
    ...draft,
    plan: fields.chosen(BLOCK.plan, ACTION.plan, draft.plan),
    reason: fields.typed(BLOCK.reason, ACTION.reason, draft.reason),
    unreported: fields.unreported(),
  };
}

export function decodeRenew(draft: RenewDraft, policy: Pick<Policy, 'plans'>): Decoded<RenewContent> {
  const errors: Errors = {};
  const plan = policy.plans.find(({ productId }) => productId === draft.plan);
  if (!plan) errors[BLOCK.plan] = planProblem(draft.plan, policy.plans);
  const wrong = tooLong(draft.reason);
  if (wrong) errors[BLOCK.reason] = wrong;
  if (!plan || wrong) return { ok: false, errors };
  return { ok: true, content: { kind: 'renew', plan, orderId: draft.orderId } };
}
