import { ROWS_AT_MOST } from '../../src/purchasing/model/batch.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import { isOrderId, type OrderId } from '../../src/purchasing/model/order-id.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import type { RenewContent } from '../../src/purchasing/model/purchase.ts';
import { orderNumber } from '../format.ts';
import { ACTION, BLOCK } from '../ids.ts';
import { lastPlan } from '../renew/draft.ts';
import { chosenOf, type Decoded, type Errors, type FormDraft, fieldsOf, tooLong, type Values } from '../state.ts';

export interface RenewManyDraft extends Pick<FormDraft, 'reason' | 'separate' | 'balance' | 'view' | 'unreported'> {
  readonly kind: 'renew_many';
  readonly orders: readonly OrderId[];
  /** How often the orders were preset: each time their field is a new one. */
  readonly preset: number;
  readonly lastReview: LastBatchReview | null;
}

/** What the last review showed: exactly this is filed, and only by the submit of that review. */
export interface LastBatchReview {
  readonly id: string;
  readonly contents: readonly RenewContent[];
  readonly reason: string;
  /** Of which it said that they were renewed in the last 24 h. */
  readonly repeated: readonly OrderId[];
  /** Null where it could not be filed. */
  readonly needsApproval: boolean | null;
  /** What each would cost, in cents; null where no price was known. A draft of the version before has none. */
  readonly costs?: readonly (Money | null)[];
  /** Of each, as {@link Review.lastTwin}. A draft of the version before has none. */
  readonly lastTwins?: readonly (string | null)[];
}

export function newRenewManyDraft(orders: readonly OrderId[], reason = ''): RenewManyDraft {
  const kept = [...new Set(orders)].slice(0, ROWS_AT_MOST);
  return {
    kind: 'renew_many',
    orders: kept,
    preset: 0,
    reason,
    separate: false,
    balance: null,
    view: null,
    unreported: kept.length === 0 ? [] : [BLOCK.orders(0)],
    lastReview: null,
  };
}

/** With what the fields hold now. */
export function withTypedRenewMany(draft: RenewManyDraft, values: Values): RenewManyDraft {
  const fields = fieldsOf(values, draft.unreported);
  return {
    ...draft,
    orders: fields.chosenMany(BLOCK.orders(draft.preset), ACTION.orders, draft.orders).filter(isOrderId),
    reason: fields.typed(BLOCK.reason, ACTION.reason, draft.reason),
    unreported: fields.unreported(),
  };
}

/** With these orders chosen as well, as far as there is room for them. */
export function withOrders(draft: RenewManyDraft, more: readonly OrderId[]): RenewManyDraft {
  const orders = [...new Set([...draft.orders, ...more])].slice(0, ROWS_AT_MOST);
  const preset = draft.preset + 1;
  return { ...draft, orders, preset, unreported: [...draft.unreported, BLOCK.orders(preset)] };
}

/** Whether what the review has said of repeats is confirmed, in that review. */
export function readSeparate(values: Values, review: string): boolean {
  return chosenOf(values, BLOCK.separateIn(review), ACTION.separate).length > 0;
}

/** Each order on the plan that was last paid for it, never silently on another. @param facts of each order, in their order */
export function decodeRenewMany(
  { orders, reason, preset }: RenewManyDraft,
  facts: readonly OrderFacts[],
  plans: readonly Plan[],
): Decoded<readonly RenewContent[]> {
  const field = BLOCK.orders(preset);
  const errors: Errors = {};
  const wrong = tooLong(reason);
  if (wrong) errors[BLOCK.reason] = wrong;
  if (orders.length === 0) errors[field] = 'Choose at least one order.';
  if (orders.length > ROWS_AT_MOST) errors[field] = `At most ${ROWS_AT_MOST} orders at once.`;
  const contents: RenewContent[] = [];
  const problems: string[] = [];
  for (const order of facts) {
    const last = lastPlan(order);
    const plan = plans.find(({ productId }) => productId === last?.productId);
    if (plan) contents.push({ kind: 'renew', plan, orderId: order.orderId });
    else
      problems.push(last === null ? `order ${orderNumber(order.orderId)} is not in the book` : planGone(order, last));
  }
  if (problems.length > 0) errors[field] = `Take out: ${problems.slice(0, 5).join('; ')}.`;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, content: contents };
}

function planGone({ orderId }: OrderFacts, { name }: Plan): string {
  return `order ${orderNumber(orderId)}, whose plan ${name} is no longer offered (renew it alone)`;
}
