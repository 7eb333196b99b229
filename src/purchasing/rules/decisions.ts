import { type Change, type ChangeFacts, move } from '../model/change.ts';
import { amountOf } from '../model/cost.ts';
import { THE_BOT } from '../model/entries.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Policy } from '../model/policy.ts';
import { policyDigest } from '../model/policy-digest.ts';
import type { Purchase, PurchaseAction, State } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { type Clicked, isElsewhere } from './clicks.ts';
import { needsTwoPeople } from './filing.ts';
import { heldBy } from './holding.ts';
import { type Allowed, besides, type Clicker, isRequester } from './rights.ts';

export type Decided = Purchase | Refusal;

// Every rule of who may move a purchase stands here, in the state change itself: pure functions that the ledger runs inside the
// transaction that writes what they decide. A refused decision is written down too, without a transition.

/** Who said yes first, as it was read before the click was looked at, with every id of theirs; undefined: Slack does not tell. */
export interface FirstYes {
  readonly user: string;
  readonly ids: ReadonlySet<string> | undefined;
}

/** Where two people are needed, the first yes is kept, and leaves it requested. @param first null where nobody had said yes */
export function decideApproval(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  policy: Policy,
  first: FirstYes | null = null,
): Change<Decided> {
  if (isRefusal(by.allowed)) return refuse('approve', by, by.allowed);
  // Pressed again by the same person: it is so already.
  if (purchase.approver === by.user && STANDS_APPROVED.includes(purchase.state))
    return { result: purchase, by: by.user };
  if (purchase.state !== 'requested') return refuse('approve', by, wrongState(purchase));
  const no = refuseDecision(purchase, facts, by.allowed) ?? refuseKeeper(facts, by.allowed);
  if (no) return refuse('approve', by, no);
  const two = needsTwoPeople({ ...purchase, cost: amountOf(facts.cost) }, facts.others, policy);
  const { firstApprover } = purchase;
  if (two && firstApprover === null) return firstYes(purchase, by);
  const second = firstApprover === null || !two ? by.allowed : asSecond(purchase, by.allowed, first);
  if (isRefusal(second)) return refuse('approve', by, second);
  const sendBy = facts.now + policy.approvals.sendWithinMs;
  // One person is enough by now: the first yes may be their own, under another id, and does not stand there as a second person's.
  const alone = two || firstApprover === null ? {} : { firstApprover: null };
  const evidence = { policy: policyDigest(policy) };
  return { ...move(purchase, 'approved', by.user, evidence), set: { approver: by.user, ...alone, sendBy, why: null } };
}

function firstYes(purchase: Purchase<'requested'>, { user }: Clicker): Change<Decided> {
  return {
    result: { ...purchase, firstApprover: user },
    by: user,
    set: { firstApprover: user },
    entries: [{ by: user, from: null, to: null, detail: { kind: 'first_yes' } }],
  };
}

/** Another human than the first, under whatever id. */
function asSecond(
  { firstApprover }: Purchase<'requested'>,
  allowed: Exclude<Allowed, Refusal>,
  first: FirstYes | null,
): Allowed {
  if (firstApprover === null || first?.user !== firstApprover) return { refused: 'first_yes_changed' };
  const known = besides(allowed, first.ids);
  if (isRefusal(known)) return known;
  return known.ids.has(firstApprover) ? { refused: 'first_yes_is_yours' } : known;
}

/** Whoever said yes first takes it back, as long as nobody has said yes after it. It needs no right. */
export function decideTakingBack(purchase: Purchase, by: Clicker, clicked: Clicked, policy: Policy): Change<Decided> {
  if (isElsewhere(purchase, clicked, policy, true)) return refuse('take back', by, { refused: 'wrong_card' });
  if (isRefusal(by.allowed)) return refuse('take back', by, by.allowed);
  if (purchase.state !== 'requested') return refuse('take back', by, wrongState(purchase));
  const { firstApprover } = purchase;
  if (firstApprover === null || !by.allowed.ids.has(firstApprover))
    return refuse('take back', by, { refused: 'not_first_approver', firstApprover });
  return {
    result: { ...purchase, firstApprover: null },
    by: by.user,
    set: { firstApprover: null },
    entries: [{ by: by.user, from: null, to: null, detail: { kind: 'first_yes_taken_back' } }],
  };
}

