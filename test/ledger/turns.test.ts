import { expect, test } from 'vitest';
import { createInstances } from '../../src/ledger/instances.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { AT_ONCE, type Database, PAGE, type Sql } from '../../src/ledger/sql.ts';
import { createStatus } from '../../src/ledger/status.ts';
import { turn } from '../../src/turns.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';
import { BUSY, growLedger } from './grown.ts';
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

test('many short transactions on end let others go first before the last', async () => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  let othersWent = false;
  setImmediate(() => {
    othersWent = true;
  });
  const AT_MOST = 1_000_000;
  let n = 0;
  for (; n < AT_MOST && !othersWent; n += 1)
    await database[n % 2 === 0 ? 'read' : 'write']((sql) => sql.all('SELECT 1 AS one'));
  expect(n).toBeLessThan(AT_MOST);
});

test('who takes turns goes on one at a time: all together hold up nobody for longer than one of them', async () => {
  let others = 0;
  let ended = false;
  const count = () => {
    others += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const TOGETHER = 8;
  const seen = new Set<number>();
  let turnsTaken = 0;
  const work = async () => {
    for (let taken = 0; taken < 3; ) {
      const waits = turn();
      if (!waits) continue;
      await waits;
      taken += 1;
      turnsTaken += 1;
      seen.add(others);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  ended = true;
  expect(turnsTaken).toBe(3 * TOGETHER);
  expect(seen.size).toBeGreaterThan(2 * TOGETHER);
});

test('however busy a month was, no statement gives or changes more at once than is soon done', async () => {
  const path = scratchFile();
  // 15 hours of it, and more than a page that nobody has decided.
  await growLedger(path, 3_000, { everyMinutes: 0.3, open: 700 });
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
  const most = new Map<string, number>();
  const noted = (statement: string, rows: number) => most.set(statement, Math.max(most.get(statement) ?? 0, rows));
  const counting = (sql: Sql): Sql => ({
    ...sql,
    async all(statement, params) {
      const rows = await sql.all(statement, params);
      noted(statement, rows.length);
      return rows;
    },
    async run(statement, params) {
      const changed = await sql.run(statement, params);
      noted(statement, changed);
      return changed;
    },
  });
  const seen: Database = {
    ...opened.database,
    read: (work) => opened.database.read((sql) => work(counting(sql))),
    write: (work) => opened.database.write((sql) => work(counting(sql))),
  };
  const parts = partsOn(seen, opened);
  for (const step of Object.values(HOT_PATH)) await step(parts);
  const { ledger, orders, outbox, alerts, account, endings } = parts;
  const now = Date.now();
  const all = [now - 90 * DAY, now] as const;
  expect(await ledger.open()).toHaveLength(700 + 1);
  expect((await account.movements(...all)).length).toBeGreaterThan(4 * PAGE);
  expect((await account.movementsAfter(0)).length).toBeGreaterThan(4 * PAGE);
  expect((await account.renewals(...all)).size).toBeGreaterThan(PAGE);
  const bought = await account.purchases(...all);
  expect(bought.length).toBeGreaterThan(4 * PAGE);
  await account.costs(bought.map(({ id }) => id));
  await ledger.overdue(0);
  expect((await outbox.undecidedFor(0)).requests.length).toBeGreaterThan(PAGE);
  await opened.database.write((sql) => sql.run('UPDATE desk SET judged_up_to = 0'));
  await alerts.watch(() => null);
  expect((await endings.between(now, now + 90 * DAY)).length).toBeGreaterThan(2 * PAGE);
  await endings.kept(now, now + 90 * DAY);
  await orders.unnamed(100);
  await orders.page({ which: 'all', endingWithinMs: 0, owners: [BUSY, 'W0BUSY'], country: 'US' }, 0, 10);
  await createStatus(seen).counts();
  await createInstances(seen).beat(INSTANCE, 1_000);
  await createInstances(seen).beat({ ...INSTANCE, policyHash: 'another' }, 1_000);
  await ledger.changeFreeze(() => ({ result: null, to: { by: BUSY, reason: 'looking', at: now }, by: BUSY }));
  const drawn = new Set<number>();
  for (;;) {
    const leased = await outbox.leaseNotices(AT_ONCE, 60_000);
    if (leased.length === 0) break;
    for (const { id } of leased) drawn.add(id);
  }
  expect(drawn.size).toBeGreaterThan(4 * PAGE);
  await outbox.redrawOpen(0);
  expect([...most].filter(([, rows]) => rows > Math.max(PAGE, MESSAGES * AT_ONCE))).toEqual([]);
});

const INSTANCE = {
  id: 'one',
  version: '0',
  policyHash: 'a policy',
  policySince: null,
  vendorHash: 'a vendor',
  slack: null,
};

/** Of each purchase of {@link growLedger}. */
const MESSAGES = 3;
