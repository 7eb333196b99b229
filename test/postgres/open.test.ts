import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { ANSWER_MS } from '../../src/ledger/postgres/connection.ts';
import { MIGRATION_LOCK } from '../../src/ledger/postgres/database.ts';
import { ANN, afterwards, closeAfterwards, EVERY_VERSION, filed, walked } from '../ledger/fixture.ts';
import { schemaOf } from '../ledger/written-by.ts';
import { scratchFile } from '../support/scratch.ts';
import { startCutter } from './cutter.ts';
import { asAdmin, emptyDatabase, freshDatabase, rowsAt, theServer } from './databases.ts';
import { openAt, openAtOnce } from './fixture.ts';
import { CREATE_USER, startPostgres, USER } from './server.ts';

async function refused(url: string): Promise<LedgerUnusable> {
  const found = await openAtOnce(url).catch((error: unknown) => error);
  if (!(found instanceof LedgerUnusable)) throw new Error(`not refused: ${String(found)}`);
  expect(found.remedy).not.toBe('');
  return found;
}

describe('opening', () => {
  test('by several replicas at once makes one ledger, and tells of it once', async () => {
    const url = await emptyDatabase();
    const warnings: string[] = [];
    const replicas = await Promise.all([1, 2, 3, 4].map(() => openAt(url, warnings)));
    const rows = await replicas[0]?.database.read((sql) =>
      sql.all('SELECT version FROM schema_migrations ORDER BY version'),
    );
    expect(rows).toEqual(EVERY_VERSION);
    expect(warnings).toEqual([expect.stringContaining('a new, empty ledger was begun')]);
  });

  test('waits for another replica that alters the schema for longer than for any other answer', async () => {
    const url = await emptyDatabase();
    const another = new pg.Client({ connectionString: url });
    await another.connect();
    afterwards(() => another.end());
    await another.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const opening = openAt(url);
    opening.catch(() => {});
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await another.query(waiting)).rowCount).toBe(1);
    await sleep(ANSWER_MS + 500); // longer than all else may take
    await another.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
    await filed((await opening).ledger);
  });

  test('alters the schema beside a replica of the version before that writes meanwhile: neither breaks off', async () => {
    const url = await emptyDatabase();
    const before = new pg.Client({ connectionString: url });
    await before.connect();
    afterwards(() => before.end());
    await before.query(schemaOf(16, 'postgres'));
    await before.query('INSERT INTO schema_migrations SELECT version, 0 FROM generate_series(1, 16) AS version');
    await before.query('BEGIN; SELECT 1 FROM desk WHERE id = 1 FOR UPDATE');
    const opening = openAt(url);
    opening.catch(() => {});
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND NOT granted`;
    await expect.poll(async () => (await before.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1);
    await before.query('UPDATE purchases SET state = state');
    await before.query('COMMIT');
    await filed((await opening).ledger);
  });

  test('a newer schema is refused at the start alone: a replica that runs goes on', async () => {
    const url = await freshDatabase();
    const running = await openAt(url);
    await running.database.write(async (sql) => {
      await sql.script('ALTER TABLE purchases ADD COLUMN from_the_future TEXT');
      await sql.run('INSERT INTO schema_migrations (version, applied_at) VALUES (1000, 0)');
    });
    expect(await refused(url)).toMatchObject({ message: expect.stringContaining('schema 1000'), passing: false });
    await walked(running.ledger, await filed(running.ledger), 'approved');
  });

  test('waits for a server that is about to come, and says so once', async () => {
    const server = await startPostgres();
    afterwards(() => server.close());
    await asAdmin(server, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    await server.halt('fast');
    const warnings: string[] = [];
    const { promise: warned, resolve } = Promise.withResolvers<void>();
    const opening = openLedger({ kind: 'postgres', url: server.url('desk') }, undefined, {
      warn: (what) => {
        warnings.push(what);
        resolve();
      },
    });
    await warned;
    await server.resume();
    closeAfterwards(await opening);
    expect(warnings.filter((what) => what.includes('ECONNREFUSED'))).toHaveLength(1);
  });

  test('gives up on a server that does not come, as something that may pass', async () => {
    const url = new URL((await theServer()).url('desk'));
    url.port = '1';
    const { message, passing } = await refused(url.href);
    expect(message).toMatch(/PostgreSQL at 127\.0\.0\.1:1\/desk cannot be reached: .*ECONNREFUSED/);
    expect(passing).toBe(true);
  });

  test.each([
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'wrong-wrong' }), /does not let the bot in/],
    ['an unknown user', (url: URL) => Object.assign(url, { username: 'nobody' }), /does not let the bot in/],
    ['an unknown database', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), /no such database/],
    [
      'a server without SSL that is asked for it',
      (url: URL) => Object.assign(url, { search: '?sslmode=require' }),
      /SSL/,
    ],
    ['no password', (url: URL) => Object.assign(url, { password: '' }), /password/],
    [
      'a certificate that is not there',
      (url: URL) => Object.assign(url, { search: '?sslrootcert=/nowhere.pem' }),
      /options/,
    ],
  ])('refuses %s at once, without showing the password', async (_, change, problem) => {
    const url = change(new URL((await theServer()).url('postgres')));
    const { message, passing } = await refused(url.href);
    expect(message).toMatch(problem);
    if (url.password !== '') expect(message).not.toContain(url.password);
    expect(passing).toBe(false);
  });

  test('refuses a database in which it may not make tables', async () => {
    const server = await theServer();
    const url = await emptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await asAdmin(server, [`ALTER DATABASE ${name} OWNER TO owner`]);
    expect((await refused(url)).message).toContain('lacks a permission');
  });

  test('goes by what a server tells of itself, where it does not tell all', async () => {
    const url = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await asAdmin(await theServer(), ['REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC'], name);
    const { ledger, database } = await openAt(url);
    await filed(ledger);
    const home = await database.read((sql) => sql.all('SELECT identity FROM home'));
    expect(home).toEqual([{ identity: expect.stringMatching(/^cluster unknown, database \d+, timeline 0{7}1$/) }]);
    expect(await (await openAt(url)).ledger.freeze()).toBeNull();
  });

  test('refuses a server that forgets what it has committed', async () => {
    const server = await startPostgres({ settings: { fsync: 'off' } });
    afterwards(() => server.close());
    await asAdmin(server, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    expect((await refused(server.url('desk'))).message).toContain('fsync=off');
  });

  test('waits for the disk at every commit, even where the database is set up not to, and reads what was committed', async () => {
    const url = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await asAdmin(await theServer(), [
      `ALTER DATABASE ${name} SET synchronous_commit = off`,
      `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`,
      `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
    ]);
    const { database } = await openAt(url);
    const shown = await database.write(async (sql) => {
      await sql.run(`INSERT INTO drafts VALUES ('d', 'U', 1, '{}', 0)`);
      return [...(await sql.all('SHOW synchronous_commit')), ...(await sql.all('SHOW transaction_isolation'))];
    });
    expect(shown).toEqual([{ synchronous_commit: 'on' }, { transaction_isolation: 'read committed' }]);
  });
});

