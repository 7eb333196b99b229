import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { LedgerUnusable } from '../errors.ts';

/** Where the file's header says how it is written: 1 with a rollback journal, 2 with a write-ahead log. */
const WRITE_VERSION_AT = 18;
const WITH_JOURNAL = 1;

/**
 * SQLite applies whatever log stands beside a file. That of the ledger before, left beside a restored backup, would bring back
 * pages of the old one: a broken file, or a quietly mixed one whose freeze is gone. A ledger in use is always in WAL mode and a
 * backup never is, so a backup with a log beside it cannot be a pair. To be asked before this process has a connection to it:
 * closing a file takes away every lock that the process holds on it.
 */
export function refuseForeignLog(file: string): void {
  const logSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logSize === 0 || writeVersion(file) !== WITH_JOURNAL) return;
  throw new LedgerUnusable(
    `${file}-wal belongs to another file than ${file}: a backup was restored beside it`,
    `Move ${file}-wal and ${file}-shm away, and start again.`,
  );
}

function writeVersion(file: string): number | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const handle = openSync(file, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(handle, byte, 0, 1, WRITE_VERSION_AT) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(handle);
  }
}
