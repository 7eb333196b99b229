import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { filed, stateOf } from './fixture.ts';
import { approvedOne, countingVendor, laneOn } from './lanes.ts';

const SECOND = fileURLToPath(new URL('./second-process.ts', import.meta.url));

/** Whatever a process of its own makes of the ledger there. */
async function second(path: string): Promise<unknown> {
  const child = fork(SECOND, [path], { execArgv: [] });
  const [said] = await once(child, 'message');
  await once(child, 'exit');
  return said;
}

/** A bot that has sent a purchase, of which the file itself knows only that it is approved: the rest is in the log. */
async function sent() {
  const path = scratchFile();
  const opened = await openLedger({ kind: 'sqlite', path });
  const id = await approvedOne(opened);
  const other = new DatabaseSync(path);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  const { seen, vendor } = countingVendor();
  await laneOn(opened, vendor).send();
  expect(seen.sent).toHaveLength(1);
  return { ...opened, path, id };
}

describe('a log that is removed while a bot has the ledger open', () => {
  test.each([
    ['the log and its index', ['-wal', '-shm']],
    ['the log alone', ['-wal']],
    ['its index alone', ['-shm']],
  ])(
    '(%s): a second process is refused, or it would send again what the file does not know of',
    async (_, suffixes) => {
      const { path, id, close } = await sent();
      for (const suffix of suffixes) rmSync(path + suffix);
      expect(await second(path)).toEqual({
        refused: expect.stringMatching(/-wal or .*-shm was removed while a program has .* open$/),
      });
      // Ended in order, the first brings what is in the log into the file.
      await close();
      expect(await second(path)).toEqual({ sent: 0 });
      const { ledger, close: closeAgain } = await openLedger({ kind: 'sqlite', path });
      expect(await stateOf(ledger, id)).toBe('completed');
      await closeAgain();
    },
  );

  test.each(['-wal', '-shm'])('(%s): the bot itself writes no more', async (suffix) => {
    const { path, ledger, close } = await sent();
    renameSync(path + suffix, `${path}.away`);
    await expect(filed(ledger)).rejects.toThrow(LedgerUnusable);
    await expect(filed(ledger)).rejects.toThrow('removed or replaced');
    renameSync(`${path}.away`, path + suffix);
    await filed(ledger);
    await close();
  });

  test('in the middle of a transaction takes back its word: nothing is done that rests on it', async () => {
    const { path, ledger, close } = await sent();
    const id = await filed(ledger);
    const deciding = ledger.change(id, () => {
      rmSync(`${path}-wal`);
      return { result: 'decided', by: 'U0BEN', to: 'withdrawn' };
    });
    await expect(deciding).rejects.toThrow('removed or replaced');
    await close();
  });

  test('is not made anew by a look at the ledger, which would hide that it is gone', async () => {
    const { path, close } = await sent();
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix);
    const { code, err } = await ledgerCommand({ kind: 'sqlite', path }, 'list');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('was removed while a program has') });
    for (const suffix of ['-wal', '-shm']) expect(existsSync(path + suffix)).toBe(false);
    await close();
  });
});

describe('a log that is not there, or is another one, for a good reason', () => {
  test('is none: a ledger that was closed, a log that was emptied, and processes that come and go', async () => {
    const { path, ledger, close } = await sent();
    const other = new DatabaseSync(path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.exec('VACUUM');
    other.close();
    await filed(ledger);
    expect(await second(path)).toEqual({ sent: 0 });
    await filed(ledger);
    await close();
    await (await openLedger({ kind: 'sqlite', path })).close();
  });

  test('is none: a crash leaves the log, and its index can be made anew', async () => {
    const { path, id, close } = await sent();
    const place = scratchFile();
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, place + suffix);
    await close();
    const { ledger, close: closeCopy } = await openLedger({ kind: 'sqlite', path: place });
    expect(await stateOf(ledger, id)).toBe('completed');
    await closeCopy();
  });
});
