import type { Link, Movement } from '../purchasing/model/account.ts';
import { difference, type Money } from '../purchasing/model/money.ts';
import type { Purchase, State } from '../purchasing/model/purchase.ts';
import type { Span } from '../purchasing/model/spend.ts';
import type { Account } from '../purchasing/ports/account.ts';
import { type Candidate, type Change, movementOf } from '../purchasing/rules/movements.ts';
import { estimate } from '../purchasing/rules/prices.ts';
import { firstLink, keepReading, LINKS, lastLink, lastWritten, observedPrices, READINGS_DUE, toLink } from './chain.ts';
import { number, text, toPurchase } from './rows.ts';
import { AT_ONCE, anyOf, type Database, inParts, one, type Params, type Row, type Sql } from './sql.ts';

/** What the balances tell, on any database. Movements are found by an index, and explained by what the purchases are by now. */
export function createAccount(database: Database): Account {
  return {
    ticket: () => database.read(async (sql) => ({ ...(await lastWritten(sql)), askedAt: await sql.now() })),
    keep: (ticket, reading) => database.write((sql) => keepReading(sql, ticket, reading)),

    first: () => database.read(firstLink),
    latest: () => database.read(lastLink),
    asOf: (at) => database.read((sql) => linkAsOf(sql, at)),

    movements: (from, to) =>
      database.read((sql) => movementsWhere(sql, 'later.at > :from AND later.at <= :to', { from, to })),
    movementsAfter: (seq) => database.read((sql) => movementsWhere(sql, 'later.seq > :seq', { seq })),

    purchases: (from, to) => database.read((sql) => purchasesIn(sql, { from, to })),
    costs: (purchases) => database.read((sql) => costsOf(sql, purchases)),

    estimate: (of) => database.read(async (sql) => estimate(of.basket, await observedPrices(sql, of))),

    async thin(after, olderThanMs) {
      const old = await database.read((sql) => oldReadings(sql, after, olderThanMs));
      const { list, params } = anyOf(old.filter(mayGo).map((row) => number(row, 'seq')));
      // What nobody needed when it was looked at, nobody will: only the last link gets a successor, and it stays.
      if (list !== 'NULL')
        await database.write((sql) => sql.run(`DELETE FROM balance_readings WHERE seq IN (${list})`, params));
      const last = old.at(-1);
      return last ? number(last, 'seq') : null;
    },
  };
}

/** Of the changes for which the condition holds, a condition on the `later` of their two links. */
export async function movementsWhere(
  sql: Sql,
  condition: string,
  params: Params,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly Movement[]> {
  const rows = await sql.all(
    `SELECT later.seq, later.at, later.balance, later.went_back, earlier.at AS earlier_at, earlier.balance AS earlier_balance
     FROM balance_readings later JOIN balance_readings earlier ON earlier.seq = later.changed_from
     WHERE later.changed_from IS NOT NULL AND ${condition} ORDER BY later.seq LIMIT :limit`,
    { ...params, limit },
  );
  const movements: Movement[] = [];
  for (const some of inParts(rows)) {
    const changes = some.map(toChange);
    const candidates = await candidatesOf(
      sql,
      changes.map(({ seq }) => seq),
    );
    movements.push(...changes.map((change) => movementOf(change, candidates.get(change.seq) ?? [])));
  }
  return movements;
}

export async function linkAsOf(sql: Sql, at: number): Promise<Link | null> {
  const row = await one(sql, `${LINKS} AND at <= :at ORDER BY at DESC, seq DESC LIMIT 1`, { at });
  return row ? toLink(row) : null;
}

/** Those that explain a change of this time, or may, and those that were sent in it: all entries of that are after its first link's. */
export async function purchasesIn(sql: Sql, { from, to }: Span): Promise<readonly Purchase[]> {
  const rows = await sql.all(
    `SELECT p.* FROM purchases p WHERE p.id IN (
       SELECT c.purchase_id FROM balance_readings later JOIN balance_change_purchases c ON c.reading = later.seq
         WHERE later.changed_from IS NOT NULL AND later.at > :from AND later.at <= :to
       UNION
       SELECT e.purchase_id FROM entries e WHERE e.to_state = 'sending' AND e.at > :from AND e.at <= :to AND e.seq > :after)
     ORDER BY p.seq`,
    { from, to, after: (await linkAsOf(sql, from))?.keptAfter ?? 0 },
  );
  return rows.map(toPurchase);
}

function toChange(row: Row): Change {
  return {
    seq: number(row, 'seq'),
    from: number(row, 'earlier_at'),
    to: number(row, 'at'),
    before: text(row, 'earlier_balance') as Money,
    after: text(row, 'balance') as Money,
    wentBack: number(row, 'went_back') === 1,
  };
}

async function candidatesOf(sql: Sql, readings: readonly number[]): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const { list, params } = anyOf(readings);
  const rows = await sql.all(
    `SELECT c.reading, p.id, p.state, ${READINGS_DUE} AS readings_due
     FROM balance_change_purchases c JOIN purchases p ON p.id = c.purchase_id
     WHERE c.reading IN (${list}) ORDER BY c.reading, p.seq`,
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
    for (const id of ids) {
      const [only, ...others] = movements.filter((movement) => movement.purchases.includes(id));
      if (only && others.length === 0 && only.kind === 'ours' && only.purchases.length === 1)
        costs.set(id, difference(only.before, only.after));
    }
  }
  return costs;
}

/** The next ones, as far as they are old. */
async function oldReadings(sql: Sql, after: number, olderThanMs: number): Promise<readonly Row[]> {
  const rows = await sql.all(
    `SELECT seq, at, changed_from,
       (seq IN (SELECT MIN(seq) FROM balance_readings WHERE unbooked IS NOT NULL UNION ALL SELECT MAX(seq) FROM balance_readings WHERE unbooked IS NOT NULL)
         OR EXISTS (SELECT 1 FROM balance_readings later WHERE later.changed_from = r.seq)) AS wanted
     FROM balance_readings r WHERE seq > :after ORDER BY seq LIMIT :limit`,
    { after, limit: AT_ONCE },
  );
  const until = (await sql.now()) - olderThanMs;
  const young = rows.findIndex((row) => number(row, 'at') > until);
  return young === -1 ? rows : rows.slice(0, young);
}

/** The first and the last link stay, and of a run of equal ones its first and last. */
function mayGo(row: Row): boolean {
  return row['changed_from'] === null && !row['wanted'];
}
