import { createAccount } from '../../src/ledger/account.ts';
import { createAlerts } from '../../src/ledger/alerts.ts';
import { refreshCosts } from '../../src/ledger/costs.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { createOrders } from '../../src/ledger/orders.ts';
import type { Database } from '../../src/ledger/sql.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import { spendFacts } from '../../src/purchasing/rules/spend.ts';
import { Spending } from '../../src/purchasing/spending.ts';
import { POLICY } from '../views/fixture.ts';
import { MANY, overheard, type Statement } from './many-orders.ts';
import { ANN, HOUR, START } from './purchases.ts';

const DAY = 24 * HOUR;
const AT_ONCE = 1_000;

/** To {@link manyOrders}: a balance read after each, which it has changed by a dollar. Written by statements alone. */
export async function manyReadings({ database }: OpenLedger, before = ''): Promise<void> {
  await database.write(async (sql) => {
    await sql.script(before);
    for (let from = 0; from <= MANY; from += AT_ONCE) {
      const until = Math.min(MANY, from + AT_ONCE - 1);
      const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${until})`;
      const at = `${START} - CAST(${MANY} - n AS BIGINT) * ${HOUR}`;
      await sql.run(
        `INSERT INTO balance_readings (balance, asker, asked_at, at, asked_after, kept_after, unbooked, changed_from, went_back)
         ${numbers} SELECT CAST(1000000 - n AS TEXT) || '.00', 'after', ${at}, ${at}, 1, 1, '[]', CASE WHEN n > 0 THEN n END, 0
         FROM numbers ORDER BY n`,
      );
      await sql.run(
        `INSERT INTO balance_change_purchases (reading, purchase_id)
         ${numbers} SELECT n + 1, 'many ' || (${MANY} + 1 - n) FROM numbers WHERE n > 0`,
      );
    }
    await sql.run('UPDATE desk SET judged_up_to = (SELECT MAX(seq) FROM balance_readings)');
    // All that run are kept, so that all are priced; and nothing is computed anew for it.
    await sql.run(
      `INSERT INTO entries (order_id, at, by, kind, detail)
       SELECT order_id, ${START}, '${ANN}', 'order_intent', '{"intent":"keep","endsAt":' || ends_at || '}' FROM orders
       WHERE ends_at > ${START} ORDER BY ends_at LIMIT 400`,
    );
    await sql.run('DELETE FROM stale_orders');
  });
  const stale = () => database.read((sql) => sql.all('SELECT 1 FROM stale_costs LIMIT 1'));
  while ((await stale()).length > 0) await database.write(refreshCosts);
}

const US = { kind: 'buy', productId: 'lt-monthly', basket: [{ country: 'US', quantity: 1 }] } as const;

type Look = (on: Database, id: string) => Promise<unknown>;

/** What is asked of the account again and again; by name. Of its statements none may read all there is. */
export const ACCOUNT_LOOKS: Readonly<Record<string, Look>> = {
  'movements of a day': (on) => createAccount(on).movements(START - DAY, START),
  'movements since one': (on) => createAccount(on).movementsAfter(MANY - 10),
  'purchases of a day': (on) => createAccount(on).purchases(START - DAY, START),
  'renewals of a day': (on) => createAccount(on).renewals(START - DAY, START),
  'what a day was spent on': (on) => spendFacts(createAccount(on), { from: START - DAY, to: START }),
  'costs of some': (on) => createAccount(on).costs(['many 1', 'many 2']),
  'prices of some': (on) => createAccount(on).estimates([US, { ...US, kind: 'renew' }]),
  'what the month has cost, at a filing': (on) =>
    createLedger(on).filingFacts({
      submission: 'none',
      contentKey: 'none',
      requesterIds: [ANN],
      orderId: null,
      priced: US,
      dollars: { timeZone: 'UTC' },
    }),
  'what the month has cost, at a decision': (on, id) =>
    createLedger(on).change(id, () => ({ result: null, by: 'desk' }), {
      dollars: { timeZone: 'UTC' },
      requesterIds: [ANN],
    }),
  'what is computed again': (on) => on.write(refreshCosts),
  'a look for alerts, the first and another': async (on) => {
    const alerts = createAlerts(on);
    await alerts.watch(() => null);
    await on.write((sql) => sql.run('UPDATE desk SET low_since = 0'));
    await alerts.watch(() => null);
  },
  '`/proxy balance`': (on) =>
    new Spending({
      account: createAccount(on),
      orders: createOrders(on),
      ledger: createLedger(on),
      directory: {} as Directory,
      policy: () => POLICY,
    }).outlook(),
};

/** By what each look takes: its name, and how the database finds it. */
export async function plansOfLooks(
  { database }: OpenLedger,
  plansOf: (statements: readonly Statement[]) => Promise<readonly string[]>,
  id: string,
): Promise<readonly { readonly look: string; readonly plans: readonly string[] }[]> {
  const found = [];
  for (const [look, take] of Object.entries(ACCOUNT_LOOKS)) {
    const { seen, statements } = overheard(database);
    await take(seen, id);
    if (statements.length === 0) throw new Error(`nothing was asked for ${look}`);
    found.push({ look, plans: await plansOf(statements) });
  }
  return found;
}
