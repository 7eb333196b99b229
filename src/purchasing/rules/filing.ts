import { createHash } from 'node:crypto';
import { type Allocation, totalQuantity } from '../model/basket.ts';
import type { Click } from '../model/click.ts';
import { amountOf, atFiling, type ExpectedCost, type MonthSpent, type Spent, shownAmount } from '../model/cost.ts';
import { type Kept, THE_BOT } from '../model/entries.ts';
import type { FilingDecided, FilingFacts, FilingSubject, NewPurchase } from '../model/filing.ts';
import type { Freeze } from '../model/freeze.ts';
import type { Money } from '../model/money.ts';
import { type OrderFacts, placedOf } from '../model/order.ts';
import { owedAtFiling } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import { policyDigest } from '../model/policy-digest.ts';
import {
  type BatchPlace,
  type Content,
  type Counted,
  contentKey,
  OPEN_STATES,
  type Purchase,
  type Twin,
} from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { comeToMore, countsDollars, dollarsBy, mayBeOver, overDollars, spentOf } from './dollars.ts';
import { orderOf, saidLast } from './orders.ts';

/** After the vendor's refusal, people press again before they have read it; the same is refused for so long. */
export const JUST_DECLINED_MS = 60_000;

/** What a form and its review put together, and its submit files. */
export interface Proposal {
  readonly submission: string;
  /** Slack user id, as received. */
  readonly requester: string;
  readonly content: Content;
  readonly reason: string;
  /** "This is a new, separate purchase", though one of the same content was completed in the last 24 h. */
  readonly separate: boolean;
  /** With approvals off: "I know this order", though the ledger has never seen it. */
  readonly neverSeenAccepted: boolean;
  /** The order is kept, and this is filed by itself. */
  readonly kept?: Kept;
}

/** A proposal that is filed, under this id and for this human. */
export interface Filing extends Proposal {
  readonly id: string;
  readonly person: string;
  /** The batch that it is a row of. */
  readonly batch?: BatchPlace;
}

/** What filing would need, as the review shows it. */
export interface Review {
  readonly needsApproval: boolean;
  /** By two different people. */
  readonly twoPeople: boolean;
  /** What asks for two; null where one is enough. */
  readonly twoPeopleFor: 'ips' | 'dollars' | null;
  readonly quantity: number | null;
  readonly basket: readonly Allocation[];
  readonly order: OrderFacts | null;
  /** IPs counted against the person's limits before this purchase. */
  readonly counted: number;
  /** The same in dollars; only where the policy says something in them. */
  readonly countedDollars: Spent | null;
  readonly cost: ExpectedCost;
  /** A limit of the month may be broken, since some cost is not known. */
  readonly mayBeOver: boolean;
  /** The same was completed in the last 24 h: "this is a new, separate purchase" has to be ticked. */
  readonly twin: Twin | null;
  /** The id of the last one that was filed of the same, whatever became of it; null where the last 24 h know of none. */
  readonly lastTwin: string | null;
  /** With approvals off, and an order that the ledger has never seen: that it is known has to be ticked. */
  readonly unseen: boolean;
}

/** What was filed, and whether spending was frozen then. `again`: this very submission had filed it already. */
export type Filed =
  | (Pick<Purchase, 'id' | 'state' | 'kind' | 'basket' | 'quantity' | 'orderId'> & {
      readonly again: boolean;
      readonly freeze: Freeze | null;
    })
  | Refusal;

/**
 * May this be filed, and what would it need? Pure: decided on facts that the filing transaction has read, so that two people
 * who file together cannot both fit under one limit.
 * @param kept the order is kept, and this is filed by itself
 */
