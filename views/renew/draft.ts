import type { BalanceReading } from '../../src/purchasing/model/balance-reading.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Plan } from '../../src/purchasing/model/plan.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import { ACTION, BLOCK } from '../ids.ts';
import type { Promised } from '../reviewed-draft.ts';
import { chosen, type Errors, tooLong, typedText, type Values } from '../state.ts';

export type RenewContent = Extract<Content, { kind: 'renew' }>;

export interface RenewDraft {
  readonly kind: 'renew';
  readonly orderId: OrderId;
  /** product_id, or empty. */
  readonly plan: string;
  readonly reason: string;
  readonly separate: boolean;
  readonly neverSeen: boolean;
  /** Slack's id of the root view. */
  readonly view: string | null;
  readonly balance: BalanceReading | null;
  readonly promised: Promised | null;
}

/** Preset to the plan last paid, if it is still offered; never to another one in its place. */
export function newRenewDraft(orderId: OrderId, plans: readonly Plan[], order: OrderFacts | null): RenewDraft {
  return {
    kind: 'renew',
    orderId,
    plan: presetPlan(plans, order)?.productId ?? '',
    reason: '',
    separate: false,
    neverSeen: false,
    view: null,
    balance: null,
    promised: null,
  };
}

/** Where nothing was paid yet that is known of, and only one plan is offered, there is nothing to choose. */
function presetPlan(plans: readonly Plan[], order: OrderFacts | null): Plan | undefined {
  const last = lastPlan(order);
  if (last === null) return plans.length === 1 ? plans[0] : undefined;
  return plans.find(({ productId }) => productId === last.productId);
}

export function lastPlan(order: OrderFacts | null): Plan | null {
  return order?.renewals.at(-1)?.plan ?? order?.bought?.plan ?? null;
}

/** With what the fields hold now; a field that Slack's state does not know keeps the draft's value. */
export function withTypedRenew(draft: RenewDraft, values: Values): RenewDraft {
  return {
    ...draft,
    plan: chosen(values, BLOCK.plan, ACTION.plan) ?? draft.plan,
    reason: typedText(values, BLOCK.reason, ACTION.reason) ?? draft.reason,
  };
}

export function decodeRenew(
  draft: RenewDraft,
  policy: Pick<Policy, 'plans'>,
): { readonly ok: true; readonly content: RenewContent } | { readonly ok: false; readonly errors: Errors } {
  const errors: Errors = {};
  const plan = policy.plans.find(({ productId }) => productId === draft.plan);
  if (!plan)
    errors[BLOCK.plan] = draft.plan === '' ? 'Choose a plan.' : 'This plan is no longer offered: choose another one.';
  const wrong = tooLong(draft.reason);
  if (wrong) errors[BLOCK.reason] = wrong;
  if (!plan || wrong) return { ok: false, errors };
  return { ok: true, content: { kind: 'renew', plan, orderId: draft.orderId } };
}
