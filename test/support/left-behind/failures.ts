import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterwards } from '../afterwards.ts';
import { scratchFile } from '../scratch.ts';
import { makeScratchInMemory } from '../scratch-root.ts';

const KILLED = `require('node:fs').mkdtempSync(require('node:os').tmpdir() + '/of-a-child-'); process.kill(process.pid, 'SIGKILL')`;

/** Every way in which a test may end without having cleaned up. */
export function failures(file: string): void {
  test('leaves the folder of a failed test, and fails in its clean-up too', () => {
    const path = scratchFile();
    writeFileSync(path, '');
    afterwards(() => console.log(`cleaned up after the ${file} file`));
    afterwards(() => Promise.reject(new Error('the clean-up failed')));
    expect(path).toBe('');
  });

  test('is not over in time', { timeout: 50 }, () => {
    writeFileSync(scratchFile(), '');
    return new Promise(() => {});
  });

  test('makes a folder by itself, and starts a child that is killed with one of its own', () => {
    mkdtempSync(join(tmpdir(), 'by-itself-'));
    makeScratchInMemory();
    expect(spawnSync(process.execPath, ['-e', KILLED]).signal).toBe('SIGKILL');
  });
}