/** Approved, and not taken back since. */
const STANDS_APPROVED: readonly State[] = ['approved', 'sending', 'completed', 'declined', 'unknown'];

export function decideRejection(purchase: Purchase, facts: ChangeFacts, by: Clicker, reason: string): Change<Decided> {
  if (isRefusal(by.allowed)) return refuse('reject', by, by.allowed);
  if (purchase.approver === by.user && purchase.state === 'rejected') return { result: purchase, by: by.user };
  if (purchase.state !== 'requested') return refuse('reject', by, wrongState(purchase));
  const no = refuseDecision(purchase, facts, by.allowed);
  if (no) return refuse('reject', by, no);
  // Who said yes first may think again.
  const same = purchase.firstApprover === by.user ? { firstApprover: null } : {};
  return { ...move(purchase, 'rejected', by.user, { reason }), set: { approver: by.user, ...same, why: reason } };
}

/** Needs no right, only to be the requester. */
export function decideWithdrawal(purchase: Purchase, by: Clicker, clicked: Clicked, policy: Policy): Change<Decided> {
  if (isElsewhere(purchase, clicked, policy)) return refuse('withdraw', by, { refused: 'wrong_card' });
  if (isRefusal(by.allowed)) return refuse('withdraw', by, by.allowed);
  if (!isRequester(purchase, by.allowed)) return refuse('withdraw', by, { refused: 'not_requester' });
  if (purchase.state !== 'requested' && purchase.state !== 'approved')
    return refuse('withdraw', by, wrongState(purchase));
  return move(purchase, 'withdrawn', by.user, {});
}

/** Time moves on what nobody decided, or what could not be sent in time. */
export function decideExpiry(purchase: Purchase, facts: ChangeFacts): Change<Decided> {
  const { state } = purchase;
  if ((state !== 'requested' && state !== 'approved') || !hasExpired(purchase, facts.now))
    return { result: wrongState(purchase), by: THE_BOT };
  const why =
    purchase.state === 'requested'
      ? 'nobody decided in time'
      : facts.freeze
        ? 'it was approved, but spending stayed frozen until it was too old'
        : `it was approved, but could not be sent in time${waitedFor(purchase, facts)}`;
  return { ...move(purchase, 'expired', THE_BOT, { why }), set: { why } };
}

/** What a row of a batch waited for: another row, or money. */
function waitedFor({ batch, why }: Purchase, { siblings }: ChangeFacts): string {
  if (batch === null) return '';
  const waited = heldBy(siblings)?.why ?? why;
  return waited === null ? '' : `: ${waited}`;
}

export function hasExpired(purchase: Purchase, now: number): boolean {
  if (purchase.state === 'requested') return now >= purchase.expiresAt;
  return purchase.state === 'approved' && purchase.sendBy !== null && now >= purchase.sendBy;
}

export interface Settlement {
  readonly placed: boolean;
  readonly note: string;
  /** Only where it was placed, and not for a renewal. */
  readonly orderId: OrderId | null;
}

export function decideSettlement(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  settlement: Settlement,
): Change<Decided> {
  if (isRefusal(by.allowed)) return refuse('settle', by, by.allowed);
  const to = settlement.placed ? 'completed' : 'declined';
  if (purchase.state === to && purchase.why === settlement.note) return { result: purchase, by: by.user };
  if (purchase.state !== 'unknown') return refuse('settle', by, wrongState(purchase));
  if (isRequester(purchase, by.allowed)) return refuse('settle', by, { refused: 'own_purchase' });
  const keeper = refuseKeeper(facts, by.allowed);
  if (keeper) return refuse('settle', by, keeper);
  const orderId = settlement.placed && purchase.kind === 'buy' ? settlement.orderId : null;
  const taken = orderId === null ? undefined : refuseTaken(purchase, facts, orderId);
  if (taken) return refuse('settle', by, taken);
  return {
    ...move(purchase, to, by.user, { ...settlement, orderId }, 'settled'),
    set: {
      why: settlement.note,
      ...(orderId === null ? {} : { orderId }),
      ...(settlement.placed ? {} : { declinedHow: 'settled' as const }),
    },
  };
}

