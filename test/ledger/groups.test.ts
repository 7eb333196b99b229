import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { Sql } from '../../src/ledger/sql.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';

// Writes that are asked for in the same moment share a transaction: what each of them may rely on all the same.

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

test('nobody hears of a write before it is on disk, however many share the way there', async () => {
  const { database, kept } = await opened();
  const all = names(50);
  await Promise.all(
    all.map(async (id, nth) => {
      await database.write(click(id));
      expect(kept().slice(0, nth + 1)).toEqual(all.slice(0, nth + 1));
    }),
  );
  expect(kept()).toEqual(all);
});

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

test('each sees what those before it have written', async () => {
  const { database } = await opened();
  const counts = await Promise.all(
    names(30).map((id) =>
      database.write(async (sql) => {
        await click(id)(sql);
        return (await sql.all('SELECT COUNT(*) AS count FROM clicks'))[0]?.['count'];
      }),
    ),
  );
  expect(counts).toEqual(Array.from({ length: 30 }, (_, nth) => nth + 1));
});

test('one that fails, half done, fails alone: nothing of it is kept, and all of the others once', async () => {
  const { database, kept } = await opened();
  const all = names(10);
  const ended = await Promise.allSettled(
    all.map((id, nth) =>
      database.write(async (sql) => {
        await click(id)(sql);
        if (nth === 4) throw new Error('a mistake of its own');
        // The database's own no: the click has counted before.
        if (nth === 7) await click('click 0')(sql);
        return id;
      }),
    ),
  );
  const done = all.filter((_, nth) => nth !== 4 && nth !== 7);
  expect(ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))).toEqual(done);
  expect(ended[4]).toMatchObject({ reason: { message: 'a mistake of its own' } });
  expect(ended[7]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
  expect(kept()).toEqual(done);
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
