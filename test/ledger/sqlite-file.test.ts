import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { isAsClosed } from '../../src/ledger/sqlite/file-guards.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { afterwards, closeAfterwards, filed, START, walked } from './fixture.ts';

/** Root may write everything: a test about what may not be written runs as somebody else meanwhile. */
async function asNobodySpecial<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}

async function openAt(path: string) {
  return closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
}

/** A ledger with some purchases in it, that nobody has open. */
async function closedLedger(purchases = 40): Promise<string> {
  const path = scratchFile();
  const { ledger, close } = await openLedger({ kind: 'sqlite', path }, () => START);
  for (let n = 0; n < purchases; n += 1) await filed(ledger, { reason: 'r'.repeat(200) });
  await close();
  return path;
}

/** A connection as another program would have: none of our pragmas. */
function foreign(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  afterwards(() => connection.close());
  return connection;
}

async function refused(path: string): Promise<LedgerUnusable> {
  const found = await openAt(path).catch((error: unknown) => error);
  if (!(found instanceof LedgerUnusable)) throw new Error(`not refused: ${String(found)}`);
  expect(found.remedy).not.toBe('');
  expect(found.message).toContain(path);
  return found;
}

describe('the connections', () => {
  test('are in WAL mode, flush commits, and hold what the triggers need', async () => {
    const { database } = await openAt(scratchFile());
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'recursive_triggers', 'query_only'];
    const read = (from: 'read' | 'write') =>
      database[from](async (sql) => {
        const found = await Promise.all(pragmas.map((name) => sql.all(`PRAGMA ${name}`)));
        return found.map(([row]) => Object.values(row ?? {})[0]);
      });
    expect(await read('write')).toEqual(['wal', 2, 1, 1, 0]);
    expect(await read('read')).toEqual(['wal', 2, 1, 1, 1]);
  });

  test('for reading cannot write', async () => {
    const { database } = await openAt(scratchFile());
    await expect(database.read((sql) => sql.run('DELETE FROM drafts'))).rejects.toThrow('readonly');
  });

  test('never show what is not committed, not even to the process that writes it', async () => {
    const path = scratchFile();
    const { ledger, database } = await openAt(path);
    const other = await openAt(path);
    const id = await filed(ledger);
    const seen = await database.write(async (sql) => {
      await sql.run(`UPDATE purchases SET state = 'withdrawn' WHERE id = :id`, { id });
      const records = await Promise.all([ledger.record(id), other.ledger.record(id)]);
      return records.map((record) => record?.purchase.state);
    });
    expect(seen).toEqual(['requested', 'requested']);
    expect((await ledger.record(id))?.purchase.state).toBe('withdrawn');
  });

  test('wait for another writer without holding up the process', async () => {
    const path = scratchFile();
    const { ledger } = await openAt(path);
    const other = foreign(path);
    other.exec('BEGIN IMMEDIATE');
    let done = false;
    const writing = filed(ledger).finally(() => {
      done = true;
    });
    // One that holds up the process while it waits has given up when these turns are over.
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    expect(done).toBe(false);
    other.exec('COMMIT');
    await writing;
  });

  test('go on after a transaction that failed', async () => {
    const { ledger, database } = await openAt(scratchFile());
    const bug = () => Promise.reject(new Error('a bug'));
    await expect(database.write(bug)).rejects.toThrow('a bug');
    await filed(ledger);
  });

  test('take no parameter for NULL because it was forgotten', async () => {
    const { database } = await openAt(scratchFile());
    const forgetful = database.write((sql) =>
      sql.run('INSERT INTO drafts VALUES (:id, :owner, 1, :content, 0)', { id: 'x', owner: 'U' }),
    );
    await expect(forgetful).rejects.toThrow('parameter :content is missing');
  });

  test('refuse to write once the file was moved or replaced under them', async () => {
    const path = scratchFile();
    const { ledger } = await openAt(path);
    const id = await filed(ledger);
    renameSync(path, `${path}.away`);
    await expect(walked(ledger, id, 'approved')).rejects.toThrow(LedgerUnusable);
    copyFileSync(`${path}.away`, path);
    await expect(walked(ledger, id, 'approved')).rejects.toThrow('moved or replaced');
  });

  test("keep the vendor's answers from other users of the machine", async () => {
    const path = scratchFile();
    const { ledger } = await openAt(path);
    await filed(ledger);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe('a program without our pragmas', () => {
  test.each([
    [
      'entries',
      "INSERT OR REPLACE INTO entries SELECT seq, purchase_id, at, 'somebody else', from_state, to_state, kind, detail FROM entries",
    ],
    ['entries', `UPDATE OR REPLACE entries SET by = 'somebody else'`],
    ['entries', 'DELETE FROM entries'],
    ['purchases', `INSERT OR REPLACE INTO purchases SELECT * FROM purchases WHERE state = 'approved'`],
    ['purchases', `UPDATE OR REPLACE purchases SET seq = 1`],
    ['purchases', 'DELETE FROM purchases'],
    [
      'purchases',
      `UPDATE OR REPLACE purchases SET state = 'sending', attempt = '{}', attempt_deadline = 1 WHERE state = 'approved'`,
    ],
  ])('cannot rewrite %s: %s', async (table, statement) => {
    const path = scratchFile();
    const { ledger } = await openAt(path);
    await walked(ledger, await filed(ledger), 'approved', 'sending');
    await walked(ledger, await filed(ledger), 'approved');
    const other = foreign(path);
    const rows = () => other.prepare(`SELECT * FROM ${table}`).all();
    const before = rows();
    expect(() => other.exec(statement)).toThrow();
    expect(rows()).toEqual(before);
  });
});

test('one purchase is sent at a time and one buy has an order by an index alone, without the triggers', async () => {
  const path = scratchFile();
  const { ledger } = await openAt(path);
  await walked(ledger, await filed(ledger), 'approved', 'sending');
  await walked(ledger, await filed(ledger), 'approved');
  const other = foreign(path);
  other.exec('DROP TRIGGER purchases_no_replace_by_update');
  const set = `attempt = '{}', attempt_deadline = 1`;
  expect(() => other.exec(`UPDATE purchases SET state = 'sending', ${set} WHERE state = 'approved'`)).toThrow('UNIQUE');
  expect(() => other.exec(`UPDATE purchases SET order_id = '42'`)).toThrow('UNIQUE');
});

describe('opening', () => {
  test('finds everything again', async () => {
    const path = await closedLedger(3);
    const { ledger } = await openAt(path);
    expect(await ledger.open()).toHaveLength(3);
  });

  test('makes the folder it is told', async () => {
    const path = join(dirname(scratchFile()), 'a', 'b', 'desk.db');
    await openAt(path);
    expect(existsSync(path)).toBe(true);
  });

  test('refuses a ledger that has vanished, and leaves no empty one', async () => {
    const path = await closedLedger();
    rmSync(path);
    expect((await refused(path)).message).toContain('missing');
    expect(existsSync(path)).toBe(false);
    rmSync(`${path}.exists`);
    await openAt(path);
  });

  test('refuses a ledger of which only the log is left', async () => {
    const path = scratchFile();
    writeFileSync(`${path}-wal`, 'what was not yet in the file');
    expect((await refused(path)).message).toContain('missing');
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what was not yet in the file');
  });

  test('refuses a ledger that was emptied, as a file and as a database', async () => {
    const path = await closedLedger();
    truncateSync(path);
    expect((await refused(path)).message).toContain('empty');
    expect(statSync(path).size).toBe(0);
    const empty = new DatabaseSync(path);
    empty.exec('CREATE TABLE something_else (id INTEGER)');
    empty.close();
    expect((await refused(path)).message).toContain('empty');
  });

  test.each([
    ['cut in half', (path: string) => truncateSync(path, statSync(path).size / 2)],
    ['cut to its first page', (path: string) => truncateSync(path, 4096)],
    ['cut within its first page', (path: string) => truncateSync(path, 50)],
    ['overwritten in the middle', (path: string) => overwrite(path, 3 * 4096, 4096)],
    ['overwritten at the start', (path: string) => overwrite(path, 0, 100)],
    ['replaced by another file', (path: string) => writeFileSync(path, 'This is not a database. '.repeat(400))],
  ])('refuses a file that was %s, and leaves it as it is', async (_, harm) => {
    const path = await closedLedger();
    harm(path);
    const harmed = readFileSync(path);
    const { message, remedy } = await refused(path);
    expect(message).toContain('damaged');
    expect(remedy).toContain('restore');
    expect(readFileSync(path).equals(harmed)).toBe(true);
  });

  test('refuses a ledger whose index and table disagree after an end that was not in order; else the command finds it', async () => {
    const path = await closedLedger();
    const crashed = scratchFile();
    const other = new DatabaseSync(path, { defensive: false });
    other.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'requester_person, seq', 'requester, seq') WHERE name = 'purchases_by_person';
      PRAGMA writable_schema = RESET;
      DROP TRIGGER purchases_frozen_content; UPDATE purchases SET requester_person = 'U0X'; UPDATE sqlite_sequence SET seq = seq;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'requester, seq', 'requester_person, seq') WHERE name = 'purchases_by_person';`);
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix);
    other.close();
    for (const _ of ['found', 'not forgotten']) expect((await refused(crashed)).message).toContain('damaged');
    await openAt(path);
    const check = (at: string) => ledgerCommand({ kind: 'sqlite', path: at }, 'check');
    expect(await check(path)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/damaged.*\n.*restore/) });
    const sound = await closedLedger();
    expect(await check(sound)).toEqual({ code: 0, out: '', err: `SQLite at ${sound} is sound\n` });
  });

  test('takes a ledger for sound only while nothing has written to it since it was closed in order', async () => {
    const path = await closedLedger();
    expect(isAsClosed(path)).toBe(true);
    expect(await ledgerCommand({ kind: 'sqlite', path }, 'list', '--json')).toMatchObject({ code: 0 });
    expect(isAsClosed(path)).toBe(true);
    const { atime, mtime } = statSync(path);
    overwrite(path, 3 * 4096, 4096);
    utimesSync(path, atime, mtime);
    expect(isAsClosed(path)).toBe(false);
  });

  test('does not take a ledger for sound in which damage was met while it was open', async () => {
    const path = await closedLedger(400);
    const { database, close } = await openLedger({ kind: 'sqlite', path }, () => START);
    const [{ rootpage } = {}] = await database.read((sql) =>
      sql.all(`SELECT rootpage FROM sqlite_master WHERE name = 'entries_by_purchase'`),
    );
    overwrite(path, (Number(rootpage) - 1) * 4096, 4096);
    const look = () => database.read((sql) => sql.all(`SELECT 1 FROM entries WHERE purchase_id = 'P-1'`));
    await expect(look()).rejects.toThrow('malformed');
    await close();
    expect((await refused(path)).message).toContain('damaged');
  });

  test.each([
    ['a copy of it', (path: string) => copyFileSync(path, `${path}.copy`)],
    ['another one', (path: string) => writeFileSync(`${path}.copy`, 'something else')],
  ])('takes %s that was put in its place for another', async (_, put) => {
    const path = await closedLedger();
    put(path);
    renameSync(`${path}.copy`, path);
    expect(isAsClosed(path)).toBe(false);
  });

  test('takes a ledger that somebody else still has open for no closed one', async () => {
    const path = await closedLedger();
    const other = await openAt(path);
    await filed(other.ledger);
    rmSync(`${path}.closed`);
    const { close } = await openLedger({ kind: 'sqlite', path }, () => START);
    await close();
    expect(isAsClosed(path)).toBe(false);
  });

  test('refuses the ledger of a newer version', async () => {
    const path = await closedLedger();
    const other = foreign(path);
    other.exec('INSERT INTO schema_migrations VALUES (1000, 0)');
    const found = await openAt(path).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(LedgerUnusable);
    expect(found).toMatchObject({
      message: expect.stringContaining('schema 1000'),
      remedy: expect.stringContaining('newer'),
    });
  });

  test('refuses a folder that cannot be', async () => {
    const file = scratchFile();
    writeFileSync(file, 'a file, not a folder');
    const { remedy } = await refused(join(file, 'desk.db'));
    expect(remedy).toContain('folder');
  });

  test('refuses a folder that cannot be written', async () => {
    const path = scratchFile();
    chmodSync(dirname(path), 0o555);
    afterwards(() => chmodSync(dirname(path), 0o700));
    expect((await asNobodySpecial(() => refused(path))).remedy).toContain('folder');
  });

  test('refuses a file that cannot be written', async () => {
    const path = await closedLedger();
    chmodSync(dirname(path), 0o755);
    chmodSync(path, 0o444);
    expect((await asNobodySpecial(() => refused(path))).remedy).toContain('own its files');
  });
});

function overwrite(path: string, from: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(path, bytes);
}
