import { keptSubmission } from '../model/filing.ts';
import { type Freeze, isGoneBack } from '../model/freeze.ts';
import { formatDollars } from '../model/money.ts';
import type { Order, OrderFacts } from '../model/order.ts';
import type { NewNotice } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Proposal } from './filing.ts';
import { orderOf, saidLast } from './orders.ts';

type Kept = Order & { readonly endsAt: number };

/** A renewal that an order files by itself. */
export interface KeptRenewal {
  readonly order: Kept;
  readonly proposal: Proposal;
}

/** Why it is not filed: as a person's is refused, or for what only this one can lack. */
export type NotKept = Refusal | { readonly refused: 'no_owner' } | { readonly refused: 'missed' };

/**
 * What an order that is kept files, on the plan last paid if the policy still has it, in its owner's name; or why it cannot.
 * @returns undefined for one that is not kept.
 */
export function keptRenewal(
  facts: OrderFacts,
  { plans }: Pick<Policy, 'plans'>,
  now: number,
): KeptRenewal | { readonly order: Kept; readonly why: NotKept } | undefined {
  const order = orderOf(facts);
  if (order?.intent !== 'keep' || order.endsAt === null) return undefined;
  const { orderId, endsAt, owner } = order;
  const kept: Kept = { ...order, endsAt };
  if (endsAt <= now) return { order: kept, why: { refused: 'missed' } };
  if (owner === null) return { order: kept, why: { refused: 'no_owner' } };
  const plan = plans.find(({ productId }) => productId === order.plan.productId);
  if (!plan) return { order: kept, why: { refused: 'plan_gone', name: order.plan.name } };
  const by = saidLast(facts)?.by ?? owner;
  return {
    order: kept,
    proposal: {
      submission: keptSubmission(orderId, endsAt),
      requester: owner,
      content: { kind: 'renew', plan, orderId },
      reason: 'The order is kept: it is renewed before it ends.',
      separate: false,
      neverSeenAccepted: false,
      kept: { by, endsAt },
    },
  };
}

/** What tells which of them are due. */
export type KeepingPolicy = Pick<Policy, 'plans'> & {
  readonly reminders: Pick<Policy['reminders'], 'renewKeptBeforeMs'>;
};

/** How many of these file their renewal as soon as nothing stands in the way. */
export function countKeptDue(facts: readonly OrderFacts[], policy: KeepingPolicy, now: number): number {
  return facts.map((of) => keptRenewal(of, policy, now)).filter((found) => found && 'proposal' in found).length;
}

/** What whoever unfreezes is told of orders that file their renewal now, since they are kept; null where none does. */
export function keptDueText(was: Freeze, count: number): { readonly due: string; readonly terms: string } | null {
  if (count === 0) return null;
  const what =
    count === 1 ? '1 order that is kept files its renewal' : `${count} orders that are kept file their renewals`;
  const terms = isGoneBack(was)
    ? ", once more if the ledger has forgotten the first: none is sent before an approver has said yes. Look into the vendor's console first."
    : ', as the policy says.';
  return { due: `${what} within a minute`, terms };
}

/** Its owner and the approvers are told once for each end and cause; nobody where it only has to wait. */
export function owedWhereNotKept({ orderId, endsAt, owner }: Kept, why: NotKept): readonly NewNotice[] {
  const cause = causeOf(why, endsAt);
  if (cause === null) return [];
  const about = { kind: 'not_kept', about: null, text: sentence(orderId, endsAt, cause, why), by: owner } as const;
  const key = `not kept:${orderId}:${endsAt}:${why.refused}`;
  return [
    { ...about, key: `${key}:approvers`, audience: 'approvers' },
    ...(owner === null ? [] : [{ ...about, key: `${key}:owner`, audience: `user:${owner}` } as const]),
  ];
}

/** A freeze ends when somebody ends it, and what Slack did not tell it tells a moment later: looked at every minute. */
export function passesSoon({ refused }: NotKept): boolean {
  return ['kept_while_frozen', 'rights_unreadable', 'twin_just_declined', 'approval_now_needed'].includes(refused);
}

function sentence(orderId: string, endsAt: number, cause: string, { refused }: NotKept): string {
  const day = new Date(endsAt).toISOString().slice(0, 10);
  if (refused === 'missed')
    return `Order ${orderId} was to be kept, and ${cause}: by our reckoning it ended on ${day}. Nothing was filed and no money moved.`;
  return (
    `Order ${orderId} is kept, but its renewal could not be filed: ${cause}. By our reckoning it ends on ${day}. ` +
    'No money moved. It is tried again every hour until then; whoever may renew can also renew it by hand.'
  );
}

/** Null where it passes by itself, or where somebody is at it already. */
function causeOf(why: NotKept, endsAt: number): string | null {
  switch (why.refused) {
    case 'missed':
      return 'was not renewed in time';
    case 'no_owner':
      return 'nobody owns it';
    case 'barred':
    case 'not_in_group':
      return 'its owner may not renew orders any more';
    case 'nobody_in_group':
      return 'at present nobody may renew orders';
    case 'plan_gone':
      return `the plan last paid, ${why.name}, is no longer offered`;
    case 'over_order_limit':
      return `it has ${why.quantity} IPs, and one order may have at most ${why.limit}`;
    case 'over_day_limit':
      return `it has ${why.quantity} IPs, and its owner has ${why.counted} of ${why.limit} in the last 24 hours already`;
    case 'over_dollar_limit': {
      const { cost, whose, spent, limit, timeZone } = why;
      const own = cost === null ? 'no price is observed yet for it' : `it would cost about ${formatDollars(cost)}`;
      const who = whose === 'person' ? 'its owner has' : 'everybody together has';
      return `${own}, and ${who} spent or asked for about ${formatDollars(spent)} of ${formatDollars(limit)} in this calendar month (${timeZone}) already`;
    }
    case 'kept_while_frozen':
      return `spending is frozen (${why.freeze.reason})`;
    case 'kept_before_restore':
      return (
        'the ledger went back in time since “Keep” was said, and may have forgotten a renewal. Compare with the vendor’s console, and ' +
        'renew it by hand, or take “Keep” back and say it again'
      );
    case 'twin_completed':
      // It was renewed a moment ago, and ends so soon all the same: the next one waits a day, if there is a day.
      return why.twin.changedAt + DAY_MS < endsAt ? null : 'it was renewed less than 24 hours ago';
    case 'rights_unreadable':
    case 'twin_open':
    case 'twin_just_declined':
    case 'approval_now_needed':
    case 'not_kept_now':
      return null;
    default:
      return `it was refused (${why.refused})`;
  }
}

const DAY_MS = 86_400_000;
