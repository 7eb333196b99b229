import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
  const { file, start } = programIn(folder);
  for (const part of ['src', 'views', 'dist']) mkdirSync(file(part));
  for (const name of readdirSync(SRC).filter((found) => found.endsWith('.cjs')))
    copyFileSync(join(SRC, name), file(`src/${name}`));
  writeFileSync(file('later.cjs'), 'const { now } = Date; Date.now = () => now() + 3_600_000;');
  writeFileSync(file('package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(MADE_OF)) writeFileSync(file(name), text);
  const sizes = Object.entries(MADE_OF).map(([name, text]) => [name, text.length]);
  writeFileSync(file('dist/main.cjs'), `console.log('built');\n`);
  writeFileSync(file('dist/made-of.json'), JSON.stringify(sizes));
  writeFileSync(file('dist/made-of.bytes'), Object.values(MADE_OF).join(''));
  return { folder, file, start };
}

function programIn(folder: string) {
  const file = (name: string) => join(folder, name);
  /** @param flags `LATER`: an hour after all was written */
  const start = (...flags: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file('src/proxy-desk.cjs')], {
      encoding: 'utf8',
      env: {},
      cwd: folder,
    });
    return { status, said: stdout.trim(), stderr };
  };
  return { file, start };
}

const LATER = ['--require', './later.cjs'];

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

describe('what was compared', () => {
  /** One that has compared its sources, and remembers what they were like. */
  function compared() {
    const made = program();
    expect(made.start(...LATER)).toEqual(said('built'));
    expect(existsSync(made.file('.cache/seen'))).toBe(true);
    return made;
  }
  const OTHER = MADE_OF['views/a.ts'].replaceAll('1', '2');

  test('runs without being compared again as long as nobody has touched it', () => {
    const { start } = compared();
    expect(start()).toEqual(said('built'));
  });

  test('is compared again where it was written just now: another change might leave the same time', () => {
    const { file, start } = program();
    expect(start()).toEqual(said('built'));
    expect(existsSync(file('.cache/seen'))).toBe(false);
  });

  test.each([
    [
      'is as long as it was, and its time was put back',
      (file) => {
        const { atime, mtime } = statSync(file('views/a.ts'));
        writeFileSync(file('views/a.ts'), OTHER);
        utimesSync(file('views/a.ts'), atime, mtime);
      },
    ],
    [
      'was replaced by one that was there before',
      (file) => {
        writeFileSync(file('views/b.ts'), OTHER);
        renameSync(file('views/b.ts'), file('views/a.ts'));
      },
    ],
    ['has gone', (file) => rmSync(file('views/a.ts'))],
    [
      'was changed, and the record of it is cut off',
      (file) => {
        const record = readFileSync(file('.cache/seen'), 'utf8');
        writeFileSync(file('.cache/seen'), record.split('\n').slice(0, 3).join('\n'));
        writeFileSync(file('views/a.ts'), OTHER);
      },
    ],
  ] satisfies [string, (file: (name: string) => string) => void][])('never runs where a file %s', (_, change) => {
    const { file, start } = compared();
    change(file);
    expect(start(...LATER)).toEqual(said('sources'));
  });

  test('is compared anew in a copy, with all its times, of the whole program', () => {
    const { folder } = compared();
    const copy = join(scratchFolder(), 'copy');
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    const { file, start } = programIn(copy);
    const { atime, mtime } = statSync(file('views/a.ts'));
    writeFileSync(file('views/a.ts'), OTHER);
    utimesSync(file('views/a.ts'), atime, mtime);
    expect(start(...LATER)).toEqual(said('sources'));
  });

  test('is remembered anew when it was built anew', () => {
    const { file, start } = compared();
    writeFileSync(file('views/a.ts'), OTHER);
    writeFileSync(file('dist/made-of.bytes'), Object.values({ ...MADE_OF, 'views/a.ts': OTHER }).join(''));
    const before = readFileSync(file('.cache/seen'), 'utf8');
    expect(start(...LATER)).toEqual(said('built'));
    expect(readFileSync(file('.cache/seen'), 'utf8')).not.toBe(before);
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
