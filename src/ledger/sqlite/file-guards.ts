import { closeSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, LedgerUnusable } from '../errors.ts';
import { BUSY_WAIT_MS, whenFree } from './connection.ts';

// A ledger is a file and, while somebody has it open, a log (-wal) with its index (-shm) beside it. Files can be lost, mixed up or removed,
// and SQLite notices little of it: these guards refuse what would make it forget purchases. What looks into the file is to be asked before
// this process has a connection to it: closing a file takes away every lock that the process holds on it.

/**
 * A marker beside the file says that a ledger was there: a file that has vanished or is empty is a loss to be told, not a
 * reason to start an empty ledger that has forgotten every purchase.
 * @returns whether a ledger must be there.
 */
export function refuseIfLost(file: string): boolean {
  // The marker first: a process that starts at the same time leaves it last.
  const expected = sizeOf(markerOf(file)) !== undefined || hasLog(file);
  if (expected && !sizeOf(file)) throw lost(file, sizeOf(file) === undefined ? 'missing' : 'empty');
  return expected;
}

export function lost(file: string, how: 'missing' | 'empty'): LedgerUnusable {
  return new LedgerUnusable(
    `the ledger ${file} is ${how}, though it was there before`,
    `Restore it from a backup; only if it is truly to begin anew, move ${file}* and ${markerOf(file)} away.`,
  );
}

/** To be left when the ledger is complete. */
export function leaveMarker(file: string): void {
  if (sizeOf(markerOf(file)) === undefined)
    writeFileSync(markerOf(file), 'A ledger stands beside this file. See docs/operations.md before deleting either.\n');
}

/** Where the file's header says how it is written: 1 with a rollback journal, 2 with a write-ahead log. */
const WRITE_VERSION_AT = 18;
const WITH_JOURNAL = 1;

/**
 * SQLite applies whatever log stands beside a file. That of the ledger before, left beside a restored backup, would bring back
 * pages of the old one: a broken file, or a quietly mixed one whose freeze is gone. A ledger in use is always in WAL mode and a
 * backup never is, so a backup with a log beside it cannot be a pair.
 */
export function refuseForeignLog(file: string): void {
  if (!hasLog(file) || writeVersion(file) !== WITH_JOURNAL) return;
  throw new LedgerUnusable(
    `${file}-wal belongs to another file than ${file}: a backup was restored beside it`,
    `Move ${file}-wal and ${file}-shm away, and start again.`,
  );
}

/**
 * The last to close a ledger brings its log into the file and removes it. Where there is one, somebody has the ledger open or did not
 * end in order, and all of it is to be checked: that is remembered beside it until it was found sound, since whoever opens it and refuses
 * it may have removed the log.
 */
export function isToBeCheckedFully(file: string): boolean {
  if (hasLog(file))
    writeFileSync(uncheckedOf(file), 'All of the ledger beside this file is checked at the next start.\n');
  return sizeOf(uncheckedOf(file)) !== undefined;
}

export function foundSound(file: string): void {
  rmSync(uncheckedOf(file), { force: true });
}

/**
 * To be left by whoever has closed the ledger in order: the last to do so has brought everything into the file, and nobody but SQLite has
 * written to it. Not being able to leave it costs the next start a look at every page, and nothing else.
 * @param metDamage then the next start looks
 */
export function leaveAsClosed(file: string, metDamage: boolean): void {
  if (hasLog(file)) return;
  try {
    writeFileSync(closedOf(file), metDamage ? '' : (stateOf(file) ?? ''));
  } catch {
    rmSync(closedOf(file), { force: true });
  }
}

/** Whether the file is the very one that was closed in order, and nothing has written to it since: then no page needs to be looked at. */
export function isAsClosed(file: string): boolean {
  return sizeOf(closedOf(file)) !== undefined && readFileSync(closedOf(file), 'utf8') === stateOf(file);
}

/** Another after each write, each rename and each copy, and nothing but a clock that was put back can make it what it was. */
function stateOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && `${found.ino} ${found.size} ${found.ctimeNs}`;
}

function closedOf(file: string): string {
  return `${file}.closed`;
}

function hasLog(file: string): boolean {
  return (sizeOf(`${file}-wal`) ?? 0) > 0;
}

function uncheckedOf(file: string): string {
  return `${file}.unchecked`;
}

/**
 * Log and index are there as long as anybody has the ledger open. Where one is missing and somebody has, it was removed: SQLite would make
 * a new one without a word, and two programs would write side by side, each without what the other has in its log.
 */
export async function refuseRemovedLog(file: string, needed: readonly ('-wal' | '-shm')[]): Promise<void> {
  const complete = () => !sizeOf(file) || needed.every((suffix) => sizeOf(file + suffix) !== undefined);
  try {
    await whenFree(() => complete() || lockAlone(file), ALONE_FOR_MS);
  } catch (error) {
    // Whatever else is wrong with it is told by the connection that follows.
    if (!isBusy(error)) return;
    throw new LedgerUnusable(
      `${file}-wal or ${file}-shm was removed while a program has ${file} open`,
      'End that program in order (the bot with SIGTERM), which brings into the file what is in its log; then start again.',
    );
  }
}

/** Somebody who starts or ends in this moment has the file to themselves: for less than this. */
const ALONE_FOR_MS = 1_000;

/** @throws busy where any other program has the file open. */
function lockAlone(file: string): void {
  const connection = new DatabaseSync(file, { timeout: BUSY_WAIT_MS });
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
  } finally {
    connection.close();
  }
}

/**
 * The three files are the same from a connection's first transaction to its close, also when the log is emptied, and when others come and
 * go. SQLite would go on writing into files that have lost their name, and the next start would know nothing of it.
 * @returns to be asked inside each transaction, and once more when it has ended.
 */
export function watchFiles(file: string): () => void {
  const all = ['', '-wal', '-shm'].map((suffix) => file + suffix);
  const before = all.map(identityOf);
  return () => {
    for (const [index, path] of all.entries())
      if (before[index] === undefined || identityOf(path) !== before[index])
        throw new LedgerUnusable(
          `${path} was moved, removed or replaced while the ledger was in use`,
          'End every program that has it open in order (the bot with SIGTERM), and start again.',
        );
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}/${found.ino}`;
}

function writeVersion(file: string): number | undefined {
  if (sizeOf(file) === undefined) return undefined;
  const handle = openSync(file, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(handle, byte, 0, 1, WRITE_VERSION_AT) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(handle);
  }
}

function markerOf(file: string): string {
  return `${file}.exists`;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
