import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLedger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Database } from '../../src/ledger/sql.ts';
import { filed, WAY_TO, walked } from '../ledger/purchases.ts';
import { makeScratch } from '../support/scratch-root.ts';
import { alternate, type Figure } from './figures.ts';

const ROUNDS = 7;
const PURCHASES = 150;
const COMMITS = 600;

/** A purchase through its states, each of which is one durable commit, beside commits of one row that do nothing else. */
export async function measureLedger(): Promise<readonly Figure[]> {
  using folder = makeScratch();
  let commits = 0;
  const opened = await openLedger({ kind: 'sqlite', path: join(folder.path, 'desk.db') });
  const counting: Database = {
    ...opened.database,
    write(work) {
      commits += 1;
      return opened.database.write(work);
    },
  };
  const ledger = createLedger(counting);
  const bare = new DatabaseSync(join(folder.path, 'bare.db'));
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE commits (at INTEGER) STRICT');
  const insert = bare.prepare('INSERT INTO commits VALUES (?)');
  const ours = async () => {
    commits = 0;
    const before = performance.now();
    for (let n = 0; n < PURCHASES; n += 1) await walked(ledger, await filed(ledger), ...WAY_TO.completed);
    return (commits / (performance.now() - before)) * 1_000;
  };
  const disk = async () => {
    const before = performance.now();
    for (let n = 0; n < COMMITS; n += 1) insert.run(n);
    return (COMMITS / (performance.now() - before)) * 1_000;
  };
  try {
    const found = await alternate(ROUNDS, (side) => (side === 'ours' ? ours() : disk()));
    const each = commits / PURCHASES;
    return [
      {
        what: `durable commits a second, of which a purchase takes ${each} (filed, approved, sending, completed)`,
        unit: '/s',
        ...found,
        target: 0.7,
        moreIsBetter: true,
      },
    ];
  } finally {
    bare.close();
    await opened.close();
  }
}