export function review(content: Content, facts: FilingFacts, policy: Policy, kept = false): Review | Refusal {
  if (!policy.plans.some((plan) => samePlan(plan, content.plan)))
    return { refused: 'plan_gone', name: content.plan.name };

  const twin = facts.twins.find((other) => (OPEN_STATES as readonly string[]).includes(other.state));
  if (twin) return { refused: 'twin_open', twin };
  const declined = facts.twins.find(
    // Also where the clock was set back since: nobody waits for hours.
    (other) => other.declinedByVendor && Math.abs(facts.now - other.changedAt) < JUST_DECLINED_MS,
  );
  if (declined) {
    const retryAfterSeconds = Math.ceil((declined.changedAt + JUST_DECLINED_MS - facts.now) / 1000);
    return { refused: 'twin_just_declined', twin: declined, retryAfterSeconds };
  }

  const placed = facts.order && placedOf(facts.order);
  const basket = content.kind === 'buy' ? content.basket : (placed?.basket ?? []);
  const quantity = content.kind === 'buy' ? totalQuantity(content.basket) : (placed?.quantity ?? null);
  const tooMany = overLimits(quantity, facts.counted, policy);
  if (tooMany) return tooMany;
  const cost = amountOf(facts.cost);
  const tooMuch = overDollars(cost, facts.spent, policy);
  if (tooMuch) return tooMuch;

  const asked = peopleNeeded(content.kind, { plan: content.plan, quantity, cost }, facts, policy);
  const people = asked === 0 && kept && !isOwnersWord(facts) && policy.approvals.mode === 'channel' ? 1 : asked;
  return {
    needsApproval: people > 0,
    twoPeople: people === 2,
    twoPeopleFor: twoPeopleFor({ plan: content.plan, quantity, cost }, facts.others, policy),
    quantity,
    basket,
    order: facts.order,
    counted: facts.counted,
    countedDollars: countsDollars(policy) ? spentOf(facts.others.map((other) => other.cost)) : null,
    cost: facts.cost,
    mayBeOver: mayBeOver(cost, facts.spent, policy),
    twin: facts.twins.find((other) => other.state === 'completed') ?? null,
    lastTwin: facts.twins[0]?.id ?? null,
    unseen: content.kind === 'renew' && policy.approvals.mode === 'off' && !isKnown(facts.order),
  };
}

/** What a review said that was submitted. */
export interface Promised {
  readonly needsApproval: boolean;
  /** What it would cost, in cents; null where no price was known. Undefined where nobody was shown it. */
  readonly cost?: Money | null | undefined;
  /** As {@link Review.lastTwin}. Undefined as {@link cost} is. */
  readonly lastTwin?: string | null | undefined;
}

/**
 * A submit that was refused files nothing when it is delivered again, whatever holds by then: its person was told so, and may have asked
 * for the same anew. One that has filed needs no such memory: it is answered with what it filed.
 */
export function fileOnce<D extends FilingDecided<object, object>>(
  { deliveredBefore }: Pick<FilingFacts, 'deliveredBefore'>,
  decided: D,
): D | FilingDecided<Refusal, never> {
  if (deliveredBefore !== null && decided.file) return { result: { refused: 'delivered_again' } };
  return deliveredBefore === null && isRefusal(decided.result) ? { ...decided, click: 'refused' } : decided;
}

