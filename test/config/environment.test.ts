import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';

const BOT = 'xoxb-1-bot-canary';
const APP = 'xapp-1-app-canary';
const SIGNING = 'signing-canary-0123456789abcdef';
const TOKEN = 'vendor-canary-token';

const SOCKET = {
  SLACK_BOT_TOKEN: BOT,
  SLACK_APP_TOKEN: APP,
  PROXY_API_BASE_URL: 'https://vendor.example/api',
  PROXY_API_TOKEN: TOKEN,
};

type Files = Record<string, { text: string; readableByOthers?: boolean }>;

function read(changes: Record<string, string | undefined> = {}, files: Files = {}) {
  return readConfig({ ...SOCKET, ...changes }, (path) => {
    const file = files[path];
    if (file === undefined) throw new Error(`ENOENT ${path}`);
    return { readableByOthers: false, ...file };
  });
}

function config(changes: Record<string, string | undefined> = {}, files: Files = {}): Config {
  const reading = read(changes, files);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

/** The keys complained about. */
function refused(changes: Record<string, string | undefined>, files: Files = {}): string[] {
  const reading = read(changes, files);
  if (reading.ok) throw new Error('was accepted');
  for (const { problem, remedy } of reading.problems) expect(problem && remedy).not.toBe('');
  expect(JSON.stringify(reading)).not.toContain('canary');
  return reading.problems.map(({ key }) => key);
}

describe('the settings', () => {
  test('need four values; the rest has defaults', () => {
    expect(config()).toEqual({
      slack: { mode: 'socket', botToken: BOT, appToken: APP },
      slackApiUrl: 'https://slack.com/api/',
      vendor: { baseUrl: 'https://vendor.example/api', token: TOKEN, timeoutMs: 30_000 },
      database: { kind: 'sqlite', path: './data/desk.db' },
      port: 3000,
      logLevel: 'info',
      secrets: [BOT, APP, TOKEN],
    });
  });

  test('with a signing secret mean HTTP mode', () => {
    const { slack, secrets } = config({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: SIGNING });
    expect(slack).toEqual({ mode: 'http', botToken: BOT, signingSecret: SIGNING });
    expect(secrets).toContain(SIGNING);
  });

  test('report all problems at once, each with key and remedy', () => {
    const reading = readConfig({ PORT: 'x', LOG_LEVEL: 'loud', NODE_TLS_REJECT_UNAUTHORIZED: '0' }, () => {
      throw new Error('no file');
    });
    expect(reading.ok ? [] : reading.problems.map(({ key }) => key).sort()).toEqual([
      'LOG_LEVEL',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'PORT',
      'PROXY_API_BASE_URL',
      'PROXY_API_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
    ]);
  });

  test('that are blank count as not set', () => {
    expect(
      config({
        DATABASE_URL: ' ',
        PORT: '',
        LOG_LEVEL: '',
        POLICY_FILE: '',
        SLACK_API_URL: '',
        SLACK_SIGNING_SECRET: '',
      }),
    ).toEqual(config());
    expect(refused({ PROXY_API_TOKEN: '' })).toEqual(['PROXY_API_TOKEN']);
  });

  test('are not taken from what every object inherits', () => {
    const inherited: Record<string, string> = Object.create({ PORT: '99' });
    expect(readConfig(Object.assign(inherited, SOCKET), () => ({ text: '', readableByOthers: false }))).toMatchObject({
      config: { port: 3000 },
    });
  });
});

describe('a secret', () => {
  test('may come from a file, whose last line break does not count', () => {
    const changes = { PROXY_API_TOKEN: undefined, PROXY_API_TOKEN_FILE: '/run/token' };
    for (const end of ['', '\n', '\r\n'])
      expect(config(changes, { '/run/token': { text: TOKEN + end } }).vendor.token).toBe(TOKEN);
    expect(config({ PROXY_API_TOKEN: `${TOKEN}\n` }).vendor.token).toBe(TOKEN);
  });

  test.each([
    ['SLACK_BOT_TOKEN', BOT],
    ['SLACK_APP_TOKEN', APP],
    ['PROXY_API_TOKEN', TOKEN],
  ])('%s is refused when given twice, in a file and directly', (key, text) => {
    expect(refused({ [`${key}_FILE`]: '/f' }, { '/f': { text } })).toEqual([key]);
  });

  test('in a file that cannot be read, or is empty, is named by its variable', () => {
    const changes = { PROXY_API_TOKEN: undefined, PROXY_API_TOKEN_FILE: '/f' };
    expect(refused(changes)).toEqual(['PROXY_API_TOKEN_FILE']);
    expect(refused(changes, { '/f': { text: '\n' } })).toEqual(['PROXY_API_TOKEN_FILE']);
  });

  test('in a file that others can read starts, with a warning', () => {
    const changes = { PROXY_API_TOKEN: undefined, PROXY_API_TOKEN_FILE: '/f' };
    const reading = read(changes, { '/f': { text: TOKEN, readableByOthers: true } });
    expect(reading).toMatchObject({ ok: true, warnings: [expect.stringContaining('PROXY_API_TOKEN_FILE')] });
    expect(read()).toMatchObject({ ok: true, warnings: [] });
  });

  test.each([
    'canary x',
    'canary-\ttoken',
    'canary\n\n',
    'canary-tokén',
    'canary1',
    '\u200bcanary-token',
    ' canary-token',
  ])('of the form %j is refused without being shown', (token) => {
    expect(refused({ PROXY_API_TOKEN: token })).toEqual(['PROXY_API_TOKEN']);
  });

  test('of Slack must be the right one of the two', () => {
    expect(refused({ SLACK_BOT_TOKEN: APP, SLACK_APP_TOKEN: BOT })).toEqual(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']);
  });

  test('for one mode only: app token or signing secret', () => {
    expect(refused({ SLACK_SIGNING_SECRET: SIGNING })).toEqual(['SLACK_APP_TOKEN']);
    expect(refused({ SLACK_APP_TOKEN: undefined })).toEqual(['SLACK_APP_TOKEN']);
    expect(refused({ SLACK_SIGNING_SECRET_FILE: '/f' }, { '/f': { text: SIGNING } })).toEqual(['SLACK_APP_TOKEN']);
  });
});

describe('the address of the vendor', () => {
  test.each([
    ['https://vendor.example', 'https://vendor.example'],
    ['https://vendor.example/', 'https://vendor.example'],
    ['https://vendor.example:8443/a/b//', 'https://vendor.example:8443/a/b'],
    ['http://127.0.0.1:9', 'http://127.0.0.1:9'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://localhost:80/x', 'http://localhost/x'],
    ['http://[::1]:5', 'http://[::1]:5'],
  ])('%s is used as %s', (text, baseUrl) => {
    expect(config({ PROXY_API_BASE_URL: text }).vendor.baseUrl).toBe(baseUrl);
  });

  test.each([
    'http://vendor.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'ftp://vendor.example',
    'vendor.example',
    'https://',
    'https://user:canary@vendor.example',
    'https://canary@vendor.example',
    'https://vendor.example?key=canary',
    'https://vendor.example/#',
    ' https://vendor.example',
    'https://vendor.example/a b',
  ])('%j is refused', (text) => {
    expect(refused({ PROXY_API_BASE_URL: text })).toEqual(['PROXY_API_BASE_URL']);
  });
});

describe('the address of Slack', () => {
  test.each(['http://127.0.0.1:4000/api/', 'http://localhost:1/api/', 'https://slack.com/api/'])(
    'may be %s',
    (text) => {
      expect(config({ SLACK_API_URL: text }).slackApiUrl).toBe(text);
    },
  );

  test('ends in a slash, also where it was left out', () => {
    expect(config({ SLACK_API_URL: 'http://127.0.0.1:4000/api' }).slackApiUrl).toBe('http://127.0.0.1:4000/api/');
  });

  test.each(['https://slack.example/api/', 'http://slack.com/api/', 'https://127.0.0.1/api/', 'http://a@127.0.0.1/'])(
    'may not be %s',
    (text) => {
      expect(refused({ SLACK_API_URL: text })).toEqual(['SLACK_API_URL']);
    },
  );
});

describe('the database', () => {
  test.each([
    ['sqlite:./data/desk.db', './data/desk.db'],
    ['sqlite:desk.db', 'desk.db'],
    ['sqlite:/var/lib/desk.db', '/var/lib/desk.db'],
    ['sqlite:///var/lib/desk.db', '///var/lib/desk.db'],
  ])('%s is the file %s', (text, path) => {
    expect(config({ DATABASE_URL: text }).database).toEqual({ kind: 'sqlite', path });
  });

  test.each([
    'postgres://desk:p%40ss-word@db.example/desk',
    'postgresql://desk:p%40ss-word@db.example:5432/desk?sslmode=require',
  ])('%s is PostgreSQL, and its password a secret in both forms', (url) => {
    const { database, secrets } = config({ DATABASE_URL: url });
    expect(database).toEqual({ kind: 'postgres', url });
    expect(secrets).toEqual([BOT, APP, TOKEN, 'p%40ss-word', 'p@ss-word']);
  });

  test.each([
    ['postgres://desk@db.example/desk', 1],
    ['postgres://desk@db.example/desk?sslmode=no-verify', 1],
    ['postgres://desk@db.example/desk?sslmode=verify-full', 0],
    ['postgres://desk@127.0.0.1/desk', 0],
    ['postgres:///desk?host=/var/run/postgresql&user=desk', 0],
  ])('%s: is warned of %i times as readable on its way', (url, times) => {
    const reading = read({ DATABASE_URL: url });
    expect(reading.ok && reading.warnings).toEqual(Array(times).fill(expect.stringContaining('not encrypted')));
  });

  test('may be named in a file, since it may hold a password', () => {
    const url = 'postgres://desk:secret@db.example/desk';
    expect(config({ DATABASE_URL_FILE: '/f' }, { '/f': { text: `${url}\n` } }).database).toEqual({
      kind: 'postgres',
      url,
    });
    expect(refused({ DATABASE_URL_FILE: '/f', DATABASE_URL: url }, { '/f': { text: url } })).toEqual(['DATABASE_URL']);
  });

  test.each([
    'sqlite:',
    'sqlite::memory:',
    'sqlite:file:x.db',
    'sqlite://data/desk.db',
    'sqlite:./data/',
    'sqlite:./x.db?mode=ro',
    'mysql://canary@db/desk',
    './data/desk.db',
    'postgres:desk',
    'postgres://canary:canary@db:x/desk',
  ])('%s is refused', (text) => {
    expect(refused({ DATABASE_URL: text })).toEqual(['DATABASE_URL']);
  });
});

describe('numbers and levels', () => {
  test('are read strictly', () => {
    expect(config({ PROXY_API_TIMEOUT_MS: '100', PORT: '0', LOG_LEVEL: 'debug' })).toMatchObject({
      vendor: { timeoutMs: 100 },
      port: 0,
      logLevel: 'debug',
    });
    for (const timeout of ['99', '300001', '1e3', '30_000', '30s', '-1', '0100', ' 500', '٥٠٠'])
      expect(refused({ PROXY_API_TIMEOUT_MS: timeout })).toEqual(['PROXY_API_TIMEOUT_MS']);
    for (const port of ['65536', '-1', '80.0', '0x50', 'http']) expect(refused({ PORT: port })).toEqual(['PORT']);
    for (const level of ['INFO', 'verbose', 'constructor'])
      expect(refused({ LOG_LEVEL: level })).toEqual(['LOG_LEVEL']);
  });
});

test('certificates must be checked', () => {
  expect(refused({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual(['NODE_TLS_REJECT_UNAUTHORIZED']);
  expect(config({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual(config());
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

  test('copied and filled in with the four values starts, with the defaults it states', () => {
    expect(config({ ...parseEnv(text), ...SOCKET })).toEqual(config());
    const stated = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''));
    expect(config({ ...stated, ...SOCKET, SLACK_API_URL: undefined })).toEqual(config());
  });

  test('names every setting, and holds no secret', () => {
    const names = Object.keys(parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, '')));
    expect(names.sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'POLICY_FILE',
      'PORT',
      'PROXY_API_BASE_URL',
      'PROXY_API_TIMEOUT_MS',
      'PROXY_API_TOKEN',
      'SLACK_API_URL',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
    ]);
    for (const [name, value] of Object.entries(parseEnv(text))) expect(value, name).toBe('');
  });
});
