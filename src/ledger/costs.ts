import type { Money } from '../purchasing/model/money.ts';
import { OPEN_STATES, type Purchase } from '../purchasing/model/purchase.ts';
import { multiply, NOTHING, plus, type Quotient } from '../purchasing/model/quotient.ts';
import { costsOf } from './movements.ts';
import { costsAtFiling } from './records.ts';
import { number, text, toPurchase } from './rows.ts';
import { anyOf, insertRows, list, type Row, type Sql, sifted } from './sql.ts';

// What completed purchases have cost, kept so that a month of them is added up and not read. Triggers mark whose cost is to be computed again.

/** In one transaction: others wait meanwhile. */
const REFRESHED_AT_ONCE = 500;

/** What each has cost where it was observed alone, else what was expected of it at filing, by id; where neither is known, nothing. */
export async function ownCosts(sql: Sql, purchases: readonly Purchase[]): Promise<ReadonlyMap<string, Quotient>> {
  const completed = purchases.filter(({ state }) => state === 'completed').map(({ id }) => id);
  const observed = await costsOf(sql, completed);
  const costs = new Map<string, Quotient>(Array.from(observed, ([id, amount]) => [id, { amount, divisor: 1n }]));
  const others = purchases.map(({ id }) => id).filter((id) => !costs.has(id));
  for (const [id, then] of await costsAtFiling(sql, others)) if (then.known) costs.set(id, then.amount);
  return costs;
}

/** Computes anew what is kept, of some of those of which something was written. */
export async function refreshCosts(sql: Sql): Promise<void> {
  const rows = await sql.all(
    'SELECT p.* FROM stale_costs stale CROSS JOIN purchases p WHERE p.id = stale.purchase_id ORDER BY stale.purchase_id LIMIT :limit',
    { limit: REFRESHED_AT_ONCE },
  );
  if (rows.length === 0) return;
  const those = anyOf(rows.map((row) => text(row, 'id')));
  await sql.run(`DELETE FROM stale_costs WHERE purchase_id IN (${those.list})`, those.params);
  const completed = rows.map(toPurchase).filter(({ state }) => state === 'completed');
  const costs = await ownCosts(sql, completed);
  await insertRows(
    sql,
    'purchase_costs',
    completed.map(({ id, requesterPerson, changedAt }) => ({
      purchase_id: id,
      person: requesterPerson,
      completed_at: changedAt,
      amount: costs.get(id)?.amount ?? null,
      divisor: String(costs.get(id)?.divisor ?? 1n),
    })),
  );
}

/** What counts in a month: of most that were completed a sum, and all others by id. */
export interface MonthCounted {
  /** Open, or completed and of no cost that is kept. */
  readonly others: readonly string[];
  /** Of these persons' completed purchases, exactly. */
  readonly theirs: Quotient;
  readonly everybody: Quotient;
}

/** In one statement: between two a purchase could become one of the others, or stop being one. @param ids of one person */
export async function countedInMonth(sql: Sql, since: number, ids: readonly string[]): Promise<MonthCounted> {
  const person = anyOf(ids, 'id');
  const other = `NULL AS amount, NULL AS divisor, 0 AS theirs, 1 AS times`;
  const rows = await sql.all(
    // CROSS: SQLite begins with the few that are stale.
    `SELECT id, ${other} FROM purchases WHERE state IN (${list(OPEN_STATES)})
     UNION ALL SELECT p.id, ${other} FROM stale_costs stale CROSS JOIN purchases p
       WHERE p.id = stale.purchase_id AND ${sifted(`p.state = 'completed' AND p.changed_at >= :since`)}
     UNION ALL SELECT purchase_id, ${other} FROM purchase_costs WHERE amount IS NULL AND completed_at >= :since
     UNION ALL SELECT NULL, amount, divisor, theirs, COUNT(*) FROM (
       SELECT amount, divisor, CASE WHEN person IN (${person.list}) THEN 1 ELSE 0 END AS theirs
       FROM purchase_costs WHERE amount IS NOT NULL AND completed_at >= :since) AS kept
       GROUP BY amount, divisor, theirs`,
    { since, ...person.params },
  );
  const kept = rows.filter((row) => row['id'] === null);
  return {
    others: rows.flatMap((row) => (row['id'] === null ? [] : [text(row, 'id')])),
    theirs: sumOf(kept.filter((row) => number(row, 'theirs') === 1)),
    everybody: sumOf(kept),
  };
}

function sumOf(rows: readonly Row[]): Quotient {
  return rows.reduce<Quotient>((all, row) => {
    const cost = { amount: text(row, 'amount') as Money, divisor: BigInt(text(row, 'divisor')) };
    return plus(all, multiply(cost, number(row, 'times')));
  }, NOTHING);
}
