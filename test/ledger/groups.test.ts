import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { Sql } from '../../src/ledger/sql.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';

// Of writes that are asked for in the same moment, what is SQLite's own; all else is in conformance/groups.

async function opened() {
  const path = scratchFile();
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
  const aside = new DatabaseSync(path);
  /** As another process sees it. */
  const kept = () =>
    aside
      .prepare('SELECT id FROM clicks ORDER BY rowid')
      .all()
      .map(({ id }) => id);
  return { database, path, aside, kept };
}

const click = (id: string) => (sql: Sql) =>
  sql.run(`INSERT INTO clicks (id, at, result) VALUES (:id, 0, 'done')`, { id });

const names = (count: number) => Array.from({ length: count }, (_, nth) => `click ${nth}`);

test('they go to the disk together, and not one by one', async () => {
  const { database, aside } = await opened();
  let seen: unknown;
  let ways = 0;
  await Promise.all(
    names(50).map(async (id) => {
      await database.write(click(id));
      const now = aside.prepare('SELECT COUNT(*) AS count FROM clicks').get()?.['count'];
      if (now !== seen) ways += 1;
      seen = now;
    }),
  );
  expect(ways).toBeLessThanOrEqual(3);
});

test('where the ledger takes none of them, all are told so, nothing is kept, and what is asked for later is done', async () => {
  const { database, path, kept } = await opened();
  renameSync(`${path}-wal`, `${path}-wal.moved`);
  const ended = await Promise.allSettled(names(5).map((id) => database.write(click(id))));
  expect(ended.map((one) => one.status === 'rejected' && one.reason.message)).toEqual(
    Array.from({ length: 5 }, () => expect.stringContaining('was moved, removed or replaced')),
  );
  renameSync(`${path}-wal.moved`, `${path}-wal`);
  expect(kept()).toEqual([]);
  await database.write(click('later'));
  expect(kept()).toEqual(['later']);
});
