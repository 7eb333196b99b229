import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { type Environment, type LaunchOptions, launch, MAIN, run } from '../support/bot.ts';
import { loadedByBot } from '../support/loaded.ts';
import { policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

/** For what may pass: a supervisor starts it again. */
const EXIT_FAILURE = 1;

/** Debian's, and that of most. */
const NOBODY = 65_534;

/** The first port that everybody may listen on; 0 where that is each. */
function firstFreePort(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
}

/** The program must refuse: its code and all that it said. */
async function refused(
  site: Site,
  env: Environment = {},
  { code: expected = EXIT_CONFIG, ...how }: Partial<LaunchOptions> & { readonly code?: number } = {},
): Promise<string> {
  const bot = site.launch(env, how);
  const { code, signal } = await bot.exited;
  expect({ code, signal, stderr: bot.stderr }).toMatchObject({ code: expected, signal: null });
  return bot.stderr;
}

describe.concurrent('the program refuses to start', () => {
  it('and names every problem of the environment at once, with none of the values', async ({ open }) => {
    const site = await open({ expected: /./ });
    const secret = 'hunter2-hunter2-hunter2';
    const stderr = await refused(site, {
      SLACK_BOT_TOKEN: `${secret}\n`,
      SLACK_SIGNING_SECRET: secret,
      PROXY_API_BASE_URL: `http://vendor.example/${secret}`,
      PROXY_API_TOKEN: ` ${secret}`,
      PROXY_API_TIMEOUT_MS: 'soon',
      DATABASE_URL: `mysql://desk:${secret}@localhost/desk`,
      PORT: '70000',
      LOG_LEVEL: 'loud',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
    for (const key of [
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'PROXY_API_BASE_URL',
      'PROXY_API_TOKEN',
      'PROXY_API_TIMEOUT_MS',
      'DATABASE_URL',
      'PORT',
      'LOG_LEVEL',
    ])
      expect(stderr).toMatch(new RegExp(`^${key} .+: .+`, 'm'));
    expect(stderr).not.toContain(secret);
  });

  it('and names what is wrong with settings and policy together', async ({ open }) => {
    const site = await open({ expected: /./, policy: 'access: { buyy: [S0BUYERS] }\n' });
    const stderr = await refused(site, { PORT: 'x' });
    for (const key of ['PORT', 'access.buyy', 'approvals', 'plans'])
      expect(stderr).toMatch(new RegExp(`^${key} `, 'm'));
  });

  it('with nothing set at all', async ({ open }) => {
    const site = await open({ expected: /./ });
    const nothing = Object.fromEntries(Object.keys(site.env).map((key) => [key, '']));
    const stderr = await refused(site, nothing);
    for (const key of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PROXY_API_BASE_URL', 'PROXY_API_TOKEN'])
      expect(stderr).toContain(`${key} is not set`);
  });

  it('while certificates are not checked', async ({ open }) => {
    const site = await open({ expected: /./ });
    expect(await refused(site, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toContain('NODE_TLS_REJECT_UNAUTHORIZED');
  });

  it('on a PostgreSQL that cannot be reached, as an outage and not as a mistake, without showing the password', async ({
    open,
  }) => {
    const site = await open({ expected: /./ });
    const bot = site.launch({ DATABASE_URL: 'postgres://desk:s3cret-s3cret@127.0.0.1:1/desk' });
    expect(await bot.exited).toEqual({ code: 1, signal: null });
    expect(bot.stderr).toMatch(/^DATABASE_URL .*127\.0\.0\.1:1.*cannot be reached/m);
    expect(bot.stdout + bot.stderr).not.toContain('s3cret');
  });

  it('says nothing of its own driver where sslmode is require, as many hosts write it', async ({ open }) => {
    const site = await open({ expected: /./ });
    const DATABASE_URL = 'postgres://desk:s3cret-s3cret@127.0.0.1:1/desk?sslmode=require';
    const { stderr } = await run({ env: { DATABASE_URL }, cwd: site.folder, args: ['ledger', 'list'] });
    expect(stderr).toMatch(/^ledger: PostgreSQL at 127\.0\.0\.1:1\/desk cannot be reached: .*ECONNREFUSED.*\n.+\n$/);
  });

  it('on a port that is taken, as something that may pass, and names it', async ({ open }) => {
    const site = await open({ expected: /./ });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      const stderr = await refused(site, { PORT: String(port) }, { code: EXIT_FAILURE });
      expect(stderr).toMatch(new RegExp(`^PORT .*${port}.*taken`, 'm'));
    } finally {
      taken.close();
    }
  });

  it.skipIf(firstFreePort() < 1)('on a port that is for root alone: a restart cannot mend that', async ({ open }) => {
    const site = await open({ expected: /./ });
    const port = String(firstFreePort() - 1);
    chownSync(site.folder, NOBODY, NOBODY);
    const isRoot = process.getuid?.() === 0;
    const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] as const;
    for (const key of ['PORT', 'METRICS_PORT']) {
      const command = isRoot ? ([...asNobody, process.execPath, MAIN] as const) : ([process.execPath, MAIN] as const);
      const stderr = await refused(site, { [key]: port }, { command });
      expect(stderr).toBe(`${key} is ${port}, on which this user may not listen: choose one from 1024 on.\n`);
    }
  });

  it('on a ledger that another program holds, as something that may pass', async ({ open }) => {
    const site = await open({ expected: /./ });
    await ended(site);
    const unlock = site.lockLedger();
    const stderr = await refused(site, {}, { code: EXIT_FAILURE });
    expect(stderr).toMatch(/^DATABASE_URL .*held by another program/m);
    unlock();
  });

  it('on a disk that takes nothing more, as something that may pass', async ({ open }) => {
    const site = await open({ expected: /./ });
    // A limit of the file size stands for a full disk: without the signal that comes with it, a write fails.
    const script = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
    const stderr = await refused(
      site,
      { NODE_COMPILE_CACHE: '' },
      { code: EXIT_FAILURE, command: ['sh', '-c', script, process.execPath, MAIN] },
    );
    expect(stderr).toMatch(/^DATABASE_URL .*cannot be written/m);
  });

  it('on a place where no ledger can be, as a mistake', async ({ open }) => {
    const site = await open({ expected: /./ });
    expect(await refused(site, { DATABASE_URL: 'sqlite:./policy.yml/desk.db' })).toMatch(
      /^DATABASE_URL .*policy\.yml/m,
    );
  });

  it('without a policy, and says what to copy', async ({ open }) => {
    const site = await open({ expected: /./ });
    expect(await refused(site, { POLICY_FILE: 'no-such.yml' })).toBe(
      'POLICY_FILE names "no-such.yml", which is not there: copy policy.example.yml there, and fill it in.\n',
    );
  });

  it('with a policy of unknown keys, handles and no plan, each named with its remedy', async ({ open }) => {
    const site = await open({
      expected: /./,
      policy: 'access: { buy: ["@buyers"], aprove: [S0LEADS] }\napprovals: { chanel: C0X }\nlimit: {}\n',
    });
    const stderr = await refused(site);
    for (const part of ['access.buy', 'access.aprove', 'did you mean approve', 'approvals.chanel', 'limit', 'plans'])
      expect(stderr).toContain(part);
    expect(stderr).toMatch(/^access\.buy\[1\] is "@buyers", which is a handle: .*Copy group ID/m);
  });

  it('with a variable that is most likely misspelt, rather than begin an empty ledger', async ({ open }) => {
    const site = await open({ expected: /./ });
    const wrong = { DATABSE_URL: 'postgres://desk:s3cret-s3cret@db/desk', POLICY_FLIE: 'p.yml', LOG_LVEL: 'debug' };
    expect((await refused(site, wrong)).split('\n')).toEqual([
      'DATABSE_URL is not known: did you mean DATABASE_URL? Rename it, or remove it.',
      'POLICY_FLIE is not known: did you mean POLICY_FILE? Rename it, or remove it.',
      'LOG_LVEL is not known: did you mean LOG_LEVEL? Rename it, or remove it.',
      '',
    ]);
    expect(readdirSync(site.folder)).toEqual(['policy.yml']);
    const ledger = await run({ env: wrong, cwd: site.folder, args: ['ledger', 'list'] });
    expect(ledger).toMatchObject({ code: EXIT_CONFIG, stdout: '' });
    expect(ledger.stderr).toMatch(/^DATABSE_URL is not known.*\n$/);
  });

  it('on a policy or an .env that is there and cannot be read, and does not say to write over it', async ({ open }) => {
    const site = await open({ expected: /./ });
    mkdirSync(join(site.folder, 'folder.yml'));
    expect(await refused(site, { POLICY_FILE: 'folder.yml' })).toBe(
      'POLICY_FILE names "folder.yml", which is a folder: put a file in its place, or name another.\n',
    );
    mkdirSync(join(site.folder, '.env'));
    const line = '.env is a folder: put a file in its place, or name another.\n';
    expect(await refused(site)).toBe(line);
    const ledger = await run({ env: {}, cwd: site.folder, args: ['ledger', 'list'] });
    expect(ledger).toMatchObject({ code: EXIT_CONFIG, stdout: '', stderr: line });
  });

  it('on an .env that cuts a secret at a #, and does not show what is left of it', async ({ open }) => {
    const site = await open({ expected: /./ });
    writeFileSync(join(site.folder, '.env'), 'PROXY_API_TOKEN=s3cret-s3cret#s3cret\n', { mode: 0o600 });
    expect(await refused(site, { PROXY_API_TOKEN: '' })).toBe(
      'PROXY_API_TOKEN is cut in .env at a #, which begins a comment: put the value in quotes.\n',
    );
  });

  it('on a ledger that has vanished although its marker is there', async ({ open }) => {
    const site = await open({ expected: /./ });
    await ended(site);
    for (const end of ['', '-wal', '-shm']) rmSync(`${site.databaseFile}${end}`, { force: true });
    expect(await refused(site)).toMatch(/^DATABASE_URL .*the ledger .* missing/m);
    expect(readdirSync(join(site.folder, 'data'))).not.toContain('desk.db');
  });

  it('on a damaged ledger, which is left as it is', async ({ open }) => {
    const site = await open({ expected: /./ });
    await ended(site);
    const { size } = statSync(site.databaseFile);
    truncateSync(site.databaseFile, Math.floor(size / 2 / 4096) * 4096);
    expect(await refused(site)).toMatch(/^DATABASE_URL .*the ledger .* damaged/m);
    writeFileSync(site.databaseFile, 'this is no database, and long enough to be looked at as one'.repeat(100));
    expect(await refused(site)).toMatch(/^DATABASE_URL .*the ledger .* damaged/m);
  });

  it('on a ledger of a newer version', async ({ open }) => {
    const site = await open({ expected: /./ });
    await ended(site);
    const database = new DatabaseSync(site.databaseFile);
    database.exec('INSERT INTO schema_migrations (version, applied_at) VALUES (99, 0)');
    database.close();
    expect(await refused(site)).toMatch(/^DATABASE_URL .*schema 99/m);
  });
});

describe.concurrent('the program starts', () => {
  it('with lists that let nobody in, and says so by name', async ({ open }) => {
    const policy = policyText()
      .replace('buy: [S0BUYERS]', 'buy: []')
      .replace('approve: [S0LEADS]', 'approve: ["", " "]');
    const site = await open({ policy });
    const bot = await site.start();
    const warnings = bot.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/access\.buy .*nobody may buy/),
        expect.stringMatching(/access\.approve .*nobody may approve/),
      ]),
    );
    const buyer = site.slack.as('U0BUYER');
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor(/nobody may buy proxies/);
    expect(buyer.screen.modal).toBeUndefined();
  });

  it('with each secret from a file, and warns of one that others can read', async ({ open }) => {
    const site = await open();
    const fromFiles: Record<string, string> = {};
    for (const key of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PROXY_API_TOKEN']) {
      const path = join(site.folder, key);
      writeFileSync(path, `${site.env[key]}\n`, { mode: 0o600 });
      fromFiles[key] = '';
      fromFiles[`${key}_FILE`] = path;
    }
    chmodSync(join(site.folder, 'PROXY_API_TOKEN'), 0o644);
    const bot = await site.start(fromFiles);
    expect(bot.stdout).toContain('PROXY_API_TOKEN_FILE: the file can be read by other users');
    expect(bot.stdout).not.toContain('SLACK_BOT_TOKEN_FILE:');
    const viewer = site.slack.as('U0BUYER');
    await viewer.command('/proxy', 'balance');
    await viewer.waitFor('$1,000.00');
  });

  it('with settings from .env, where the real environment wins, and says nothing where nothing is wrong', async ({
    open,
  }) => {
    const site = await open();
    const path = join(site.folder, '.env');
    const { SLACK_BOT_TOKEN, PROXY_API_TOKEN, ...env } = site.env;
    const text = `SLACK_BOT_TOKEN=${SLACK_BOT_TOKEN}\nPROXY_API_TOKEN="${PROXY_API_TOKEN}" # My Account\nLOG_LEVEL=silent\n`;
    writeFileSync(path, text, { mode: 0o600 });
    const start = async () => {
      const bot = launch({ cwd: site.folder, env: env as Environment });
      await bot.ready();
      expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
      return bot;
    };
    await start(); // makes the ledger, and says so
    const quiet = await start();
    expect(quiet.stderr).toBe('');
    expect(quiet.lines.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level))).toEqual([]);
    chmodSync(path, 0o644);
    expect((await start()).stdout).toContain(
      '.env: the file can be read by other users; chmod 600 keeps it to yourself',
    );
    rmSync(path);
    const ledger = await run({ env: {}, cwd: site.folder, args: ['ledger', 'list', '--json'] });
    expect(ledger).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it('and says that the ledger is new, once: where there should be one already, the address is wrong', async ({
    open,
  }) => {
    const site = await open();
    const isNew = /^a new, empty ledger was begun in SQLite at .*desk\.db: .*check DATABASE_URL/;
    for (const times of [1, 0]) {
      const bot = await site.start();
      const said = bot.lines.filter(({ level, msg }) => level === 'warn' && isNew.test(msg));
      expect(said).toHaveLength(times);
      await bot.end('SIGTERM');
    }
  });

  it('without the driver of PostgreSQL where the ledger is on SQLite', async ({ open }) => {
    const site = await open();
    const loaded = await loadedByBot(site);
    expect(loaded).toContain('/node_modules/@slack/bolt/');
    expect(loaded).not.toMatch(/\/node_modules\/pg\b/);
  });

  it('twice at once on a folder that has no ledger yet: both come up on one', async ({ open }) => {
    const site = await open();
    await Promise.all([site.start(), site.start()]);
    expect(await site.ledger()).toEqual([]);
  });

  it('and a broken HTTP request does not end it', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const { port } = await bot.line('listening');
    const socket = connect(Number(port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {}).resume();
    socket.end('GET /readyz\0 nonsense\r\n\r\n');
    await closed;
    expect(await bot.get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
    expect((await bot.get('/%2e%2e/etc/passwd')).status).toBe(404);
  });
});

/** Starts once and ends, so that a ledger is there. */
async function ended(site: Site): Promise<void> {
  const bot = await site.start();
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
}
