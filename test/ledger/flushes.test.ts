import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../../src/ledger/account.ts';
import { createDrafts } from '../../src/ledger/drafts.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Database, Flush, Sql } from '../../src/ledger/sql.ts';
import type { Asker } from '../../src/purchasing/model/account.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { scratchFile } from '../support/scratch.ts';
import { ANN, afterwards, closeAfterwards, filed, START, WAY_TO, walked } from './fixture.ts';

// What waits for SQLite's disk before anybody hears of it, and what does not.

async function opened() {
  const path = scratchFile();
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
  return { database, path };
}

/** As the transaction is committed: every commit flushed (2), or none but those that bring the log into the file (1). */
const levelOf = async (sql: Sql) => Object.values((await sql.all('PRAGMA synchronous'))[0] ?? {})[0];

/** What is written `now` and `later`, in the order in which it is asked for. */
function noting(database: Database) {
  const noted: Flush[] = [];
  const noticing: Database = {
    ...database,
    write(work, flush = 'now') {
      noted.push(flush);
      return database.write(work, flush);
    },
  };
  return { noticing, noted };
}

describe('a commit', () => {
  test('is flushed unless it may wait, and again after one that waits, also after one that fails', async () => {
    const { database } = await opened();
    expect(await database.write(levelOf)).toBe(2);
    expect(await database.write(levelOf, 'later')).toBe(1);
    expect(await database.write(levelOf)).toBe(2);
    const bug = () => Promise.reject(new Error('a bug'));
    await expect(database.write(bug, 'later')).rejects.toThrow('a bug');
    expect(await database.write(levelOf)).toBe(2);
  });

  test('goes to the disk as was said when it began, whatever happens in it', async () => {
    const { database } = await opened();
    const less = database.write((sql) => sql.script('PRAGMA synchronous = OFF'));
    await expect(less).rejects.toThrow('may not be changed inside a transaction');
    expect(await database.write(levelOf)).toBe(2);
  });

  test('that several share is flushed where one of them may not wait, whichever asked first', async () => {
    const { database } = await opened();
    const together = (...flushes: Flush[]) => Promise.all(flushes.map((flush) => database.write(levelOf, flush)));
    expect(await together('later', 'now', 'later')).toEqual([2, 2, 2]);
    expect(await together('now', 'later')).toEqual([2, 2]);
    expect(await together('later', 'later')).toEqual([1, 1]);
  });

  test('of one that may not wait is flushed also where another of the same moment fails', async () => {
    const { database } = await opened();
    const bug = () => Promise.reject(new Error('a bug'));
    const [failed, level] = await Promise.allSettled([database.write(bug, 'later'), database.write(levelOf)]);
    expect(failed).toMatchObject({ status: 'rejected' });
    expect(level).toMatchObject({ value: 2 });
  });
});

describe('flushed before anybody hears of it', () => {
  test('is every step of a purchase, and the balances before and after it', async () => {
    const { database } = await opened();
    const { noticing, noted } = noting(database);
    const [ledger, account] = [createLedger(noticing), createAccount(noticing)];
    const id = await filed(ledger);
    await walked(ledger, id, ...WAY_TO.completed);
    for (const asker of ['before', 'after'] as const) await keep(account, asker);
    expect(noted).toEqual(Array.from({ length: WAY_TO.completed.length + 3 }, () => 'now'));
  });

  test('is neither what stands in an open form nor a balance that somebody has looked at', async () => {
    const { database } = await opened();
    const { noticing, noted } = noting(database);
    const [drafts, account] = [createDrafts(noticing), createAccount(noticing)];
    const { id } = await drafts.create(ANN, { rows: [] });
    await drafts.update(id, ANN, () => ({ rows: ['DE 1'] }));
    for (const asker of ['command', 'form', 'card', 'home', 'interval'] as const) await keep(account, asker);
    expect(noted).toEqual(Array.from({ length: 7 }, () => 'later'));
  });
});

async function keep(account: ReturnType<typeof createAccount>, asker: Asker): Promise<void> {
  const reading = { balance: '12.50' as Money, asker, taken: { process: 'p', ms: 1 } };
  expect(await account.keep(await account.ticket(), reading)).toBe(true);
}

test('what a process has kept in an open form is there after it was killed', async () => {
  const { path } = await opened();
  const child = fork(fileURLToPath(new URL('./drafter.ts', import.meta.url)), [path], { execArgv: [] });
  afterwards(() => void child.kill('SIGKILL'));
  const [id] = (await once(child, 'message')) as [string];
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { drafts } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
  expect(await drafts.read(id, ANN)).toMatchObject({ content: { rows: ['DE 1', 'US 2'] }, revision: 2 });
});
