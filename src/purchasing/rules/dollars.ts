import { type DollarsBy, isAbove, type MonthSpent, reaches, type Spent } from '../model/cost.ts';
import type { Money } from '../model/money.ts';
import type { Policy } from '../model/policy.ts';
import type { Counted } from '../model/purchase.ts';
import { inCents, NOTHING, plus, type Quotient } from '../model/quotient.ts';
import type { Refusal } from '../model/refusals.ts';

// Limits in dollars, on what was observed and on what is expected at observed prices. Where that is not known, the stricter way is
// taken that still lets a team buy what it has never bought: somebody else has to approve it, who sees that no price is known.

/** Whether the policy says anything in dollars: then the ledger is asked for what that needs. */
export function countsDollars({ approvals, limits }: Policy): boolean {
  const own = approvals.mode === 'off' ? [] : [approvals.freeUpToDollars, approvals.twoPeopleAboveDollars];
  return [...own, limits.dollarsPerPersonPerMonth, limits.dollarsPerMonth].some((limit) => limit !== null);
}

/** What no price is known of is approved by somebody who sees that. */
export function unpricedNeedsApproval(policy: Policy): boolean {
  return policy.approvals.mode === 'channel' && countsDollars(policy);
}

/** By which months; null where the policy says nothing in dollars. */
export function dollarsBy(policy: Policy): DollarsBy | null {
  return countsDollars(policy) ? { timeZone: policy.reports.timeZone } : null;
}

/** @param costs null where not known */
export function spentOf(costs: readonly (Quotient | null)[]): Spent {
  return {
    amount: costs.reduce<Quotient>((sum, cost) => (cost === null ? sum : plus(sum, cost)), NOTHING),
    unpriced: costs.filter((cost) => cost === null).length,
  };
}

export function withSpent(spent: MonthSpent | null, costs: readonly (Quotient | null)[]): MonthSpent | null {
  if (spent === null) return null;
  const more = spentOf(costs);
  const both = ({ amount, unpriced }: Spent) => ({
    amount: plus(amount, more.amount),
    unpriced: unpriced + more.unpriced,
  });
  return { person: both(spent.person), everybody: both(spent.everybody) };
}

/** The first limit of the month that this would break: of what it costs where that is known, else as soon as nothing is left. */
export function overDollars(
  cost: Quotient | null,
  spent: MonthSpent | null,
  { limits, reports }: Policy,
): Refusal | undefined {
  if (spent === null) return undefined;
  for (const { whose, limit, of } of limitsOf(spent, limits)) {
    const over = cost === null ? reaches(of.amount, limit) : isAbove(plus(of.amount, cost), limit);
    if (over)
      return {
        refused: 'over_dollar_limit',
        whose,
        spent: inCents(of.amount),
        cost: cost === null ? null : inCents(cost),
        limit,
        timeZone: reports.timeZone,
      };
  }
  return undefined;
}

/** Whether a limit of the month may be broken by it, since nobody knows what it costs, or what something else has cost. */
export function mayBeOver(cost: Quotient | null, spent: MonthSpent | null, { limits }: Policy): boolean {
  if (limits.dollarsPerPersonPerMonth === null && limits.dollarsPerMonth === null) return false;
  if (cost === null || spent === null) return true;
  return limitsOf(spent, limits).some(({ of }) => of.unpriced > 0);
}

function limitsOf({ person, everybody }: MonthSpent, limits: Policy['limits']) {
  const all: readonly { readonly whose: 'person' | 'everybody'; readonly limit: Money | null; readonly of: Spent }[] = [
    { whose: 'person', limit: limits.dollarsPerPersonPerMonth, of: person },
    { whose: 'everybody', limit: limits.dollarsPerMonth, of: everybody },
  ];
  return all.flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]));
}

/** Whether it comes to more than this together with the others; null where nobody can tell. */
export function comeToMore(all: readonly Pick<Counted, 'cost'>[], limit: Money): boolean | null {
  const { amount, unpriced } = spentOf(all.map(({ cost }) => cost));
  if (isAbove(amount, limit)) return true;
  return unpriced > 0 ? null : false;
}
