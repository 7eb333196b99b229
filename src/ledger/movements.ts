import type { Movement } from '../purchasing/model/account.ts';
import { difference, type Money } from '../purchasing/model/money.ts';
import type { State } from '../purchasing/model/purchase.ts';
import { type Candidate, type Change, movementOf } from '../purchasing/rules/movements.ts';
import { READINGS_DUE } from './chain.ts';
import { json, known } from './json-columns.ts';
import { number, text } from './rows.ts';
import { anyOf, inParts, type Params, type Row, type Sql } from './sql.ts';

/** Of the changes for which the condition holds, a condition on the `later` of their two links. */
export async function movementsWhere(
  sql: Sql,
  condition: string,
  params: Params,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly Movement[]> {
  const rows = await sql.all(
    `SELECT later.seq, later.at, later.balance, later.went_back, earlier.at AS earlier_at, earlier.balance AS earlier_balance,
       said.by AS known_by, said.at AS known_at, said.detail
     FROM balance_readings later JOIN balance_readings earlier ON earlier.seq = later.changed_from
       LEFT JOIN entries said ON said.reading = later.seq AND said.kind = 'fall_known'
     WHERE later.changed_from IS NOT NULL AND ${condition} ORDER BY later.seq LIMIT :limit`,
    { ...params, limit },
  );
  const last = rows.at(-1);
  if (!last) return [];
  const candidates = await candidatesOf(sql, condition, { ...params, last: number(last, 'seq') });
  return rows.map(toChange).map((change) => movementOf(change, candidates.get(change.seq) ?? []));
}

function toChange(row: Row): Change {
  return {
    seq: number(row, 'seq'),
    from: number(row, 'earlier_at'),
    to: number(row, 'at'),
    before: text(row, 'earlier_balance') as Money,
    after: text(row, 'balance') as Money,
    wentBack: number(row, 'went_back') === 1,
    ...(row['known_by'] === null
      ? {}
      : { known: { by: text(row, 'known_by'), at: number(row, 'known_at'), note: json(row, 'detail', known).note } }),
  };
}

/** @param params also `last`, the last change that is looked at */
async function candidatesOf(
  sql: Sql,
  condition: string,
  params: Params,
): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const rows = await sql.all(
    `SELECT c.reading, p.id, p.state, ${READINGS_DUE} AS readings_due
     FROM balance_readings later JOIN balance_change_purchases c ON c.reading = later.seq JOIN purchases p ON p.id = c.purchase_id
     WHERE later.changed_from IS NOT NULL AND ${condition} AND later.seq <= :last ORDER BY c.reading, p.seq`,
    params,
  );
  const candidates = rows.map((row) => ({
    reading: number(row, 'reading'),
    id: text(row, 'id'),
    state: text(row, 'state') as State,
    readingsDue: Boolean(row['readings_due']),
  }));
  return Map.groupBy(candidates, ({ reading }) => reading);
}

/** Only of those that explain one movement, and nothing else does: it is what they cost. */
export async function costsOf(sql: Sql, purchases: readonly string[]): Promise<ReadonlyMap<string, Money>> {
  const costs = new Map<string, Money>();
  for (const ids of inParts(purchases)) {
    const { list, params } = anyOf(ids, 'id');
    const movements = await movementsWhere(
      sql,
      `later.seq IN (SELECT reading FROM balance_change_purchases WHERE purchase_id IN (${list}))`,
      params,
    );
    const explained = Map.groupBy(
      movements.flatMap((movement) => movement.purchases.map((id) => ({ id, movement }))),
      ({ id }) => id,
    );
    for (const id of ids) {
      const [only, ...others] = (explained.get(id) ?? []).map(({ movement }) => movement);
      if (only && others.length === 0 && only.kind === 'ours' && only.purchases.length === 1)
        costs.set(id, difference(only.before, only.after));
    }
  }
  return costs;
}
