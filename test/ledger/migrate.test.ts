import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { closeAfterwards } from './fixture.ts';
import { describeMigrating } from './migrating.ts';
import { describeMigratingOrders } from './migrating-orders.ts';
import { type WrittenBy, writtenBy } from './written-by.ts';

describeMigrating((now, more) => opened(2, now, more));
describeMigratingOrders((now) => opened(5, now));

describe('the ledger command on a ledger that an older version has written', () => {
  test('works, or says which version to use; nothing is left of a backup that failed', async () => {
    const path = written(5);
    const backup = scratchFile();
    for (const args of [['list'], ['show', 'P-J8QJW09K'], ['export'], ['orders'], ['movements'], ['backup', backup]]) {
      const { code, err } = await ledgerCommand({ kind: 'sqlite', path }, ...args);
      expect({ args, code, err }).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /^ledger: .+\nThe ledger has schema 5, and this version's is \d+: run the command of the version that wrote it, or start/,
        ),
      });
    }
    expect(existsSync(backup)).toBe(false);
    for (const args of [['status'], ['said'], ['check']])
      expect(await ledgerCommand({ kind: 'sqlite', path }, ...args)).toMatchObject({ code: 0 });
  });

  test('says that there is none in an empty file, and whose a database of another program is', async () => {
    const path = scratchFile();
    writeFileSync(path, '');
    expect(await ledgerCommand({ kind: 'sqlite', path }, 'list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ledger: there is no ledger in .*\nStart the bot once/),
    });
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    expect(await ledgerCommand({ kind: 'sqlite', path }, 'list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ is the database of another program\n/),
    });
  });
});

async function opened(version: WrittenBy, now: () => number, more = '') {
  return closeAfterwards(await openLedger({ kind: 'sqlite', path: written(version, more) }, now));
}

function written(version: WrittenBy, more = ''): string {
  const path = scratchFile();
  const before = new DatabaseSync(path);
  const { schema, rows } = writtenBy(version, 'sqlite');
  before.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  const triggers = before.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all();
  for (const { name } of triggers) before.exec(`DROP TRIGGER ${String(name)}`);
  before.exec(rows);
  for (const { sql } of triggers) before.exec(String(sql));
  before.exec(more);
  before.close();
  return path;
}
