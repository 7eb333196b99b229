import { type Priced, pricedOf } from '../purchasing/model/account.ts';
import type { DollarsBy, ExpectedCost, MonthSpent } from '../purchasing/model/cost.ts';
import { OPEN_STATES, type Purchase } from '../purchasing/model/purchase.ts';
import type { Quotient } from '../purchasing/model/quotient.ts';
import { spentOf } from '../purchasing/rules/dollars.ts';
import { spanOf } from '../purchasing/rules/periods.ts';
import { expect } from '../purchasing/rules/prices.ts';
import { zoneOf } from '../purchasing/rules/zones.ts';
import { costsOf } from './account.ts';
import { observedPrices } from './chain.ts';
import { costsAtFiling } from './records.ts';
import { number, toPurchase } from './rows.ts';
import { list, type Row, type Sql } from './sql.ts';

// What purchases have cost or are expected to, for the limits in dollars: read inside the transaction that decides on it.

/** At the prices observed so far. */
export async function expectedCost(sql: Sql, of: Priced): Promise<ExpectedCost> {
  return expect(of.basket, await observedPrices(sql, of));
}

/** As of now; what was expected at filing where that is not known any more. */
export async function costOf(sql: Sql, purchase: Purchase): Promise<ExpectedCost> {
  const now = await expectedCost(sql, pricedOf(purchase));
  return now.known ? now : ((await costsAtFiling(sql, [purchase.id])).get(purchase.id) ?? now);
}

/** What each has cost, where it was observed alone, else what was expected of it at filing, else what is expected now; null where nothing is known. */
export async function countedCosts(sql: Sql, purchases: readonly Purchase[]): Promise<readonly (Quotient | null)[]> {
  const completed = purchases.filter(({ state }) => state === 'completed').map(({ id }) => id);
  const observed = await costsOf(sql, completed);
  const others = purchases.map(({ id }) => id).filter((id) => !observed.has(id));
  const then = await costsAtFiling(sql, others);
  const costs: (Quotient | null)[] = [];
  for (const purchase of purchases) {
    const cost = observed.get(purchase.id);
    if (cost !== undefined) {
      costs.push({ amount: cost, divisor: 1n });
      continue;
    }
    const atFiling = then.get(purchase.id);
    const expected = atFiling?.known ? atFiling : await expectedCost(sql, pricedOf(purchase));
    costs.push(expected.known ? expected.amount : null);
  }
  return costs;
}

/**
 * What was spent in this month, may have been or may yet be.
 * @param ids of one person
 * @param except the purchase that is looked at: itself, and what waits and was filed after it, is left out
 */
export async function spentInMonth(
  sql: Sql,
  now: number,
  { timeZone }: DollarsBy,
  ids: readonly string[],
  except: string | null = null,
): Promise<MonthSpent> {
  const rows = await sql.all(
    `SELECT * FROM purchases WHERE state IN (${list(OPEN_STATES)})
     UNION ALL SELECT * FROM purchases WHERE state = 'completed' AND changed_at >= :since`,
    { since: spanOf('this month', now, zoneOf(timeZone)).from },
  );
  const own = rows.find((row) => row['id'] === except);
  const purchases = rows.filter((row) => row !== own && !(own && waitsBehind(row, own))).map(toPurchase);
  const costs = await countedCosts(sql, purchases);
  const persons = costs.filter((_, index) => ids.includes(purchases[index]?.requesterPerson ?? ''));
  return { person: spentOf(persons), everybody: spentOf(costs) };
}

function waitsBehind(row: Row, own: Row): boolean {
  const waits = row['state'] === 'requested' || row['state'] === 'approved';
  return waits && number(row, 'seq') > number(own, 'seq');
}
