import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/**
 * Goes away with the block that holds it (`using folder = temporaryFolder('walk')`), also when something is thrown there, and at
 * the latest when the process ends.
 */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `proxy-desk-${name}-`));
  const forget = atExit(() => remove());
  const remove = () => {
    forget();
    // A process that is just being ended may still have written something meanwhile.
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  return { path, [Symbol.dispose]: remove };
}
