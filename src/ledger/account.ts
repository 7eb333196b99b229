import type { Asker, Link } from '../purchasing/model/account.ts';
import type { Purchase } from '../purchasing/model/purchase.ts';
import type { Span } from '../purchasing/model/spend.ts';
import type { Account } from '../purchasing/ports/account.ts';
import { inTurns } from '../turns.ts';
import { firstLink, keepReading, LINKS, lastLink, lastWritten, toLink } from './chain.ts';
import { refreshCosts } from './costs.ts';
import { candidatesIn, costsOf, movementsAfter, movementsIn } from './movements.ts';
import { estimatesOf } from './prices.ts';
import { number, text, toPurchase } from './rows.ts';
import { AT_ONCE, anyOf, type Database, inParts, one, pagesByTime, type Row, type Sql } from './sql.ts';

/** What the balances tell, on any database. Movements are found by an index, and explained by what the purchases are by now. */
export function createAccount(database: Database): Account {
  return {
    ticket: () => database.read(async (sql) => ({ ...(await lastWritten(sql)), askedAt: await sql.now() })),
    keep: (ticket, reading) =>
      database.write(
        async (sql) => {
          const isLink = await keepReading(sql, ticket, reading);
          await refreshCosts(sql);
          return isLink;
        },
        // One that is lost was never taken, and the next one shows the same change.
        isOfPurchase(reading.asker) ? 'now' : 'later',
      ),

    first: () => database.read(firstLink),
    latest: () => database.read(lastLink),
    asOf: (at) => database.read((sql) => linkAsOf(sql, at)),

    movements: (from, to) => database.read((sql) => movementsIn(sql, { from, to })),
    movementsAfter: (seq) => database.read((sql) => movementsAfter(sql, seq)),

    purchases: (from, to) => database.read((sql) => purchasesIn(sql, { from, to })),
    renewals: (from, to) => database.read((sql) => renewalsIn(sql, { from, to })),
    costs: (purchases) => database.read((sql) => costsOf(sql, purchases)),

    estimates: (all) => database.read(async (sql) => estimatesOf(sql, all)),

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

export async function linkAsOf(sql: Sql, at: number): Promise<Link | null> {
  const row = await one(sql, `${LINKS} AND at <= :at ORDER BY at DESC, seq DESC LIMIT 1`, { at });
  return row ? toLink(row) : null;
}

/** Those that explain a change of this time, or may, and those that were sent in it; as they were filed. */
export async function purchasesIn(sql: Sql, span: Span): Promise<readonly Purchase[]> {
  const ids = new Set<string>();
  for await (const some of candidatesIn(sql, span)) for (const id of some) ids.add(id);
  for await (const some of sentIn(sql, span)) for (const id of some) ids.add(id);
  const found: { readonly seq: number; readonly purchase: Purchase }[] = [];
  for (const some of inParts([...ids])) {
    const { list, params } = anyOf(some);
    for await (const row of inTurns(
      await sql.all(`SELECT * FROM purchases WHERE id IN (${list}) ORDER BY seq`, params),
    ))
      found.push({ seq: number(row, 'seq'), purchase: toPurchase(row) });
  }
  // Nearly in order by then, which is soon put right.
  found.sort((a, b) => a.seq - b.seq);
  const purchases: Purchase[] = [];
  for await (const { purchase } of inTurns(found)) purchases.push(purchase);
  return purchases;
}

/** A page at a time, by time. */
async function* sentIn(sql: Sql, { from, to }: Span): AsyncGenerator<readonly string[]> {
  const statement = `SELECT e.seq, e.at, e.purchase_id FROM entries e
       WHERE e.to_state = 'sending' AND (e.at, e.seq) > (:at, :seq) AND e.at <= :to ORDER BY e.at, e.seq LIMIT :page`;
  for await (const rows of pagesByTime(sql, statement, { to }, { from }))
    yield rows.map((row) => text(row, 'purchase_id'));
}

async function renewalsIn(sql: Sql, span: Span): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const some of candidatesIn(sql, span, `p.kind = 'renew'`)) for (const id of some) ids.add(id);
  return ids;
}

function isOfPurchase(asker: Asker): boolean {
  return asker === 'before' || asker === 'after';
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
