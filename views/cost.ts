import { plural } from '../src/plural.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import { type ExpectedCost, NO_PRICE, shownAmount, showTheSame } from '../src/purchasing/model/cost.ts';
import { costAtFiling } from '../src/purchasing/model/entries.ts';
import { difference, formatDollars, isPositive } from '../src/purchasing/model/money.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { NOTHING, plus } from '../src/purchasing/model/quotient.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import type { Labelled } from './facts.ts';
import { capital, country, day } from './format.ts';
import { literal } from './text.ts';

// What something is expected to cost: always as observed, never as a quote.

const COUNTRIES_NAMED = 3;
const DAY_MS = 86_400_000;

/** `about $48.00 at prices observed, latest Nov 12, 4 purchases, unchanged since Nov 3` */
export function costText(cost: ExpectedCost): string {
  const amount = shownAmount(cost);
  if (!cost.known || amount === null) return noPrice(cost);
  const { since, latest, observations } = cost;
  const purchases = plural(observations, 'purchase');
  const unchanged = latest - since < DAY_MS ? '' : `, unchanged since ${day(since)}`;
  return `about ${formatDollars(amount)} at prices observed, latest ${day(latest)}, ${purchases}${unchanged}`;
}

/** In a form, with what would be left. @param strict what no price is known of needs approval */
export function costInForm(cost: ExpectedCost, balance: BalanceReading | null, strict: boolean): string {
  const needs = !cost.known && strict ? ', so it needs approval' : '';
  return `${costText(cost)}${needs}${leftText(balance, cost)}`;
}

/** `about $48.00`, in a line that says elsewhere how that is known. */
export function costShort(cost: ExpectedCost): string {
  const amount = shownAmount(cost);
  return amount === null ? noPrice(cost) : `about ${formatDollars(amount)}`;
}

/** For which country, where the prices of others are known. */
function noPrice(cost: ExpectedCost): string {
  const missing = cost.known ? [] : cost.missing;
  const named = missing.slice(0, COUNTRIES_NAMED).map((code) => literal(country(code), 80));
  const more = missing.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `no price observed yet${named.length === 0 ? '' : ` for ${named.join(', ')}${rest}`}`;
}

/** ` · about $904.00 would be left`; nothing where either is not known. */
export function leftText(balance: BalanceReading | null, cost: ExpectedCost): string {
  const amount = shownAmount(cost);
  if (balance === null || !balance.ok || amount === null) return '';
  const left = difference(balance.balance, amount);
  return isPositive(difference(amount, balance.balance))
    ? ` · about ${formatDollars(difference(amount, balance.balance))} more than the balance`
    : ` · about ${formatDollars(left)} would be left`;
}

/** Of several: known only where each is. */
export function costOfAll(costs: readonly ExpectedCost[]): ExpectedCost {
  const missing = [...new Set(costs.flatMap((cost) => (cost.known ? [] : cost.missing)))];
  const known = costs.filter((cost) => cost.known);
  if (known.length < costs.length || known.length === 0) return { known: false, missing };
  return {
    known: true,
    amount: known.reduce((sum, { amount }) => plus(sum, amount), NOTHING),
    oldest: Math.min(...known.map(({ oldest }) => oldest)),
    since: Math.max(...known.map(({ since }) => since)),
    latest: Math.max(...known.map(({ latest }) => latest)),
    // Rows may share a price: of these purchases the most that are surely different ones.
    observations: Math.max(...known.map(({ observations }) => observations)),
  };
}

/** The same in words: where some have no price, what the others come to stands beside it. */
export function costOfAllText(costs: readonly ExpectedCost[]): string {
  const known = costs.filter((cost) => cost.known);
  const all = costText(costOfAll(costs));
  return known.length === 0 || known.length === costs.length ? all : `${all}; the others ${costText(costOfAll(known))}`;
}

/** What is still to be known by what it has cost; then the balances tell. */
function isAhead({ state }: Pick<Purchase, 'state'>): boolean {
  return state === 'requested' || state === 'approved' || state === 'sending' || state === 'unknown';
}

export type CostSurroundings = Pick<Surroundings, 'costs' | 'balance'>;

/** What the person saw who asked for it, and what it is now where that is another. */
export function costFields({ purchase, entries }: PurchaseRecord, around: CostSurroundings): readonly Labelled[] {
  const then = isAhead(purchase) ? costAtFiling(entries) : null;
  if (then === null) return [];
  const now = around.costs.get(purchase.id);
  return [['Cost', thenAndNow([then], now === undefined ? [then] : [now], around.balance)]];
}

type Costs = ReadonlyMap<string, ExpectedCost>;

/** The same of all rows that are not over, together. */
export function costFieldsOf(
  rows: readonly Purchase[],
  then: Costs,
  now: Costs,
  balance: BalanceReading | null,
): readonly Labelled[] {
  const ahead = rows.filter(isAhead);
  const thens = ahead.flatMap(({ id }) => then.get(id) ?? []);
  if (ahead.length === 0 || thens.length < ahead.length) return [];
  const nows = ahead.map(({ id }, index) => now.get(id) ?? thens[index] ?? NO_PRICE);
  return [['Cost', thenAndNow(thens, nows, balance)]];
}

/** ` · about $48.00`, at the end of a row's line. */
export function rowCost(row: Purchase, then: Costs, now: Costs): string {
  const was = isAhead(row) ? then.get(row.id) : undefined;
  if (was === undefined) return '';
  const is = now.get(row.id);
  return ` · ${costShort(was)}${is === undefined || showTheSame(was, is) ? '' : ` (by now ${costShort(is)})`}`;
}

function thenAndNow(
  thens: readonly ExpectedCost[],
  nows: readonly ExpectedCost[],
  balance: BalanceReading | null,
): string {
  const now = costOfAll(nows);
  if (thens.every((then, index) => showTheSame(then, nows[index] ?? then)))
    return `${capital(costOfAllText(thens))}${leftText(balance, now)}`;
  return `When it was asked for: ${costOfAllText(thens)}\n*By now: ${costOfAllText(nows)}*${leftText(balance, now)}`;
}
