import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';

const SRC = resolve(import.meta.dirname, '../../src');

/** What a program was made of, and what it says then. */
const MADE_OF = {
  'src/main.ts': `const word: string = 'sources';\nconsole.log(word);\n`,
  'views/a.ts': 'export const a: 1 = 1;\n',
};

/** A program in a folder of its own that begins as ours does, and that was built. */
function program() {
  const folder = scratchFolder();
  const file = (name: string) => join(folder, name);
  for (const part of ['src', 'views', 'dist']) mkdirSync(file(part));
  for (const name of ['proxy-desk.cjs', 'built.cjs']) copyFileSync(join(SRC, name), file(`src/${name}`));
  writeFileSync(file('package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(MADE_OF)) writeFileSync(file(name), text);
  const sizes = Object.entries(MADE_OF).map(([name, text]) => [name, text.length]);
  writeFileSync(file('dist/main.cjs'), `console.log('built');\n`);
  writeFileSync(file('dist/made-of.json'), JSON.stringify(sizes));
  writeFileSync(file('dist/made-of.bytes'), Object.values(MADE_OF).join(''));
  const start = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file('src/proxy-desk.cjs')], {
      encoding: 'utf8',
      env: {},
    });
    return { status, said: stdout.trim(), stderr };
  };
  return { file, start };
}

const said = (what: string) => ({ status: 0, said: what, stderr: '' });

describe('what was built', () => {
  test('runs where not a byte of what it was made of has changed', () => {
    expect(program().start()).toEqual(said('built'));
  });

  test.each([
    [
      'one byte of a file is another',
      (file) => writeFileSync(file('views/a.ts'), MADE_OF['views/a.ts'].replaceAll('1', '2')),
    ],
    ['a file has become longer', (file) => appendFileSync(file('views/a.ts'), '\n')],
    ['a file has become shorter', (file) => truncateSync(file('views/a.ts'), 5)],
    ['a file has become empty', (file) => truncateSync(file('views/a.ts'), 0)],
    ['a file has gone', (file) => rmSync(file('views/a.ts'))],
    ['nothing was built', (file) => rmSync(file('dist'), { recursive: true })],
    ['what is kept of the sources is cut off', (file) => truncateSync(file('dist/made-of.bytes'), 70)],
    ['the list is cut off', (file) => truncateSync(file('dist/made-of.json'), 20)],
    ['the list names nothing', (file) => writeFileSync(file('dist/made-of.json'), '[]')],
  ] satisfies [string, (file: (name: string) => string) => void][])(
    'never runs where %s: the sources do',
    (_, change) => {
      const { file, start } = program();
      change(file);
      expect(start()).toEqual(said('sources'));
    },
  );

  test('runs again where a change was undone', () => {
    const { file, start } = program();
    const before = readFileSync(file('views/a.ts'));
    writeFileSync(file('views/a.ts'), 'export const a: 2 = 2;\n');
    expect(start()).toEqual(said('sources'));
    writeFileSync(file('views/a.ts'), before);
    expect(start()).toEqual(said('built'));
  });
});

describe('npm run build', () => {
  const { scripts } = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')) as { scripts: { build: string } };

  test('without the optional rolldown says so in one line, and leaves all as it was', () => {
    const { file, start } = program();
    mkdirSync(file('deploy'));
    for (const name of ['package.json', 'src/node-version.cjs', 'deploy/build.ts'])
      copyFileSync(join(SRC, '..', name), file(name));
    const { status, stdout, stderr } = spawnSync('sh', ['-c', scripts.build], {
      cwd: file('.'),
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Nothing was built: rolldown, .* npm ci --omit=dev --include=optional\n$/);
    expect(start()).toEqual(said('built'));
  });

  test('with a Node that is too old names the one that is needed', () => {
    expect(scripts.build).toBe('node --require ./src/node-version.cjs deploy/build.ts');
  });
});