describe('a server that is set to forget what it has committed, while the bot runs', () => {
  test.each([
    ['over the connections that stand', false],
    ['over new ones', true],
  ])('is written to no more, %s, until it is set right', async (_, anew) => {
    const server = await startPostgres();
    afterwards(() => server.close());
    await asAdmin(server, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    const cutter = await startCutter(server.url('desk'));
    afterwards(() => cutter.close());
    const { ledger } = await openAt(cutter.url);
    await filed(ledger);
    await asAdmin(server, ['ALTER SYSTEM SET fsync = off', 'SELECT pg_reload_conf()']);
    await expect.poll(() => rowsAt(server, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    if (anew) cutter.drop();
    await expect(filed(ledger)).rejects.toThrow('fsync=off');
    if (anew) await expect(ledger.lane()).rejects.toThrow('fsync=off');
    await asAdmin(server, ['ALTER SYSTEM RESET fsync', 'SELECT pg_reload_conf()']);
    await expect.poll(() => rowsAt(server, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await filed(ledger);
  });
});

describe('the clock', () => {
  test("is the server's, and one for all of a transaction", async () => {
    const { ledger, database } = await openAt(await freshDatabase());
    const before = Date.now();
    const now = await ledger.now();
    expect(now).toBeGreaterThanOrEqual(before - 5);
    expect(now).toBeLessThanOrEqual(Date.now() + 5);
    const times = await database.write(async (sql) => {
      const first = await sql.now();
      await sql.all('SELECT pg_sleep(0.01)');
      return [first, await sql.now()];
    });
    expect(times[0]).toBe(times[1]);
  });
});

describe('the schema', () => {
  test.each(['TRUNCATE entries', 'TRUNCATE purchases CASCADE', 'UPDATE entries SET by = by'])(
    'refuses: %s',
    async (statement) => {
      const { ledger, database } = await openAt(await freshDatabase());
      const id = await filed(ledger);
      await expect(database.write((sql) => sql.run(statement))).rejects.toThrow(/append-only|are kept/);
      expect((await ledger.record(id))?.entries).toHaveLength(1);
    },
  );

  test('lets one purchase be sent and one buy have an order by an index alone, whatever a statement looks at', async () => {
    const { ledger, database } = await openAt(await freshDatabase());
    await walked(ledger, await filed(ledger), 'approved', 'sending');
    await walked(ledger, await filed(ledger), 'approved');
    const all = (set: string) =>
      database.write((sql) => sql.run(`UPDATE purchases SET ${set} WHERE state <> 'sending'`));
    await expect(all(`state = 'sending', attempt = '{}', attempt_deadline = 1`)).rejects.toThrow(
      'purchases_one_sending',
    );
    await filed(ledger);
    await expect(all(`order_id = '42'`)).rejects.toThrow('purchases_one_buy_an_order');
  });

  test('says the same in both databases: tables and columns', async () => {
    const { database } = await openAt(await freshDatabase());
    const sqlite = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
    const columns = (rows: readonly Record<string, unknown>[]) =>
      Object.groupBy(
        rows.map(({ place, name }) => ({ place: String(place), name: String(name) })),
        ({ place }) => place,
      );
    const inPostgres = await database.read((sql) =>
      sql.all(`SELECT table_name AS place, column_name AS name FROM information_schema.columns WHERE table_schema = 'public'
               AND table_name NOT IN ('home', 'commits') ORDER BY table_name, column_name`),
    );
    const inSqlite = await sqlite.database.read((sql) =>
      sql.all(`SELECT t.name AS place, c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
               WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name`),
    );
    expect(columns(inPostgres)).toEqual(columns(inSqlite));
  });
});

test('a statement is refused whose parameter was forgotten', async () => {
  const { database } = await openAt(await freshDatabase());
  const forgetful = database.read((sql) =>
    sql.all('SELECT * FROM drafts WHERE id = :id AND owner = :owner', { id: ANN }),
  );
  await expect(forgetful).rejects.toThrow('parameter :owner is missing');
});
