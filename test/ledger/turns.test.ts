import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { type Database, PAGE, type Sql } from '../../src/ledger/sql.ts';
import { createStatus } from '../../src/ledger/status.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';
import { growLedger } from './grown.ts';
import { HOT_PATH } from './hot-path.ts';
import { partsOn } from './many-orders.ts';

// SQLite answers within the process that acks clicks: what it is asked holds up everybody, so nothing may be long.

const DAY = 86_400_000;

test.each(['read', 'write'] as const)('a long %s lets others go first before it has ended', async (how) => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  let othersWent = false;
  setImmediate(() => {
    othersWent = true;
  });
  const AT_MOST = 1_000_000;
  const asked = await database[how](async (sql) => {
    let n = 0;
    for (; n < AT_MOST && !othersWent; n += 1) await sql.all('SELECT 1 AS one');
    return n;
  });
  expect(asked).toBeLessThan(AT_MOST);
});

test('a transaction that lets others go first is not seen, and not joined, before it has ended', async () => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  const count = (sql: Sql) => sql.all('SELECT COUNT(*) AS count FROM clicks').then(([row]) => row?.['count']);
  const seen: unknown[] = [];
  let next: Promise<unknown> | undefined;
  setImmediate(() => {
    next = Promise.all([
      database.read(count).then((found) => seen.push(found)),
      database.write(count).then((found) => seen.push(found)),
    ]);
  });
  await database.write(async (sql) => {
    await sql.run(`INSERT INTO clicks (id, at, result) VALUES ('one', 0, 'done')`);
    while (seen.length === 0) await sql.all('SELECT 1 AS one');
    await sql.run(`INSERT INTO clicks (id, at, result) VALUES ('two', 0, 'done')`);
  });
  await next;
  expect(seen).toEqual([0, 2]);
});

test('however busy a day was, no statement of the hot path gives more at once than is soon understood', async () => {
  const path = scratchFile();
  // 15 hours of it, and more than a page that nobody has decided.
  await growLedger(path, 3_000, { everyMinutes: 0.3, open: 700 });
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
  const given = new Map<string, number>();
  const counting = (sql: Sql): Sql => ({
    ...sql,
    async all(statement, params) {
      const rows = await sql.all(statement, params);
      // What is a purchase takes ten times as long to understand as what is a line of a few columns.
      const weight = rows[0] && 'content_key' in rows[0] ? rows.length : rows.length / 10;
      given.set(statement, Math.max(given.get(statement) ?? 0, weight));
      return rows;
    },
  });
  const seen: Database = {
    ...opened.database,
    read: (work) => opened.database.read((sql) => work(counting(sql))),
    write: (work) => opened.database.write((sql) => work(counting(sql))),
  };
  const parts = partsOn(seen, opened);
  for (const step of Object.values(HOT_PATH)) await step(parts);
  const { ledger, outbox, alerts, endings } = parts;
  const now = Date.now();
  expect(await ledger.open()).toHaveLength(700 + 1);
  await ledger.overdue(0);
  await outbox.undecidedFor(0);
  await alerts.watch(() => null);
  await endings.between(now, now + 90 * DAY);
  await endings.kept(now, now + 90 * DAY);
  await createStatus(seen).counts();
  const tooMuch = [...given].filter(([, most]) => most > PAGE);
  expect(tooMuch).toEqual([]);
});