/** The requester or an approver types the order id that the vendor's answer did not show. */
export function decideOrderId(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  orderId: OrderId,
  foundByVendor: boolean,
): Change<Decided> {
  const no = refuseOthers(purchase, by);
  if (no) return refuse('enter order id', by, no);
  if (purchase.kind !== 'buy' || purchase.state !== 'completed')
    return refuse('enter order id', by, wrongState(purchase));
  if (purchase.orderId === orderId) return { result: purchase, by: by.user };
  if (foundByVendor && purchase.orderId !== null)
    return refuse('enter order id', by, { refused: 'order_id_known', orderId: purchase.orderId });
  const taken = refuseTaken(purchase, facts, orderId);
  if (taken) return refuse('enter order id', by, taken);
  return {
    result: { ...purchase, orderId },
    by: by.user,
    set: { orderId },
    entries: [{ by: by.user, from: null, to: null, detail: { kind: 'order_id', orderId, before: purchase.orderId } }],
  };
}

function refuseTaken({ id }: Purchase, { orderIdHolder: holder }: ChangeFacts, orderId: OrderId): Refusal | undefined {
  return holder !== null && holder !== id ? { refused: 'order_id_taken', orderId, holder } : undefined;
}

/** Only the requester and those who approve go on. */
export function refuseOthers(purchase: Purchase, { allowed }: Clicker): Refusal | undefined {
  if (isRefusal(allowed)) return allowed;
  return isRequester(purchase, allowed) || allowed.rights.has('approve') ? undefined : { refused: 'not_requester' };
}

/** Whether the purchase waits for a decision or a settlement that this person may make. @param keptBy as {@link ChangeFacts.keptBy} */
export function waitsFor(purchase: Purchase, allowed: Allowed, keptBy: string | null): boolean {
  if (isRefusal(allowed) || !allowed.rights.has('approve') || isOnASide(purchase, keptBy, allowed)) return false;
  // It waits for another yes than theirs.
  if (purchase.state === 'requested' && purchase.firstApprover !== null && allowed.ids.has(purchase.firstApprover))
    return false;
  return purchase.state === 'requested' || purchase.state === 'unknown';
}

/**
 * Whoever has marked an order Keep has asked for its renewal, in its owner's name: with their yes too, one person alone would spend in
 * somebody else's. They may reject it.
 */
export function refuseKeeper(
  { keptBy }: Pick<ChangeFacts, 'keptBy'>,
  { ids }: { readonly ids: ReadonlySet<string> },
): Refusal | undefined {
  return keptBy !== null && ids.has(keptBy) ? { refused: 'kept_by_you' } : undefined;
}

/** Whose purchase it is: neither approves nor settles it. @param keptBy as {@link ChangeFacts.keptBy} */
export function isOnASide(
  purchase: Parameters<typeof isRequester>[0],
  keptBy: string | null,
  who: { readonly ids: ReadonlySet<string> },
): boolean {
  return isRequester(purchase, who) || refuseKeeper({ keptBy }, who) !== undefined;
}

/** A refusal, kept in the ledger. */
export function refuse(action: PurchaseAction, by: Pick<Clicker, 'user'>, refusal: Refusal): Change<Refusal> {
  const detail = { kind: 'refused', action, refused: refusal.refused } as const;
  return { result: refusal, by: by.user, entries: [{ by: by.user, from: null, to: null, detail }] };
}

export function wrongState(purchase: Purchase): Refusal {
  return { refused: 'wrong_state', purchase, decidedBy: purchase.approver };
}

function refuseDecision(
  purchase: Purchase<'requested'>,
  facts: ChangeFacts,
  allowed: Exclude<Allowed, Refusal>,
): Refusal | undefined {
  if (hasExpired(purchase, facts.now)) return wrongState({ ...purchase, state: 'expired' });
  if (isRequester(purchase, allowed)) return { refused: 'own_purchase' };
  return undefined;
}
