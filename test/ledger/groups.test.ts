import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
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

/** How many ways to the disk these took, each of which asks so many turns of the event loop after now. */
async function waysOf(all: readonly { readonly id: string; readonly turns: number }[]): Promise<number> {
  const { database, aside } = await opened();
  const ways = new Set<unknown>();
  await Promise.all(
    all.map(async ({ id, turns }) => {
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await database.write(click(id));
      ways.add(aside.prepare('SELECT COUNT(*) AS count FROM clicks').get()?.['count']);
    }),
  );
  return ways.size;
}

test('they go to the disk together, and not one by one', async () => {
  expect(await waysOf(names(50).map((id) => ({ id, turns: 0 })))).toBeLessThanOrEqual(3);
});

test('so do those of a crowd, of whom one asks after the other, each as soon as it is heard', async () => {
  // The last one first: within a turn, whoever asks is heard before the write looks who has.
  const crowd = names(20).map((id, nth) => ({ id, turns: nth + 1 }));
  expect(await waysOf(crowd.toReversed())).toBe(1);
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
