import { expect, test } from 'vitest';
import { createHomes } from '../../src/ledger/homes.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createOrders } from '../../src/ledger/orders.ts';
import type { Database, Params, Sql } from '../../src/ledger/sql.ts';
import { scratchFile } from '../support/scratch.ts';
import { ANN, closeAfterwards } from './fixture.ts';

test('what a Home tab is drawn from costs no look at every purchase, entry or order', async () => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  const asked: [string, Params | undefined][] = [];
  const listening = (sql: Sql): Sql => ({
    ...sql,
    now: () => sql.now(),
    all: (statement, params) => {
      asked.push([statement, params]);
      return sql.all(statement, params);
    },
  });
  const watched: Database = { ...database, read: (work) => database.read((sql) => work(listening(sql))) };
  const ledger = createLedger(watched);
  const owners = [ANN, 'W0ANN'];
  await ledger.open();
  await ledger.outcomesOf(owners, 20);
  await ledger.freeze();
  await createOrders(watched).page({ which: 'running', endingWithinMs: 1, owners }, 0, 10);
  await createHomes(watched).lease(10, 1_000, 10);
  const plans = await Promise.all(
    asked.map(async ([statement, params]) => {
      const rows = await database.read((sql) => sql.all(`EXPLAIN QUERY PLAN ${statement}`, params));
      return rows.map(({ detail }) => String(detail));
    }),
  );
  expect(asked.length).toBeGreaterThanOrEqual(7);
  // What is counted is cut off before.
  expect(plans.flat().filter((step) => /^SCAN (?!desk|counted|CONSTANT ROW)/.test(step))).toEqual([]);
  // The last ones are read from the index's end, not sorted out of all.
  const outcomes = plans.filter((_, index) => asked[index]?.[0].includes('NOT IN'));
  expect(outcomes.flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
});
