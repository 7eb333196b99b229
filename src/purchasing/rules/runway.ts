import { inTurns } from '../../turns.ts';
import type { Movement } from '../model/account.ts';
import { compare, difference, isPositive, type Money, NO_MONEY, sum } from '../model/money.ts';
import type { Order } from '../model/order.ts';
import type { Term } from '../model/policy.ts';
import { compareQuotients, divide, minus, multiply, NOTHING, plus, type Quotient } from '../model/quotient.ts';
import { dueAfter } from './calendar.ts';

const DAY_MS = 86_400_000;

/** Nobody plans further ahead, and by then no price is what it was. In days. */
export const FORESEEN_DAYS = 365;

/** The pace is that of so long a time. */
export const PACE_OVER_MS = 30 * DAY_MS;

/** What has left the account, and for how long it was watched. */
export interface Pace {
  readonly spent: Money;
  readonly overMs: number;
}

/** All that left the account between these readings, whoever took it; what came in is not set against it. */
export async function spentIn(movements: readonly Movement[]): Promise<Money> {
  let spent = NO_MONEY;
  for await (const { before, after } of inTurns(movements))
    if (compare(after, before) < 0) spent = sum(spent, difference(before, after));
  return spent;
}

/** A day of watching is the least of which a pace can be told: a purchase an hour ago is not one an hour. */
export function isPace({ overMs }: Pace): boolean {
  return overMs >= DAY_MS;
}

/**
 * Whole days for which the balance is enough if money goes on leaving at this pace: 0 where it is used up within a day.
 * @returns null where no end is in sight: nothing is spent, it was watched too shortly, or it is enough for {@link FORESEEN_DAYS}.
 */
export function daysLeft(balance: Money, pace: Pace): number | null {
  return isPace(pace) ? lasts(balance, pace, 0, []) : null;
}

/** A renewal that is to be paid at that time. */
export interface DueRenewal {
  readonly at: number;
  readonly cost: Quotient;
  /** It is filed by itself; else it was renewed before, and so probably will be. */
  readonly kept: boolean;
}

export interface RunwayFacts {
  readonly now: number;
  readonly balance: Money;
  /** All that was spent. */
  readonly all: Pace;
  /** Without what is known to be renewals. */
  readonly withoutRenewals: Pace;
  readonly due: readonly DueRenewal[];
}

/** Whole days; null where no end is in sight. */
export interface Runway {
  readonly least: number | null;
  readonly most: number | null;
}

/**
 * Nobody knows what will be spent. So three ways to go on are counted: at the pace so far; at the pace of all but renewals, with
 * those that are kept on their days; and with those that are probably renewed as well. What comes true is likely between the shortest and the
 * longest.
 * @returns undefined where no pace is known yet
 */
export function runway({ now, balance, all, withoutRenewals, due }: RunwayFacts): Runway | undefined {
  if (!isPace(all)) return undefined;
  const kept = due.filter((renewal) => renewal.kept);
  const ways = [
    lasts(balance, all, now, []),
    lasts(balance, withoutRenewals, now, kept),
    lasts(balance, withoutRenewals, now, due),
  ].map((days) => days ?? Number.POSITIVE_INFINITY);
  const [least, most] = [Math.min(...ways), Math.max(...ways)];
  return { least: foreseen(least), most: foreseen(most) };
}

function foreseen(days: number): number | null {
  return Number.isFinite(days) ? days : null;
}

function lasts(balance: Money, { spent, overMs }: Pace, now: number, due: readonly DueRenewal[]): number | null {
  if (!isPositive(balance)) return 0;
  const aDay = divide(multiply({ amount: spent, divisor: 1n }, DAY_MS), overMs);
  const soonest = due.toSorted((a, b) => a.at - b.at);
  let left: Quotient = { amount: balance, divisor: 1n };
  for (let day = 1, next = 0; day <= FORESEEN_DAYS; day += 1) {
    left = minus(left, aDay);
    for (; (soonest[next]?.at ?? Number.POSITIVE_INFINITY) <= now + day * DAY_MS; next += 1)
      left = minus(left, soonest[next]?.cost ?? NOTHING);
    if (compareQuotients(left, NOTHING) < 0) return day - 1;
  }
  return null;
}

/** An order, and what renewing it costs at observed prices; null where no price is observed. */
export interface PricedOrder {
  readonly order: Pick<Order, 'endsAt' | 'plan' | 'intent' | 'renewals'>;
  readonly cost: Quotient | null;
}

export interface Due {
  readonly renewals: readonly DueRenewal[];
  /** Orders that will probably be renewed, and that nobody knows the price of. */
  readonly unpriced: number;
}

/** The renewals of the orders that run, until then, each at every end: of those that are kept, and of those that were renewed before. */
export function dueRenewals(orders: readonly PricedOrder[], now: number, until: number): Due {
  let unpriced = 0;
  const renewals: DueRenewal[] = [];
  for (const { order, cost } of orders) {
    const { endsAt, intent, plan } = order;
    const kept = intent === 'keep';
    const probable = kept || (intent === null && order.renewals > 0);
    if (!probable || endsAt === null || endsAt <= now || endsAt > until) continue;
    if (cost === null) unpriced += 1;
    else for (const at of endsOf(endsAt, plan.term, until)) renewals.push({ at, cost, kept });
  }
  return { renewals, unpriced };
}

function endsOf(first: number, term: Term | null, until: number): readonly number[] {
  if (term === null) return [first];
  const ends: number[] = [];
  for (let times = 0, at = first; at <= until; times += 1, at = dueAfter(first, Array<Term>(times).fill(term)))
    ends.push(at);
  return ends;
}

/** What these renewals cost together. */
export function costOfRenewals(renewals: readonly DueRenewal[]): Quotient {
  return renewals.reduce((all, { cost }) => plus(all, cost), NOTHING);
}
