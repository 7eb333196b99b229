import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readDatabaseConfig } from '../../src/config/database.ts';
import { type Config, readConfig } from '../../src/config/environment.ts';
import { policyFile } from '../../src/config/given.ts';
import { problemLine } from '../../src/config/problem.ts';

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

type Changes = Record<string, string | undefined>;
type Files = Record<string, { text: string; readableByOthers?: boolean } | NodeJS.ErrnoException>;

function read(changes: Changes = {}, files: Files = {}) {
  return readConfig({ ...SOCKET, ...changes }, (path) => {
    const file = files[path] ?? failed('ENOENT');
    if (file instanceof Error) throw file;
    return { readableByOthers: false, ...file };
  });
}

function failed(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

function config(changes: Changes = {}, files: Files = {}): Config {
  const reading = read(changes, files);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

/** The keys complained about. */
function refused(changes: Changes, files: Files = {}): string[] {
  const reading = read(changes, files);
  if (reading.ok) throw new Error('was accepted');
  for (const { problem, remedy } of reading.problems) expect(problem && remedy).not.toBe('');
  expect(JSON.stringify(reading)).not.toContain('canary');
  return reading.problems.map(({ key }) => key);
}

/** All that people see of it, exactly. */
function lines(changes: Changes, files: Files = {}): string[] {
  const reading = read(changes, files);
  if (reading.ok) throw new Error('was accepted');
  return reading.problems.map(problemLine);
}

const VENDOR = "set the vendor's address, https://…";
const SECRET =
  'is not a usable secret (shorter than 8 characters, or with a blank, line break or non-ASCII character in it): ' +
  'copy it again, alone, without quotes or blanks around it.';
const BASE_URL = 'https://vendor.example';
const POSTGRES =
  'DATABASE_URL is not a readable address: write postgres://user:password@host:port/name, and percent-encode the password: ' +
  '/ is %2F, # is %23, ? is %3F, @ is %40, % is %25.';
const SQLITE =
  '(a database in memory would forget what was bought): use sqlite:./data/desk.db or sqlite:/var/lib/desk/desk.db, without options.';
const MODE = 'set SLACK_APP_TOKEN (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET for HTTP mode, and not the other.';

describe('one wrong setting gets one line, with the value where it is no secret', () => {
  test.each<[Changes, string]>([
    [
      { SLACK_BOT_TOKEN: undefined },
      "SLACK_BOT_TOKEN is not set: set the xoxb-… token of the Slack app's OAuth page, or name a file in SLACK_BOT_TOKEN_FILE.",
    ],
    [{ SLACK_BOT_TOKEN: APP }, 'SLACK_BOT_TOKEN does not begin with xoxb-: copy the token that begins with xoxb-.'],
    [{ SLACK_BOT_TOKEN: `"${BOT} "` }, `SLACK_BOT_TOKEN ${SECRET}`],
    [{ SLACK_APP_TOKEN: BOT }, 'SLACK_APP_TOKEN does not begin with xapp-: copy the token that begins with xapp-.'],
    [{ SLACK_APP_TOKEN: undefined }, `SLACK_APP_TOKEN is not set, nor is SLACK_SIGNING_SECRET: ${MODE}`],
    [{ SLACK_SIGNING_SECRET: SIGNING }, `SLACK_APP_TOKEN is set, and so is SLACK_SIGNING_SECRET: ${MODE}`],
    [
      { PROXY_API_TOKEN: undefined },
      "PROXY_API_TOKEN is not set: set the Master User Token of the vendor's My Account page, or name a file in PROXY_API_TOKEN_FILE.",
    ],
    [{ PROXY_API_TOKEN: 'short' }, `PROXY_API_TOKEN ${SECRET}`],
    [{ PROXY_API_TOKEN_FILE: '/f' }, 'PROXY_API_TOKEN is set, and so is PROXY_API_TOKEN_FILE: keep one of the two.'],
    [{ PROXY_API_BASE_URL: undefined }, `PROXY_API_BASE_URL is not set: ${VENDOR}.`],
    [
      { PROXY_API_BASE_URL: 'vendor.example' },
      `PROXY_API_BASE_URL is "vendor.example", which is not a web address: ${VENDOR}.`,
    ],
    [
      { PROXY_API_BASE_URL: 'http://vendor.example' },
      'PROXY_API_BASE_URL is "http://vendor.example", which is neither https nor http on this machine (the token would travel in clear): ' +
        'use https://… (http only for 127.0.0.1, localhost or [::1]).',
    ],
    [
      { PROXY_API_BASE_URL: 'https://user:canary@vendor.example' },
      'PROXY_API_BASE_URL holds a user, password, query or fragment: leave only scheme, host, port and path.',
    ],
    ...['/v2', '/v2/', '/api/v2//', '/v2/balance', '/v2/orders/create'].map((path): [Changes, string] => [
      { PROXY_API_BASE_URL: `${BASE_URL}${path}` },
      `PROXY_API_BASE_URL is "${BASE_URL}${path}", which is the address of a call, not of the vendor (/v2/… is added to it): ` +
        'leave /v2 and what follows out.',
    ]),
    [
      { SLACK_API_URL: 'https://slack.example/api/' },
      'SLACK_API_URL is "https://slack.example/api/", which is not http on this machine: leave it out, except in tests: http://127.0.0.1:PORT/api/.',
    ],
    [
      { DATABASE_URL: 'mysql://desk:canary@db/desk' },
      'DATABASE_URL is neither sqlite: nor postgres://: use sqlite:./data/desk.db or postgres://user:password@host/name.',
    ],
    ...['pa/ss', 'pa#ss', 'pa?ss', '12/ss', '12#ss', '12?ss', '50%', 'a b'].map((password): [Changes, string] => [
      { DATABASE_URL: `postgres://desk:${password}-canary@db.example/desk` },
      POSTGRES,
    ]),
    [{ DATABASE_URL: 'sqlite:./data/' }, `DATABASE_URL is "sqlite:./data/", which is no file for SQLite ${SQLITE}`],
    [{ DATABASE_URL: 'sqlite::memory:' }, `DATABASE_URL is "sqlite::memory:", which is no file for SQLite ${SQLITE}`],
    [
      { PROXY_API_TIMEOUT_MS: '30s' },
      'PROXY_API_TIMEOUT_MS is "30s", which is not a whole number from 100 to 300000: set one, or leave it out for 30000.',
    ],
    [
      { PORT: '70000' },
      'PORT is "70000", which is not a whole number from 0 to 65535: set one, or leave it out for 3000.',
    ],
    [
      { PORT: '\u200b80' },
      'PORT is "\\u{200b}80", which is not a whole number from 0 to 65535: set one, or leave it out for 3000.',
    ],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL is "loud", which is not a level: set one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so that anybody on the way could read the tokens: remove it; for a private authority set NODE_EXTRA_CA_CERTS.',
    ],
  ])('%j', (changes, line) => {
    expect(lines(changes)).toEqual([line]);
    expect(line).not.toContain('canary');
  });

  test.each([
    [failed('ENOENT'), 'names "/run/token", which is not there: check the path.'],
    [
      failed('EACCES'),
      'names "/run/token", which is not readable by this user: give it the right to read (chown, chmod).',
    ],
    [failed('EISDIR'), 'names "/run/token", which is a folder: put a file in its place, or name another.'],
    [failed('ELOOP'), 'names "/run/token", which is not readable (ELOOP): look at the file and its disk.'],
    [{ text: '\n' }, 'names an empty file: write the secret into it.'],
    [{ text: 'canary x' }, SECRET],
  ])('a secret in a file: %j', (file, line) => {
    const changes = { PROXY_API_TOKEN: undefined, PROXY_API_TOKEN_FILE: '/run/token' };
    expect(lines(changes, { '/run/token': file })).toEqual([`PROXY_API_TOKEN_FILE ${line}`]);
  });

  test.each([
    'xoxb-1',
    'xapp-1',
    '0123456789abcdef',
    'https://a:b@c',
    'https://a/?key=b',
    'vendor-token-1-of-2',
    'x'.repeat(40),
  ])('and never %s, which may be a secret in the wrong place', (secret) => {
    const names = ['PORT', 'LOG_LEVEL', 'PROXY_API_TIMEOUT_MS', 'SLACK_API_URL', 'DATABASE_URL', 'POLICY_FLIE'];
    const found = lines({
      ...Object.fromEntries(names.map((name) => [name, secret])),
      PROXY_API_BASE_URL: ` ${secret}`,
      PROXY_API_TOKEN: undefined,
      PROXY_API_TOKEN_FILE: secret,
    });
    expect(found).toHaveLength(8);
    expect(found.join()).not.toContain(secret);
    expect(found).toContain('PORT is not a whole number from 0 to 65535: set one, or leave it out for 3000.');
  });
});

describe('a variable that nobody knows', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['POLICY_FLIE', 'POLICY_FILE'],
    ['LOG_LVEL', 'LOG_LEVEL'],
    ['LOG_LEVELS', 'LOG_LEVEL'],
    ['PROXY_API_TOKN_FILE', 'PROXY_API_TOKEN_FILE'],
    ['PROXY_API_BASE_ULR', 'PROXY_API_BASE_URL'],
    ['SLACK_SIGNIN_SECRET', 'SLACK_SIGNING_SECRET'],
  ])('%s is refused as a misspelt %s', (name, meant) => {
    expect(lines({ [name]: 'canary' })).toEqual([
      `${name} is not known: did you mean ${meant}? Rename it, or remove it.`,
    ]);
  });

  test('is no trouble when it is blank, or belongs to others', () => {
    const others =
      `PATH PORTS PORT_ POST HOME LANG PWD TZ DEBUG NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY
      NO_PROXY http_proxy https_proxy no_proxy ALL_PROXY PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE LOGLEVEL LOG_FILE LOG_FORMAT
      RUST_LOG OTEL_LOG_LEVEL NPM_CONFIG_LOGLEVEL npm_config_loglevel SLACK_API_TOKEN SLACK_TOKEN SLACK_WEBHOOK_URL SLACK_APP_ID
      SLACK_CLIENT_SECRET DATABASE_SSL DATABASE_HOST DATABASE_USER DATABASE_PORT DATABASE_NAME DATABASE_PASSWORD DB_URL POSTGRES_URL
      DATABASE_POOL_URL PROXY_URL PROXY_HOST API_TOKEN POLICY POLICIES FILE INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET
      KUBERNETES_SERVICE_HOST KUBERNETES_PORT SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY SSH_AUTH_SOCK XDG_RUNTIME_DIR`.split(
        /\s+/,
      );
    const foreign = Object.fromEntries(others.map((name) => [name, 'x']));
    expect(config({ ...foreign, DATABSE_URL: ' ' })).toEqual(config());
  });

  test('is refused before the ledger is looked into, where it may mean the database', () => {
    const database = (env: Changes) => {
      const reading = readDatabaseConfig(env, () => ({ text: '', readableByOthers: false }));
      return reading.ok ? reading.database : reading.problems.map(problemLine);
    };
    expect(database({ DATABSE_URL: 'postgres://db/desk' })).toEqual([
      'DATABSE_URL is not known: did you mean DATABASE_URL? Rename it, or remove it.',
    ]);
    expect(database({ LOG_LVEL: 'info', PORT: 'x' })).toEqual({ kind: 'sqlite', path: './data/desk.db' });
  });
});

