import { describe, expect, test } from 'vitest';
import { readEnvFile } from '../../src/config/env-file.ts';
import { problemLine } from '../../src/config/problem.ts';

const TOKEN = 'PROXY_API_TOKEN';

const read = (text: string, readableByOthers = false) => readEnvFile(() => ({ text, readableByOthers }));

function failing(code: string) {
  return readEnvFile(() => {
    throw Object.assign(new Error(code), { code });
  });
}

describe('.env', () => {
  test('that is not there is no trouble, and not a word is said of it', () => {
    expect(failing('ENOENT')).toEqual({ ok: true, values: {}, warnings: [] });
  });

  test.each([
    ['EACCES', '.env is not readable by this user: give it the right to read (chown, chmod).'],
    ['EISDIR', '.env is a folder: put a file in its place, or name another.'],
    ['EIO', '.env is not readable (EIO): look at the file and its disk.'],
  ])('that cannot be read (%s) is not taken for one that is not there', (code, line) => {
    const reading = failing(code);
    expect(reading.ok ? [] : reading.problems.map(problemLine)).toEqual([line]);
  });

  test.each([
    ['A=1\r\n# comment\r\nexport B="x y"\r\n', { A: '1', B: 'x y' }],
    ['\uFEFFA=1', { A: '1' }],
    ['A=1 # comment\nB= # comment\nC=', { A: '1', B: '', C: '' }],
    [`A="a#b" # it's\nB='a #b'\nC=\`a#b\`\nD="a\n#b"`, { A: 'a#b', B: 'a #b', C: 'a#b', D: 'a\n#b' }],
    ['# A=a#b\n  # B=1#b', {}],
    [
      'NODE_ENV=production\nNODE_TLS_REJECT_UNAUTHORIZED=1',
      { NODE_ENV: 'production', NODE_TLS_REJECT_UNAUTHORIZED: '1' },
    ],
  ])('%j is read as Node reads it', (text, values) => {
    expect(read(text)).toEqual({ ok: true, values, warnings: [] });
  });

  test.each([
    [`${TOKEN}=canary#canary`, `${TOKEN} is cut in .env at a #, which begins a comment: put the value in quotes.`],
    [
      'DATABASE_URL=postgres://desk:can#ary@db/desk # x',
      'DATABASE_URL is cut in .env at a #, which begins a comment: put the value in quotes.',
    ],
    ['LOG_LEVEL=info#comment', 'LOG_LEVEL is cut in .env at a #, which begins a comment: put the value in quotes.'],
    [
      'NODE_EXTRA_CA_CERTS=/etc/ca.pem',
      'NODE_EXTRA_CA_CERTS is in .env, which Node does not read: set it where the program is started.',
    ],
  ])('%s is refused', (text, line) => {
    const reading = read(`A=1\n${text}\n`);
    expect(reading.ok ? [] : reading.problems.map(problemLine)).toEqual([line]);
  });

  test('all problems are reported at once', () => {
    const reading = read('A=a#b\nB=ok\nC=c#d\nNODE_OPTIONS=x');
    expect(reading.ok ? [] : reading.problems.map(({ key }) => key)).toEqual(['A', 'C', 'NODE_OPTIONS']);
  });

  test.each([
    [
      `${TOKEN}=canary #canary`,
      false,
      [`${TOKEN}: what follows the # in .env is a comment; if it belongs to the secret, put that in quotes`],
    ],
    [`${TOKEN}=canary`, true, ['.env: the file can be read by other users; chmod 600 keeps it to yourself']],
    [`${TOKEN}=\n${TOKEN}_FILE=/run/token\nPORT=80 # comment`, true, []],
    [`${TOKEN}='canary #canary'`, false, []],
  ])('%s (readable by others: %s) is warned of: %j', (text, readableByOthers, warnings) => {
    expect(read(text, readableByOthers)).toMatchObject({ ok: true, warnings });
  });
});
