import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { damaged, isBusy, LedgerUnusable } from '../errors.ts';

/** A busy wait blocks the whole process, so it is short; the rest of the patience is asynchronous. */
export const BUSY_WAIT_MS = 50;
const BUSY_AGAIN_AFTER_MS = 20;
const BUSY_GIVE_UP_AFTER_MS = 5_000;

/** WAL with `synchronous=FULL`: what is committed is on disk, unless a transaction begins by saying otherwise, and readers never wait. */
export async function connect(file: string): Promise<DatabaseSync> {
  const connection = new DatabaseSync(file, { timeout: BUSY_WAIT_MS });
  try {
    await setPragma(connection, 'journal_mode', 'wal', 'wal');
    await setPragma(connection, 'synchronous', 'FULL', 2);
    await setPragma(connection, 'foreign_keys', 'ON', 1);
    // Without it a REPLACE gets past the triggers that forbid deleting.
    await setPragma(connection, 'recursive_triggers', 'ON', 1);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** For looking only: may stand beside a running bot, and can neither create nor change anything. */
export function connectForReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: BUSY_WAIT_MS });
}

/**
 * `quickly` reads every page; `fully` compares every index with its table too, which takes seconds on a large ledger: a write-ahead log
 * that belongs to another file leaves them at odds.
 */
export type Check = 'not at all' | 'quickly' | 'fully';

export async function refuseIfDamaged(connection: DatabaseSync, file: string, how: Check): Promise<void> {
  if (how === 'not at all') return;
  const pragma = how === 'fully' ? 'integrity_check' : 'quick_check';
  const row = await whenFree(() => connection.prepare(`PRAGMA ${pragma}(1)`).get());
  const found = Object.values(row ?? {})[0];
  if (found !== 'ok') throw damaged(file, String(found));
}

/** Runs it as soon as no other connection, of this or another process, is in the way. */
export async function whenFree<T>(action: () => T, giveUpAfterMs = BUSY_GIVE_UP_AFTER_MS): Promise<T> {
  let giveUpAt: number | undefined;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error)) throw error;
      // Not before: a command that nobody is in the way of does without Node's clock, which takes time to load.
      giveUpAt ??= performance.now() + giveUpAfterMs;
      if (performance.now() > giveUpAt) throw error;
      await sleep(BUSY_AGAIN_AFTER_MS);
    }
  }
}

async function setPragma(
  connection: DatabaseSync,
  name: string,
  value: string,
  expected: string | number,
): Promise<void> {
  // Switching to WAL needs the file for itself for a moment; another process that starts now may hold it.
  await whenFree(() => connection.exec(`PRAGMA ${name} = ${value}`));
  const found = connection.prepare(`PRAGMA ${name}`).get() ?? {};
  if (Object.values(found)[0] !== expected)
    throw new LedgerUnusable(`SQLite did not accept ${name}=${value}`, 'Put the ledger on a local disk.');
}
