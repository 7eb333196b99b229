import { join } from 'node:path';
import { afterwards } from './afterwards.ts';
import { makeScratch } from './scratch-root.ts';

/** A folder that goes after the test. */
export function scratchFolder(): string {
  const folder = makeScratch();
  afterwards(() => folder.remove());
  return folder.path;
}

/** A path for a ledger, in such a folder. */
export function scratchFile(): string {
  return join(scratchFolder(), 'desk.db');
}
