import { describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/ledger/sql.ts';
import type { Setup } from '../conformance.ts';

const click = (id: string) => (sql: Sql) =>
  sql.run(`INSERT INTO clicks (id, at, result) VALUES (:id, 0, 'done')`, { id });

const kept = async (sql: Sql) => (await sql.all('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id);

const names = (count: number) => Array.from({ length: count }, (_, nth) => `click ${String(nth).padStart(2, '0')}`);

/** What each of the writes may rely on that are asked for in the same moment, and so go to the disk together. */
export function describeGroups(setup: Setup): void {
  describe('writes of one moment', () => {
    test('are each heard of only when every other process can see them, and those before them', async () => {
      const { database, openAgain } = await setup();
      const { database: elsewhere } = await openAgain();
      const all = names(50);
      await Promise.all(
        all.map(async (id, nth) => {
          await database.write(click(id));
          expect((await elsewhere.read(kept)).slice(0, nth + 1)).toEqual(all.slice(0, nth + 1));
        }),
      );
    });

    test('each see what those before them have written', async () => {
      const { database } = await setup();
      const all = names(30);
      const seen = await Promise.all(
        all.map((id) =>
          database.write(async (sql) => {
            await click(id)(sql);
            return (await kept(sql)).length;
          }),
        ),
      );
      expect(seen).toEqual(all.map((_, nth) => nth + 1));
    });

    test('fail alone, also half done: nothing is kept of what failed, and all of the others once', async () => {
      const { database } = await setup();
      const all = names(10);
      const ended = await Promise.allSettled(
        all.map((id, nth) =>
          database.write(async (sql) => {
            await click(id)(sql);
            if (nth === 4) throw new Error('a mistake of its own');
            // The database's own no: this one has counted before.
            if (nth === 7) await click('click 00')(sql);
            return id;
          }),
        ),
      );
      const done = all.filter((_, nth) => nth !== 4 && nth !== 7);
      expect(ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))).toEqual(done);
      expect(ended[4]).toMatchObject({ reason: { message: 'a mistake of its own' } });
      expect(ended[7]).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } });
      expect(await database.read(kept)).toEqual(done);
    });
  });
}