/** Files, or says why not, or what this very form has filed already. @param promised or why what the review said does not count */
export function decideFiling(
  filing: Filing,
  promised: Promised | Refusal,
  facts: FilingFacts,
  policy: Policy,
): FilingDecided<Filed> {
  if (facts.filed) return { result: filed(facts.filed, true, facts.freeze) };
  if (isRefusal(promised)) return { result: promised };
  const notKept = refuseKept(filing, facts, policy);
  if (notKept) return { result: notKept };
  const found = review(filing.content, facts, policy, filing.kept !== undefined);
  if (isRefusal(found)) return { result: found };
  if (found.twin && !filing.separate) return { result: { refused: 'twin_completed', twin: found.twin } };
  if (found.unseen && filing.content.kind === 'renew' && !filing.neverSeenAccepted)
    return { result: { refused: 'order_never_seen', orderId: filing.content.orderId } };
  if (found.needsApproval && !promised.needsApproval) return { result: { refused: 'approval_now_needed' } };
  const [last] = facts.twins;
  if (last && promised.lastTwin !== undefined && promised.lastTwin !== last.id)
    return { result: { refused: 'asked_since', twin: onlyTwin(last) } };
  const cost = shownAmount(found.cost);
  if (promised.cost !== undefined && promised.cost !== cost)
    return { result: { refused: 'cost_changed', shown: promised.cost, now: cost } };

  const { now } = facts;
  // What the requester saw asks for approval: it is asked for, even if the allowance would do by now.
  const state = promised.needsApproval ? 'requested' : 'approved';
  const { expireAfterMs, sendWithinMs } = policy.approvals;
  const { batch = null } = filing;
  const purchase: NewPurchase = {
    id: filing.id,
    kind: filing.content.kind,
    state,
    requester: filing.requester,
    requesterPerson: filing.person,
    filedBy: filing.kept ? THE_BOT : filing.requester,
    twoPeople: found.twoPeople,
    evidence: {
      policy: policyDigest(policy),
      ...(found.twin ? { repeats: onlyTwin(found.twin) } : {}),
      ...(filing.kept ? { kept: { ...filing.kept, ...(isForgetful(facts) ? { wentBack: true } : {}) } } : {}),
      cost: atFiling(found.cost),
    },
    plan: filing.content.plan,
    basket: found.basket,
    quantity: found.quantity,
    orderId: filing.content.kind === 'renew' ? filing.content.orderId : null,
    reason: filing.reason,
    submission: filing.submission,
    contentKey: contentKey(filing.content),
    batch,
    needsApproval: promised.needsApproval,
    createdAt: now,
    expiresAt: now + expireAfterMs,
    sendBy: state === 'approved' ? now + sendWithinMs : null,
    why: null,
    notices: owedAtFiling({ id: filing.id, state, batch }),
  };
  return { result: filed(purchase, false, facts.freeze), file: purchase };
}

/**
 * What is kept files only as long as that is so. Not while spending is frozen: it would expire before it could be sent, and it is never
 * filed twice for one end.
 */
function refuseKept({ kept, content, requester }: Filing, facts: FilingFacts, policy: Policy): Refusal | undefined {
  if (!kept || content.kind !== 'renew') return undefined;
  const { order, now, freeze } = facts;
  const stands = order && orderOf(order);
  const holds = stands?.intent === 'keep' && stands.owner === requester && stands.endsAt === kept.endsAt;
  if (!holds || now >= kept.endsAt) return { refused: 'not_kept_now', orderId: content.orderId };
  if (freeze) return { refused: 'kept_while_frozen', freeze };
  if (isForgetful(facts) && policy.approvals.mode === 'off') return { refused: 'kept_before_restore' };
  return undefined;
}

/** What needs no approval is sent on its owner's own word: not on somebody else's, nor on one that the ledger may have acted on already. */
function isOwnersWord(facts: FilingFacts): boolean {
  const { order } = facts;
  return order !== null && saidLast(order)?.by === orderOf(order)?.owner && !isForgetful(facts);
}

/** The ledger went back in time since the order was kept, or renewed for the last time: it may have forgotten a renewal. */
function isForgetful({ order, wentBackAt }: FilingFacts): boolean {
  if (wentBackAt === null || !order) return false;
  const known = [saidLast(order)?.at, ...order.renewals.map(({ createdAt }) => createdAt)];
  return !known.some((at) => at !== undefined && at > wentBackAt);
}

/** Without what else was read of it. */
function onlyTwin({ id, state, requester, changedAt }: Twin): Twin {
  return { id, state, requester, changedAt };
}

function filed(purchase: Purchase | NewPurchase, again: boolean, freeze: Freeze | null): Filed {
  const { id, state, kind, basket, quantity, orderId } = purchase;
  return { id, state, kind, basket, quantity, orderId, again, freeze };
}

/** Equal for reviews that say the same: one that arrives twice is the same, one that says anything else is another. */
export function reviewId({ content, reason }: Pick<Proposal, 'content' | 'reason'>, found: Review | Refusal): string {
  const said = isRefusal(found)
    ? found.refused
    : [found.needsApproval, found.twoPeople, found.twin?.id, found.lastTwin, found.unseen, shownAmount(found.cost)];
  const shown = JSON.stringify([contentKey(content), reason, said]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 32);
}

