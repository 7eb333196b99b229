import { createAccount } from '../../src/ledger/account.ts';
import { createAlerts } from '../../src/ledger/alerts.ts';
import { createEndings } from '../../src/ledger/endings.ts';
import { createHomes } from '../../src/ledger/homes.ts';
import { createLeases } from '../../src/ledger/leases.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { createOrders } from '../../src/ledger/orders.ts';
import { createOutbox } from '../../src/ledger/outbox.ts';
import type { Database, Params, Sql } from '../../src/ledger/sql.ts';
import type { OrderPage, OrderQuery } from '../../src/purchasing/ports/orders.ts';
import { aBatch, filedBatch } from './batches.ts';
import { ANN, BEN, filed, HOUR, START, WAY_TO, walked } from './purchases.ts';

const DAY = 24 * HOUR;

/** So many orders that to read them all would be felt. */
export const MANY = 10_000;

/** So many in one statement: the bot's own limit of time for one holds here too. */
const AT_ONCE = 1_000;

/**
 * Every third is ANN's, every seventh has IPs in Germany, half have ended; bought one an hour. Written by statements alone, or it would take minutes.
 * @param before script that comes before all else in that transaction
 */
export async function manyOrders({ ledger, database }: OpenLedger, before = ''): Promise<void> {
  const first = await filed(ledger);
  for (let i = 0; i < 3; i += 1) await walked(ledger, await filed(ledger), ...WAY_TO.completed);
  const owner = `CASE WHEN n % 3 = 0 THEN '${ANN}' ELSE '${BEN}' END`;
  const endsAt = `${START} + CAST(n - ${MANY / 2} AS BIGINT) * ${HOUR}`;
  await database.write(async (sql) => {
    await sql.script(before);
    for (let from = 1; from <= MANY; from += AT_ONCE) {
      const until = from + AT_ONCE - 1;
      const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${until})`;
      const these = `IN (${numbers} SELECT 'many ' || n FROM numbers)`;
      const run = (statement: string) => sql.run(statement);
      await run(
        `INSERT INTO purchases (id, kind, state, requester, requester_person, plan, basket, quantity, order_id, reason, submission,
           content_key, needs_approval, created_at, expires_at, changed_at, send_by, changed_by, evidence)
         ${numbers} SELECT 'many ' || n, 'buy', 'requested', ${owner}, ${owner}, plan, basket, quantity, CAST(n AS TEXT), reason,
           'many ' || n, 'many ' || n, 0, created_at, expires_at, changed_at - CAST(n AS BIGINT) * ${HOUR}, NULL, changed_by, evidence
         FROM numbers CROSS JOIN (SELECT * FROM purchases WHERE id = '${first}') AS made`,
      );
      for (const state of ['unknown', 'completed'])
        await run(`UPDATE purchases SET state = '${state}', version = version + 1 WHERE id ${these}`);
      await run('DELETE FROM stale_orders');
      await run(
        `INSERT INTO orders (order_id, owner, intent, ends_at) ${numbers} SELECT CAST(n AS TEXT), ${owner}, NULL, ${endsAt} FROM numbers`,
      );
      await run(
        `INSERT INTO order_countries (country, ends_at, order_id) ${numbers} SELECT 'US', ${endsAt}, CAST(n AS TEXT) FROM numbers`,
      );
      await run(
        `INSERT INTO order_countries (country, ends_at, order_id) ${numbers} SELECT 'DE', ${endsAt}, CAST(n AS TEXT) FROM numbers WHERE n % 7 = 0`,
      );
    }
  });
}

export interface Statement {
  readonly statement: string;
  readonly params: Params | undefined;
}

const QUERY: OrderQuery = { which: 'running', endingWithinMs: 7 * DAY };

/** What people look at first, or most: by name, what is asked for, and how many there are. */
export const LOOKS: readonly (readonly [name: string, query: Partial<OrderQuery>, total: number])[] = [
  ['the first page', {}, 1_000],
  ['what ends soon', { which: 'ending' }, 168],
  ['what has ended', { which: 'ended' }, 1_000],
  ['all of them', { which: 'all' }, 1_000],
  ['a country', { country: 'DE' }, 714],
  ['a country that all have', { country: 'US', which: 'all' }, 1_000],
  ['one person’s', { owners: [ANN, 'W0ANN'] }, 1_000],
  ['somebody’s who has none', { owners: ['U0NOBODY'] }, 0],
  ['one person’s in one country', { owners: [ANN, 'W0ANN'], country: 'DE' }, 238],
];

/** The same database, and each statement that it is asked. */
export function overheard(database: Database): { readonly seen: Database; readonly statements: readonly Statement[] } {
  const statements: Statement[] = [];
  const listening = (sql: Sql): Sql => ({
    ...sql,
    now: () => sql.now(),
    all(statement, params) {
      statements.push({ statement, params });
      return sql.all(statement, params);
    },
    run(statement, params) {
      statements.push({ statement, params });
      return sql.run(statement, params);
    },
  });
  const seen: Database = {
    ...database,
    read: (work) => database.read((sql) => work(listening(sql))),
    write: (work) => database.write((sql) => work(listening(sql))),
  };
  return { seen, statements };
}

/** All of a ledger that its hot path needs, on this database. */
export function partsOn(database: Database, opened: OpenLedger): OpenLedger {
  return {
    ...opened,
    ledger: createLedger(database),
    orders: createOrders(database),
    outbox: createOutbox(database),
    homes: createHomes(database),
    leases: createLeases(database),
    account: createAccount(database),
    alerts: createAlerts(database),
    endings: createEndings(database),
  };
}

/** Looks, and tells each statement that it took. */
export async function looked(
  database: Database,
  query: Partial<OrderQuery>,
): Promise<{ readonly page: OrderPage; readonly statements: readonly Statement[] }> {
  const { seen, statements } = overheard(database);
  const orders = createOrders(seen);
  const [page] = await Promise.all([orders.page({ ...QUERY, ...query }, 0, 10), orders.unnamed(100)]);
  return { page, statements };
}

/** How the database says that it finds what each of them asks for. */
export async function plansOf(
  database: Database,
  explain: string,
  statements: readonly Statement[],
): Promise<readonly string[]> {
  const plans: string[] = [];
  for (const { statement, params } of statements) {
    const rows = await database.read((sql) => sql.all(`${explain} ${statement}`, params));
    const plan = rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
    plans.push(`${statement}\n${plan}`);
  }
  return plans;
}

/** A batch among all that, and the statements by which it is shown, decided about, sent and told of. */
export async function looksAtBatch(opened: OpenLedger): Promise<readonly Statement[]> {
  const batch = aBatch(3);
  const [row = ''] = await filedBatch(opened.ledger, batch);
  const { seen, statements } = overheard(opened.database);
  const ledger = createLedger(seen);
  const found = await ledger.batch(batch.id);
  if (found?.rows.length !== 3) throw new Error('the batch is not there');
  await ledger.sides(batch.id);
  await ledger.lane();
  await ledger.outcomesOf([ANN], 20);
  await createOutbox(seen).placesOf(batch.id);
  await createOutbox(seen).undecidedFor(0);
  await ledger.talk(batch.id, (about) => ({ result: about, by: ANN }), 'a click');
  await ledger.changeBatch(batch.id, (rows) => ({ result: rows.length, changes: new Map() }));
  await ledger.change(row, (purchase) => ({ result: purchase, by: ANN }));
  return statements;
}
