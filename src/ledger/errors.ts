/** The database is there but cannot serve as the ledger: damaged, lost, too new, or on a disk that keeps no promises. */
export class LedgerUnusable extends Error {
  readonly remedy: string;
  /** It may mend itself: to be tried again later, with nothing changed. */
  readonly passing: boolean;
  constructor(problem: string, remedy: string, passing = false) {
    super(problem);
    this.name = 'LedgerUnusable';
    this.remedy = remedy;
    this.passing = passing;
  }
}

/** There is none, where one was to be looked at. */
export class NoLedger extends LedgerUnusable {
  constructor(place: string) {
    super(`there is no ledger ${place}`, 'Start the bot once, or set DATABASE_URL to where it is.');
    this.name = 'NoLedger';
  }
}

export function damaged(file: string, how: string): LedgerUnusable {
  return new LedgerUnusable(
    `the ledger ${file} is damaged: ${how}`,
    'Keep it as it is, and restore the latest backup as docs/operations.md says.',
  );
}

// https://www.sqlite.org/rescode.html, primary codes
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** What kept a file from being opened as the ledger, with its remedy. */
export function unusable(file: string, error: unknown): LedgerUnusable {
  if (error instanceof LedgerUnusable) return error;
  const how = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
      return new LedgerUnusable(
        `the ledger ${file} is held by another program: ${how}`,
        'End the program that holds it (a database browser, a copy in progress), and start again.',
        true,
      );
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged(file, how);
    case SQLITE_IOERR:
    case SQLITE_FULL:
      return noRoom(file, how);
    default:
      if (error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code))) return noRoom(file, how);
      return new LedgerUnusable(
        `the ledger ${file} cannot be used: ${how}`,
        'Put it on a local disk, in a folder where the bot may write, and let it own its files.',
      );
  }
}

/** Disk, quota or open files are used up; the disk has an error. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EFBIG']);

function noRoom(file: string, how: string): LedgerUnusable {
  return new LedgerUnusable(
    `the ledger ${file} cannot be written: ${how}`,
    'Make room on its disk, and see that the disk is sound; then it starts by itself.',
    true,
  );
}

/** Another connection is writing; it may be tried again. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** What stands in the file is not what was written. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