export function subjectOf(
  { submission, content }: Pick<Proposal, 'submission' | 'content'>,
  requesterIds: ReadonlySet<string>,
  policy: Policy,
  click?: Click,
): FilingSubject {
  const { kind, plan } = content;
  return {
    submission,
    contentKey: contentKey(content),
    requesterIds: [...requesterIds],
    orderId: kind === 'renew' ? content.orderId : null,
    priced: { kind, productId: plan.productId, basket: kind === 'buy' ? content.basket : [] },
    dollars: dollarsBy(policy),
    click: click?.id,
  };
}

/** The first limit that `quantity` more IPs would break. */
export function overLimits(quantity: number | null, counted: number, { limits }: Policy): Refusal | undefined {
  if (quantity === null) return undefined;
  if (quantity > limits.ipsPerOrder) return { refused: 'over_order_limit', quantity, limit: limits.ipsPerOrder };
  if (counted + quantity > limits.ipsPerPersonPerDay)
    return { refused: 'over_day_limit', quantity, counted, limit: limits.ipsPerPersonPerDay };
  return undefined;
}

/**
 * How many others must approve it; none where the requester's own confirmation is enough. Where the policy says two things, the
 * stricter one holds.
 * @param own with what it is expected to cost
 */
export function peopleNeeded(
  kind: Purchase['kind'],
  own: Counted,
  facts: { readonly counted: number; readonly others: readonly Counted[]; readonly spent: MonthSpent | null },
  policy: Policy,
): 0 | 1 | 2 {
  const { approvals } = policy;
  if (approvals.mode === 'off') return 0;
  if (needsTwoPeople(own, facts.others, policy)) return 2;
  if (kind === 'renew' && approvals.renewalsNeedApproval) return 1;
  if (mayBeOver(own.cost, facts.spent, policy)) return 1;
  return isFree(own, facts, approvals) ? 0 : 1;
}

function isFree(
  own: Counted,
  { counted, others }: { readonly counted: number; readonly others: readonly Counted[] },
  { freeUpTo, freeUpToDollars }: Extract<Policy['approvals'], { mode: 'channel' }>,
): boolean {
  if (own.quantity === null || (freeUpTo !== null && counted + own.quantity > freeUpTo)) return false;
  return freeUpToDollars === null || comeToMore([...others, own], freeUpToDollars) === false;
}

/**
 * Whoever splits a request asks for all of it: what the same person has asked for counts together, IPs on the same plan and dollars on
 * all. Of unknown size or cost, it is taken for more.
 */
export function needsTwoPeople(own: Counted, others: readonly Counted[], policy: Policy): boolean {
  return twoPeopleFor(own, others, policy) !== null;
}

/** What it is that needs two people; null where one is enough. */
export function twoPeopleFor(
  own: Counted,
  others: readonly Counted[],
  { approvals }: Policy,
): 'ips' | 'dollars' | null {
  if (approvals.mode === 'off') return null;
  const { twoPeopleAbove, twoPeopleAboveDollars } = approvals;
  const { quantity, plan } = own;
  if (twoPeopleAbove !== null && (quantity === null || quantity + countedOn(plan, others) > twoPeopleAbove))
    return 'ips';
  if (twoPeopleAboveDollars === null || comeToMore([...others, own], twoPeopleAboveDollars) === false) return null;
  return 'dollars';
}

/** IPs on the same plan. */
export function countedOn(plan: Purchase['plan'], others: readonly Counted[]): number {
  return others.filter((other) => samePlan(other.plan, plan)).reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** The same product: what would be sent is the same. */
export function samePlan(a: Purchase['plan'], b: Purchase['plan']): boolean {
  return a.productId === b.productId && a.type === b.type && a.networkType === b.networkType;
}

/** Whether the ledger has seen this order: bought, renewed or imported. */
export function isKnown(order: OrderFacts | null): boolean {
  return order !== null && (placedOf(order) !== null || order.renewals.length > 0);
}
