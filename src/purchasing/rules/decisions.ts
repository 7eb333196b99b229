import type { Change, ChangeFacts } from '../model/change.ts';
import { DESK } from '../model/entries.ts';
import { move } from '../model/move.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase, State } from '../model/purchase.ts';
import type { Refusal } from '../model/refusals.ts';

/** Who clicks: the Slack user id as received, and every id of the human behind it. */
export interface Clicker {
  readonly user: string;
  readonly ids: ReadonlySet<string>;
}

export type Decided = Purchase | Refusal;

// Every rule of who may move a purchase stands here, in the state change itself: pure functions that the ledger runs inside the
// transaction that writes what they decide. A refused decision is written down too, without a transition.

export function decideApproval(purchase: Purchase, facts: ChangeFacts, by: Clicker, policy: Policy): Change<Decided> {
  // The same click, delivered again: it has done what it was to do.
  if (purchase.approver === by.user && STANDS_APPROVED.includes(purchase.state))
    return { result: purchase, by: by.user };
  if (purchase.state !== 'requested') return refuse('approve', by, wrongState(purchase));
  const no = refuseDecision(purchase, facts, by);
  if (no) return refuse('approve', by, no);
  const sendBy = facts.now + policy.approvals.sendWithinMs;
  return { ...move(purchase, 'approved', by.user, {}), set: { approver: by.user, sendBy, why: null } };
}

/** Approved, and not taken back since. */
const STANDS_APPROVED: readonly State[] = ['approved', 'sending', 'completed', 'declined', 'unknown'];

export function decideRejection(purchase: Purchase, facts: ChangeFacts, by: Clicker, reason: string): Change<Decided> {
  if (purchase.approver === by.user && purchase.state === 'rejected') return { result: purchase, by: by.user };
  if (purchase.state !== 'requested') return refuse('reject', by, wrongState(purchase));
  const no = refuseDecision(purchase, facts, by);
  if (no) return refuse('reject', by, no);
  return { ...move(purchase, 'rejected', by.user, { reason }), set: { approver: by.user, why: reason } };
}

export function decideWithdrawal(purchase: Purchase, by: Clicker): Change<Decided> {
  if (!isRequester(purchase, by)) return refuse('withdraw', by, { refused: 'not_requester' });
  if (purchase.state !== 'requested' && purchase.state !== 'approved')
    return refuse('withdraw', by, wrongState(purchase));
  return move(purchase, 'withdrawn', by.user, {});
}

/** Time moves on what nobody decided, or what could not be sent in time. */
export function decideExpiry(purchase: Purchase, facts: ChangeFacts): Change<Decided> {
  const { state } = purchase;
  if ((state !== 'requested' && state !== 'approved') || !hasExpired(purchase, facts.now))
    return { result: wrongState(purchase), by: DESK };
  const why =
    purchase.state === 'requested'
      ? 'nobody decided in time'
      : facts.freeze
        ? 'it was approved, but spending stayed frozen until it was too old'
        : 'it was approved, but could not be sent in time';
  return { ...move(purchase, 'expired', DESK, { why }), set: { why } };
}

export function hasExpired(purchase: Purchase, now: number): boolean {
  if (purchase.state === 'requested') return now >= purchase.expiresAt;
  return purchase.state === 'approved' && purchase.sendBy !== null && now >= purchase.sendBy;
}

export interface Settlement {
  readonly placed: boolean;
  readonly note: string;
  /** Digits; only where it was placed, and not for a renewal. */
  readonly orderId: string | null;
}

export function decideSettlement(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  settlement: Settlement,
): Change<Decided> {
  const to = settlement.placed ? 'completed' : 'declined';
  if (purchase.state === to && purchase.why === settlement.note) return { result: purchase, by: by.user };
  if (purchase.state !== 'unknown') return refuse('settle', by, wrongState(purchase));
  if (isRequester(purchase, by)) return refuse('settle', by, { refused: 'own_purchase' });
  const orderId = settlement.placed && purchase.kind === 'buy' ? settlement.orderId : null;
  if (orderId !== null && facts.orderIdHolder !== null && facts.orderIdHolder !== purchase.id)
    return refuse('settle', by, { refused: 'order_id_taken', orderId, holder: facts.orderIdHolder });
  return {
    ...move(purchase, to, by.user, { ...settlement, orderId }, 'settled'),
    set: {
      why: settlement.note,
      ...(orderId === null ? {} : { orderId }),
      ...(settlement.placed ? {} : { declinedHow: 'settled' as const }),
    },
  };
}

/** A person types the order id that the vendor's answer did not show. */
export function decideOrderId(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker & { readonly mayApprove: boolean },
  orderId: string,
  foundByVendor: boolean,
): Change<Decided> {
  if (!isRequester(purchase, by) && !by.mayApprove) return refuse('enter order id', by, { refused: 'not_requester' });
  if (purchase.kind !== 'buy' || purchase.state !== 'completed')
    return refuse('enter order id', by, wrongState(purchase));
  if (purchase.orderId === orderId) return { result: purchase, by: by.user };
  if (foundByVendor && purchase.orderId !== null)
    return refuse('enter order id', by, { refused: 'order_id_known', orderId: purchase.orderId });
  if (facts.orderIdHolder !== null && facts.orderIdHolder !== purchase.id)
    return refuse('enter order id', by, { refused: 'order_id_taken', orderId, holder: facts.orderIdHolder });
  return {
    result: { ...purchase, orderId },
    by: by.user,
    set: { orderId },
    entries: [{ by: by.user, from: null, to: null, detail: { kind: 'order_id', orderId, before: purchase.orderId } }],
  };
}

/** Whether the purchase waits for a decision or a settlement that this approver may make. */
export function waitsFor(purchase: Purchase, approver: Pick<Clicker, 'ids'>): boolean {
  return (purchase.state === 'requested' || purchase.state === 'unknown') && !isRequester(purchase, approver);
}

/** By any id: Slack may use the one of the workspace here and the one of the organisation there. */
export function isRequester(
  { requester, requesterPerson }: Pick<Purchase, 'requester' | 'requesterPerson'>,
  { ids }: Pick<Clicker, 'ids'>,
): boolean {
  return ids.has(requester) || ids.has(requesterPerson);
}

/** A refusal, kept in the ledger. */
export function refuse(action: string, by: Pick<Clicker, 'user'>, refusal: Refusal): Change<Refusal> {
  const detail = { kind: 'refused', action, refused: refusal.refused } as const;
  return { result: refusal, by: by.user, entries: [{ by: by.user, from: null, to: null, detail }] };
}

export function wrongState(purchase: Purchase): Refusal {
  return { refused: 'wrong_state', purchase, decidedBy: purchase.approver };
}

function refuseDecision(purchase: Purchase<'requested'>, facts: ChangeFacts, by: Clicker): Refusal | undefined {
  if (hasExpired(purchase, facts.now)) return wrongState({ ...purchase, state: 'expired' });
  if (isRequester(purchase, by)) return { refused: 'own_purchase' };
  return undefined;
}
