import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { type Environment, run } from '../support/bot.ts';
import { RECORDER } from '../support/loaded.ts';
import { scratchFile } from '../support/scratch.ts';
import { fileManyInto } from './many.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** More than a pipe takes at once. */
const MANY = 2_000;

async function ledgerOf(count: number): Promise<{ readonly path: string; readonly env: Environment }> {
  const path = scratchFile();
  await (await openLedger({ kind: 'sqlite', path })).close();
  fileManyInto(path, count);
  return { path, env: { DATABASE_URL: `sqlite:${path}` } };
}

function shell(env: Environment, script: string, ...args: readonly string[]) {
  return run({
    env,
    cwd: tmpdir(),
    command: ['bash', '-o', 'pipefail', '-c', script, process.execPath, MAIN, 'ledger', ...args],
  });
}

describe('the ledger command as a program', () => {
  test.each([[['list']], [['list', '--json']], [['export']]])(
    '%j ends quietly when its reader has seen enough',
    async (args) => {
      const { env } = await ledgerOf(MANY);
      const { code, stdout, stderr } = await shell(env, '"$0" "$@" | head -n 2', ...args);
      expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 3 });
    },
  );

  test.skipIf(!existsSync('/dev/full'))('says so when what it prints cannot be kept', async () => {
    const { env } = await ledgerOf(MANY);
    const { code, stderr } = await shell(env, '"$0" "$@" > /dev/full', 'export');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ledger: .*ENOSPC.*\n$/);
  });

  test.each([
    ['sqlite', [], ['pg']],
    ['postgres', ['pg'], []],
  ])('loads nothing of the bot, and of databases only %s', async (kind, some, none) => {
    const { env, path } = await ledgerOf(1);
    const file = `${path}.loaded`;
    const { code } = await run({
      env: { ...env, LOADED: file, ...(kind === 'postgres' && { DATABASE_URL: 'postgres://desk@127.0.0.1:1/desk' }) },
      cwd: tmpdir(),
      command: [process.execPath, '--import', RECORDER, MAIN, 'ledger', 'list'],
    });
    expect(code).toBe(kind === 'sqlite' ? 0 : 1);
    const loaded = readFileSync(file, 'utf8').split('\n');
    const packages = new Set(loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []));
    expect([...packages]).toEqual(expect.arrayContaining(some));
    for (const name of ['@slack/bolt', '@slack/web-api', 'undici', 'pino', 'yaml', ...none])
      expect(packages).not.toContain(name);
    const folders = new Set(
      loaded.flatMap((url) => /\/(views|commands|src\/(?:doctor|runtime|slack|vendor-api))\//.exec(url)?.[1] ?? []),
    );
    expect([...folders]).toEqual([]);
  });

  test('tells how it is used also where the settings are wrong, which end every other command with 78', async () => {
    const wrong = { env: { DATABASE_URL: 'mysql://s3cret-s3cret@db/desk' }, cwd: tmpdir() };
    const help = await run({ ...wrong, args: ['ledger', '--help'] });
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: /) });
    const list = await run({ ...wrong, args: ['ledger', 'list'] });
    expect(list).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(/^DATABASE_URL is neither/) });
    expect(list.stderr).not.toContain('s3cret');
  });

  test('ends with a code also where nobody hears what is wrong', async () => {
    const { code, stdout } = await shell({}, '"$0" "$@" 2>&-', 'nonsense');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
