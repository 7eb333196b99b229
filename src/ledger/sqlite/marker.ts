import { statSync, writeFileSync } from 'node:fs';
import { LedgerUnusable } from '../errors.ts';

/**
 * A marker beside the file says that a ledger was there: a file that has vanished or is empty is a loss to be told, not a
 * reason to start an empty ledger that has forgotten every purchase.
 * @returns whether a ledger must be there.
 */
export function refuseIfLost(file: string): boolean {
  // The marker first: a process that starts at the same time leaves it last.
  const expected = sizeOf(markerOf(file)) !== undefined || (sizeOf(`${file}-wal`) ?? 0) > 0;
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

function markerOf(file: string): string {
  return `${file}.exists`;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
