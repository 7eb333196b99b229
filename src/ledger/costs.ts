import type { Money } from '../purchasing/model/money.ts';
import type { Purchase } from '../purchasing/model/purchase.ts';
import { multiply, NOTHING, plus, type Quotient } from '../purchasing/model/quotient.ts';
import { costsOf } from './movements.ts';
import { costsAtFiling } from './records.ts';
import { number, text, toPurchase } from './rows.ts';
import { anyOf, insertRows, type Sql } from './sql.ts';

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
  const { list, params } = anyOf(rows.map((row) => text(row, 'id')));
  await sql.run(`DELETE FROM stale_costs WHERE purchase_id IN (${list})`, params);
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

/** The sum of what is kept of those that were completed since then, exactly. @param ids of one person, or of everybody */
export async function keptCosts(sql: Sql, since: number, ids?: readonly string[]): Promise<Quotient> {
  const { list, params } = anyOf(ids ?? [], 'id');
  const rows = await sql.all(
    `SELECT amount, divisor, COUNT(*) AS times FROM purchase_costs
     WHERE amount IS NOT NULL AND completed_at >= :since${ids === undefined ? '' : ` AND person IN (${list})`} GROUP BY amount, divisor`,
    { since, ...params },
  );
  return rows.reduce<Quotient>((all, row) => {
    const cost = { amount: text(row, 'amount') as Money, divisor: BigInt(text(row, 'divisor')) };
    return plus(all, multiply(cost, number(row, 'times')));
  }, NOTHING);
}
