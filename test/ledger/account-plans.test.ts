import { expect, test } from 'vitest';
import { createAccount } from '../../src/ledger/account.ts';
import { createAlerts } from '../../src/ledger/alerts.ts';
import { createLeases } from '../../src/ledger/leases.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { scratchFile } from '../support/scratch.ts';
import { manyReadings, plansOfLooks } from './account-looks.ts';
import { closeAfterwards, filed, START, walked } from './fixture.ts';
import { manyOrders, overheard, plansOf, type Statement } from './many-orders.ts';

const DAY = 86_400_000;

/** Beyond the last of an index, the few readings that are due, the few costs to be computed again, and what was found just before. */
const READS_ALL =
  /^SCAN (?!CONSTANT|last|twin|stale$|desk|counted|readings USING|balance_readings USING INDEX balance_links$|entries USING INDEX entries_of_sending$)/m;

const READING = { balance: '1' as Money, asker: 'command', taken: { process: 'one', ms: 0 } } as const;

test('balances, movements, costs and prices are found by an index, however long the history is', async () => {
  const { database, ledger, ...opened } = closeAfterwards(
    await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START),
  );
  const id = await filed(ledger);
  for (const balance of ['10', '9'] as Money[]) {
    await opened.account.keep(await opened.account.ticket(), { ...READING, balance });
    if (balance === '10') await walked(ledger, id, 'approved', 'sending');
  }
  const { seen, statements } = overheard(database);
  const account = createAccount(seen);
  await account.ticket();
  await account.latest();
  await account.asOf(START - DAY);
  await account.movements(START - 30 * DAY, START);
  await account.movementsAfter(0);
  await account.costs([id, 'P-2']);
  await account.estimates([{ kind: 'buy', productId: 'lt-monthly', basket: [{ country: 'US', quantity: 1 }] }]);
  await account.thin(7, 90 * DAY);
  await createLeases(seen).takeInterval(60_000, 1_000);
  await createAlerts(seen).watch(() => null);
  await createAlerts(seen).told(2);
  await createAlerts(seen).placesOf(2);
  const plans = await plansOf(database, 'EXPLAIN QUERY PLAN', statements);
  expect(plans).toHaveLength(25);
  for (const plan of plans) expect(plan).not.toMatch(READS_ALL);
});

test('of 10,000 purchases and as many movements none is read that is not asked for, and a few statements find the rest', async () => {
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await manyOrders(opened);
  await manyReadings(opened);
  const waits = await filed(opened.ledger);
  const explained = (statements: readonly Statement[]) => plansOf(opened.database, 'EXPLAIN QUERY PLAN', statements);
  for (const { look, plans } of await plansOfLooks(opened, explained, waits)) {
    for (const plan of plans) expect(plan, look).not.toMatch(READS_ALL);
    expect(plans.length, look).toBeLessThan(30);
  }
});

test('what a reading looks at when it is kept is found by an index too', async () => {
  const { database, account } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  const statements: string[] = [];
  const write: typeof database.write = (work) =>
    database.write((sql) =>
      work({
        ...sql,
        now: () => sql.now(),
        run: (statement, params) => sql.run(statement, params),
        all: (statement, params) => {
          statements.push(statement);
          return sql.all(statement, params);
        },
      }),
    );
  for (let n = 0; n < 2; n += 1) await createAccount({ ...database, write }).keep(await account.ticket(), READING);
  const plans = await database.read((sql) =>
    Promise.all(
      [...new Set(statements)].map(async (statement) => {
        const named = [...statement.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 1] as const);
        const rows = await sql.all(`EXPLAIN QUERY PLAN ${statement}`, Object.fromEntries(named));
        return [statement, ...rows.map(({ detail }) => String(detail))].join('\n');
      }),
    ),
  );
  expect(plans.length).toBeGreaterThan(4);
  for (const plan of plans) expect(plan).not.toMatch(READS_ALL);
});
