import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterwards } from './fixture.ts';

/** A path for a ledger, in a folder that goes after the test. */
export function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  afterwards(() => rmSync(folder, { recursive: true }));
  return join(folder, 'desk.db');
}