describe('the settings', () => {
  test('need four values; the rest has defaults', () => {
    expect(config()).toEqual({
      slack: { mode: 'socket', botToken: BOT, appToken: APP },
      slackApiUrl: 'https://slack.com/api/',
      vendor: { baseUrl: 'https://vendor.example/api', token: TOKEN, timeoutMs: 30_000 },
      database: { kind: 'sqlite', path: './data/desk.db' },
      host: null,
      port: 3000,
      metricsPort: null,
      traces: null,
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
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', NODE_TLS_REJECT_UNAUTHORIZED: '0', POLICY_FLIE: 'p.yml' };
    const nothing = { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', PROXY_API_TOKEN: '', PROXY_API_BASE_URL: '' };
    expect(refused({ ...nothing, ...wrong }).sort()).toEqual([
      'LOG_LEVEL',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'POLICY_FLIE',
      'PORT',
      'PROXY_API_BASE_URL',
      'PROXY_API_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
    ]);
  });

  test('name the policy, which is policy.yml unless said otherwise', () => {
    expect([policyFile({}), policyFile({ POLICY_FILE: ' ' }), policyFile({ POLICY_FILE: 'p.yml' })]).toEqual([
      'policy.yml',
      'policy.yml',
      'p.yml',
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
    for (const port of ['65536', '-1', '80.0', '0x50', 'http']) {
      expect(refused({ PORT: port })).toEqual(['PORT']);
      expect(refused({ METRICS_PORT: port })).toEqual(['METRICS_PORT']);
    }
    for (const level of ['INFO', 'verbose', 'constructor'])
      expect(refused({ LOG_LEVEL: level })).toEqual(['LOG_LEVEL']);
  });
});

test('certificates may be checked on purpose', () => {
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
      'HOST',
      'LOG_LEVEL',
      'METRICS_PORT',
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

describe('where it listens', () => {
  test('is one address, and a port of their own for the metrics', () => {
    const listens = config({ HOST: '127.0.0.1', PORT: '3000', METRICS_PORT: '9464' });
    expect(listens).toMatchObject({ host: '127.0.0.1', port: 3000, metricsPort: 9464 });
    expect(config({ HOST: '::1' })).toMatchObject({ host: '::1', metricsPort: null });
    expect(config({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
  });

  test('is refused where it is a name, or one port twice', () => {
    for (const host of ['localhost', 'desk.example', '0.0.0', '127.0.0.1:80'])
      expect(refused({ HOST: host })).toEqual(['HOST']);
    expect(refused({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT']);
    expect(refused({ PORT: '8080', METRICS_PORT: '8080', SLACK_APP_TOKEN: '' })).toContain('METRICS_PORT');
  });
});
