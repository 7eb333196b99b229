import { LedgerUnusable } from './errors.ts';
import { CommitInDoubt, PostgresTrouble } from './postgres/errors.ts';

/** Busy, locked, not writable, an error of the disk, full, not to be opened: https://www.sqlite.org/rescode.html */
const SQLITE_TROUBLES = new Set([5, 6, 8, 10, 13, 14]);

/** It may have been written or not: nobody could be asked. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof CommitInDoubt;
}

/** The database cannot be reached, read or written at the moment; of what failed so, nothing was written. */
export function isLedgerTrouble(error: unknown): boolean {
  if (error instanceof PostgresTrouble) return error.passing;
  if (error instanceof LedgerUnusable) return true;
  return error instanceof Error && 'errcode' in error && SQLITE_TROUBLES.has(Number(error.errcode) & 0xff);
}
