import { expect, test } from 'vitest';
import { createEndings } from '../../src/ledger/endings.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Database, Sql } from '../../src/ledger/sql.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';

test('what ends is found without reading the whole book, however long it is', async () => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  const plans: string[] = [];
  const explained = (sql: Sql): Sql => ({
    ...sql,
    async all(statement, params) {
      const plan = await sql.all(`EXPLAIN QUERY PLAN ${statement}`, params);
      plans.push(...plan.map((row) => String(row['detail'])));
      return sql.all(statement, params);
    },
  });
  const watched: Database = { ...database, read: (work) => database.read((sql) => work(explained(sql))) };
  const endings = createEndings(watched);
  await endings.between(1, 2);
  await endings.kept(1, 2);
  await endings.isWritten('a');
  await endings.rowsOf('a');
  expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
  expect(plans.join('\n')).toContain('orders_kept');
  expect(plans.join('\n')).toContain('orders_by_end');
});
