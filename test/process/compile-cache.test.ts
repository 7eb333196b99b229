import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';

const SRC = resolve(import.meta.dirname, '../../src');

/** A program in a folder of its own that begins as ours does, and says a word. */
function program() {
  const folder = scratchFolder();
  const src = join(folder, 'src');
  const cache = join(folder, '.cache');
  mkdirSync(src);
  for (const file of readdirSync(SRC).filter((name) => name.endsWith('.cjs')))
    copyFileSync(join(SRC, file), join(src, file));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(src, 'main.ts'), `const word: string = 'started';\nconsole.log(word);\n`);
  const start = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(src, 'proxy-desk.cjs')], {
      encoding: 'utf8',
      env: {},
    });
    return { status, stdout, stderr };
  };
  return { folder, cache, start };
}

const STARTED = { status: 0, stdout: 'started\n', stderr: '' };

describe('what Node has compiled', () => {
  test('is kept in a folder of the program that nobody else may enter', () => {
    const { cache, start } = program();
    expect(start()).toEqual(STARTED);
    expect(lstatSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1);
    expect(start()).toEqual(STARTED);
  });

  test.each([0o777, 0o770, 0o702, 0o755])('is neither read nor kept where others may enter: mode %o', (mode) => {
    const { cache, start } = program();
    mkdirSync(cache);
    chmodSync(cache, mode);
    expect(start()).toEqual(STARTED);
    expect(readdirSync(cache)).toEqual([]);
  });

  test('is not kept behind a link, which somebody else may have laid', () => {
    const { folder, cache, start } = program();
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, cache);
    expect(start()).toEqual(STARTED);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('is not missed where no folder can be made', () => {
    const { cache, start } = program();
    writeFileSync(cache, 'in the way');
    expect(start()).toEqual(STARTED);
  });
});
