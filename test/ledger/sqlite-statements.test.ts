import { constants, DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { pages } from '../../src/ledger/sql.ts';
import { sqliteStatements } from '../../src/ledger/sqlite/statements.ts';

test('a statement is planned once, whatever limit it is given later', async () => {
  const connection = new DatabaseSync(':memory:');
  onTestFinished(() => connection.close());
  connection.exec('CREATE TABLE numbers (seq INTEGER PRIMARY KEY) STRICT; INSERT INTO numbers VALUES (1), (2), (3)');
  let planned = 0;
  // Asked whenever a statement is planned.
  connection.setAuthorizer(() => {
    planned += 1;
    return constants.SQLITE_OK;
  });
  const sql = sqliteStatements(connection, Date.now);
  const numbers = 'SELECT seq FROM numbers WHERE seq > :after ORDER BY seq LIMIT :page';
  const asked = async (page: number) => {
    const found: number[] = [];
    for await (const rows of pages(sql, numbers, {}, { page })) found.push(rows.length);
    return found;
  };
  expect(await asked(3)).toEqual([3]);
  const first = planned;
  expect(first).toBeGreaterThan(0);
  expect(await asked(2)).toEqual([2, 1]);
  expect(await asked(1)).toEqual([1, 1, 1]);
  expect(planned).toBe(first);
});
