import { pricedOf } from '../purchasing/model/account.ts';
import type { DollarsBy, ExpectedCost, MonthSpent } from '../purchasing/model/cost.ts';
import { COUNTED_STATES, type Purchase } from '../purchasing/model/purchase.ts';
import type { Quotient } from '../purchasing/model/quotient.ts';
import { spentOf } from '../purchasing/rules/dollars.ts';
import { spanOf } from '../purchasing/rules/periods.ts';
import { zoneOf } from '../purchasing/rules/zones.ts';
import { countedInMonth, ownCosts } from './costs.ts';
import { expectedCost, expectedCosts } from './prices.ts';
import { costsAtFiling } from './records.ts';
import { number, toPurchase } from './rows.ts';
import { anyOf, inParts, list, type Row, type Sql, sifted } from './sql.ts';

// What purchases have cost or are expected to, for the limits in dollars: read inside the transaction that decides on it.

/** As of now; what was expected at filing where that is not known any more. */
export async function costOf(sql: Sql, purchase: Purchase): Promise<ExpectedCost> {
  const now = await expectedCost(sql, pricedOf(purchase));
  return now.known ? now : ((await costsAtFiling(sql, [purchase.id])).get(purchase.id) ?? now);
}

/** What each has cost, where it was observed alone, else what was expected of it at filing, else what is expected now; null where nothing is known. */
export async function countedCosts(sql: Sql, purchases: readonly Purchase[]): Promise<readonly (Quotient | null)[]> {
  const own = await ownCosts(sql, purchases);
  const others = purchases.filter(({ id }) => !own.has(id));
  const expected = await expectedCosts(sql, others.map(pricedOf));
  const now = new Map(others.map(({ id }, nth) => [id, expected[nth]]));
  return purchases.map(({ id }) => {
    const cost = now.get(id);
    return own.get(id) ?? (cost?.known ? cost.amount : null);
  });
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
  const counted = await countedInMonth(sql, spanOf('this month', now, zoneOf(timeZone)).from, ids);
  const rows: Row[] = [];
  for (const some of inParts(counted.others)) {
    const those = anyOf(some);
    rows.push(
      ...(await sql.all(
        `SELECT * FROM purchases WHERE id IN (${those.list}) AND ${sifted(`state IN (${list(COUNTED_STATES)})`)}`,
        those.params,
      )),
    );
  }
  const own = rows.find((row) => row['id'] === except);
  const purchases = rows.filter((row) => row !== own && !(own && waitsBehind(row, own))).map(toPurchase);
  const costs = await countedCosts(sql, purchases);
  const persons = costs.filter((_, index) => ids.includes(purchases[index]?.requesterPerson ?? ''));
  return { person: spentOf([counted.theirs, ...persons]), everybody: spentOf([counted.everybody, ...costs]) };
}

function waitsBehind(row: Row, own: Row): boolean {
  const waits = row['state'] === 'requested' || row['state'] === 'approved';
  return waits && number(row, 'seq') > number(own, 'seq');
}
