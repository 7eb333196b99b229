import { expect, test } from 'vitest';
import { probeLedger } from '../../src/ledger/open.ts';
import { aPurchase, filed } from '../ledger/fixture.ts';
import { asAdmin, emptyDatabase, freshDatabase, theServer } from './databases.ts';
import { openAt } from './fixture.ts';

const probe = (url: string) => probeLedger({ kind: 'postgres', url });

/** Everything that stands in the database: what is asked of it must not show. */
async function standing(url: string) {
  const { database } = await openAt(url);
  return database.read(async (sql) => ({
    tables: await sql.all(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`,
    ),
    home: await sql.all('SELECT * FROM home'),
    commits: await sql.all('SELECT COUNT(*) AS count FROM commits'),
    purchases: await sql.all('SELECT id FROM purchases'),
  }));
}

test('a ledger on PostgreSQL is written and read, and nothing of it stays', async () => {
  const url = await freshDatabase();
  const { ledger } = await openAt(url);
  await filed(ledger, aPurchase());
  const before = await standing(url);
  const { schema, latest } = await probe(url);
  expect(schema).toBe(latest);
  expect(await standing(url)).toEqual(before);
});

test('a database without a ledger stays without one', async () => {
  const url = await emptyDatabase();
  for (const _ of ['once', 'again']) expect(await probe(url)).toMatchObject({ schema: 0 });
});

test('a database in which the bot may make no tables is found before the first start', async () => {
  const url = await emptyDatabase();
  await asAdmin(await theServer(), [`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO owner`]);
  await expect(probe(url)).rejects.toMatchObject({
    message: expect.stringMatching(/lacks a permission/),
    remedy: expect.stringMatching(/own the database/),
  });
});
