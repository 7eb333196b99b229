import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isAlive } from '../../sandbox/demo/data-folder.ts';
import { scratchFolder } from './scratch.ts';
import { MEMORY, PREFIX } from './scratch-root.ts';

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')));
const CONFIG = join(import.meta.dirname, 'left-behind/vitest.config.ts');
/** Linux gives none above 2^22. */
const NOBODYS_PID = 2 ** 22 + 1;

test('a run leaves nothing in the temporary folder: not of failed tests, nor of killed children, nor of a run killed before', async () => {
  expect(tmpdir()).toContain(`/${PREFIX}`);
  const temporary = scratchFolder();
  mkdirSync(join(temporary, `${PREFIX}${NOBODYS_PID}-killed`, 'desk-1'), { recursive: true });
  const run = promisify(execFile)(process.execPath, [VITEST, 'run', '--config', CONFIG], {
    env: { ...process.env, TMPDIR: temporary },
  });
  const { stdout } = (await run.catch((error: unknown) => error)) as { readonly stdout: string };
  expect(stdout).toMatch(/Tests .*4 failed.*2 passed/);
  for (const file of ['first', 'second']) expect(stdout).toContain(`cleaned up after the ${file} file`);
  expect(readdirSync(temporary)).toEqual([]);
  if (existsSync(MEMORY)) expect(readdirSync(MEMORY).join()).not.toContain(`${PREFIX}${run.child.pid}-`);
});

test('a process of the bot ends with the run that started it, however that ends', async () => {
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'left-behind/parent.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const bot = Number(said.toString());
  expect(isAlive(bot)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(bot)).toBe(false);
});
