import type { Movement } from '../purchasing/model/account.ts';
import { difference, type Money } from '../purchasing/model/money.ts';
import type { State } from '../purchasing/model/purchase.ts';
import type { Span } from '../purchasing/model/spend.ts';
import { type Candidate, type Change, movementOf } from '../purchasing/rules/movements.ts';
import { READINGS_DUE } from './chain.ts';
import { json, known } from './json-columns.ts';
import { number, text } from './rows.ts';
import { AT_ONCE, anyOf, inParts, type Params, pages, pagesByTime, type Row, type Sql, sifted } from './sql.ts';

/** Those of a time, by the clock of their later link; oldest first. */
export async function movementsIn(sql: Sql, span: Span): Promise<readonly Movement[]> {
  const found: Movement[] = [];
  for await (const rows of changesIn(sql, span)) for (const one of await understood(sql, rows)) found.push(one);
  // The clock may have jumped.
  return found.sort((a, b) => a.seq - b.seq);
}

/** All after this one; oldest first. */
export async function movementsAfter(sql: Sql, seq: number): Promise<readonly Movement[]> {
  const found: Movement[] = [];
  const all = pages(
    sql,
    `${CHANGES} AND later.seq > :after ORDER BY later.seq LIMIT :page`,
    {},
    { from: seq, page: AT_ONCE },
  );
  for await (const rows of all) for (const one of await understood(sql, rows)) found.push(one);
  return found;
}

/** Of the few changes for which the condition holds, a condition on the `later` of their two links. */
export async function movementsWhere(
  sql: Sql,
  condition: string,
  params: Params,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly Movement[]> {
  return understood(
    sql,
    await sql.all(`${CHANGES} AND ${condition} ORDER BY later.seq LIMIT :limit`, { ...params, limit }),
  );
}

/** What these purchases explain, or may, in this time. @param condition on the purchase `p` */
export async function* candidatesIn(sql: Sql, span: Span, condition = '1 = 1'): AsyncGenerator<readonly string[]> {
  for await (const changes of changesIn(sql, span)) {
    const { list, params } = anyOf(changes.map((row) => number(row, 'seq')));
    const rows = await sql.all(
      `SELECT DISTINCT p.id FROM balance_change_purchases c JOIN purchases p ON p.id = c.purchase_id
       WHERE c.reading IN (${list}) AND ${sifted(condition)}`,
      params,
    );
    yield rows.map((row) => text(row, 'id'));
  }
}

const CHANGES = `SELECT later.seq, later.at, later.balance, later.went_back, earlier.at AS earlier_at, earlier.balance AS earlier_balance,
    said.by AS known_by, said.at AS known_at, said.detail
  FROM balance_readings later JOIN balance_readings earlier ON earlier.seq = later.changed_from
    LEFT JOIN entries said ON said.reading = later.seq AND said.kind = 'fall_known'
  WHERE later.changed_from IS NOT NULL`;

/** A page at a time, by time. */
function changesIn(sql: Sql, { from, to }: Span): AsyncGenerator<readonly Row[]> {
  const statement = `${CHANGES} AND (later.at, later.seq) > (:at, :seq) AND later.at <= :to ORDER BY later.at, later.seq LIMIT :page`;
  return pagesByTime(sql, statement, { to }, { from, page: AT_ONCE });
}

async function understood(sql: Sql, rows: readonly Row[]): Promise<readonly Movement[]> {
  const changes = rows.map(toChange);
  const candidates = await candidatesOf(
    sql,
    changes.map(({ seq }) => seq),
  );
  return changes.map((change) => movementOf(change, candidates.get(change.seq) ?? []));
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

async function candidatesOf(sql: Sql, changes: readonly number[]): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const found = new Map<number, Candidate[]>();
  for (const some of inParts(changes)) {
    const { list, params } = anyOf(some);
    const rows = await sql.all(
      `SELECT c.reading, p.id, p.state, ${READINGS_DUE} AS readings_due
       FROM balance_change_purchases c JOIN purchases p ON p.id = c.purchase_id
       WHERE c.reading IN (${list}) ORDER BY c.reading, p.seq`,
      params,
    );
    for (const row of rows) {
      const of = found.get(number(row, 'reading')) ?? [];
      found.set(number(row, 'reading'), of);
      of.push({ id: text(row, 'id'), state: text(row, 'state') as State, readingsDue: Boolean(row['readings_due']) });
    }
  }
  return found;
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
