import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';
import { describeMigrating } from './migrating.ts';
import { describeMigratingOrders } from './migrating-orders.ts';
import { type WrittenBy, writtenBy } from './written-by.ts';

describeMigrating((now, more) => opened(2, now, more));
describeMigratingOrders((now) => opened(5, now));

async function opened(version: WrittenBy, now: () => number, more = '') {
  const path = scratchFile();
  const before = new DatabaseSync(path);
  const { schema, rows } = writtenBy(version, 'sqlite');
  before.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  const triggers = before.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all();
  for (const { name } of triggers) before.exec(`DROP TRIGGER ${String(name)}`);
  before.exec(rows);
  for (const { sql } of triggers) before.exec(String(sql));
  before.exec(more);
  before.close();
  return closeAfterwards(await openLedger({ kind: 'sqlite', path }, now));
}
