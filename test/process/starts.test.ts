import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { Environment } from '../support/bot.ts';
import { policyText } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';

/** EX_CONFIG: a person has to look. */
const LASTS = 78;
/** A supervisor tries again. */
const MAY_PASS = 1;

const SECRET = 's3cret-s3cret';

interface Start {
  readonly env?: Environment;
  readonly policy?: string;
  readonly dotenv?: string | Buffer;
  readonly prepare?: (folder: string) => void;
  readonly code: number;
  /** The one line that it says. */
  readonly says: RegExp;
}

/** What operators get wrong, each seen in a real start: the exit code that docs/operations.md gives it, and one line with the remedy. */
const STARTS: Readonly<Record<string, Start>> = {
  'the address of a call instead of the vendor’s': {
    env: { PROXY_API_BASE_URL: 'https://vendor.example/v2/' },
    code: LASTS,
    says: /^PROXY_API_BASE_URL is .*\/v2\/… is added to it.*: leave \/v2 and what follows out\.$/,
  },
  'approvals: false': {
    policy: policyText().replace(/approvals: .*/, 'approvals: false'),
    code: LASTS,
    says: /^approvals is false, which is neither the word off nor a mapping: .*`approvals: off`/,
  },
  'approvals: "no"': {
    policy: policyText().replace(/approvals: .*/, 'approvals: no'),
    code: LASTS,
    says: /^approvals is "no", which is neither the word off nor a mapping/,
  },
  'two colons': {
    policy: policyText().replace('balance:', 'balance::'),
    code: LASTS,
    says: /^access\.balance: is not known: write one colon after it\.$/,
  },
  'a merge that was not finished': {
    policy: `<<<<<<< HEAD\n${policyText()}`,
    code: LASTS,
    says: /^policy line 1 is left from an unfinished merge: keep one of the two versions\.$/,
  },
  'a key twice': {
    policy: `${policyText()}contact: S1\ncontact: S2\n`,
    code: LASTS,
    says: /^policy line \d+ has contact a second time: keep one of the two\.$/,
  },
  'a password with a # in it': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}#1@db/desk` },
    code: LASTS,
    says: /^DATABASE_URL is not a readable address: .*percent-encode the password.*# is %23/,
  },
  'a password with a / in it': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}/1@db/desk` },
    code: LASTS,
    says: /^DATABASE_URL is not a readable address: .*percent-encode the password: \/ is %2F/,
  },
  'a misspelt variable': {
    env: { DATABSE_URL: `postgres://desk:${SECRET}@db/desk` },
    code: LASTS,
    says: /^DATABSE_URL is not known: did you mean DATABASE_URL\?/,
  },
  'a token that .env cuts': {
    env: { PROXY_API_TOKEN: '' },
    dotenv: `PROXY_API_TOKEN=${SECRET}#rest\n`,
    code: LASTS,
    says: /^PROXY_API_TOKEN is cut in \.env at a #/,
  },
  'a token in quotes, as Docker takes it from --env-file': {
    env: { PROXY_API_TOKEN: `"${SECRET}"` },
    code: LASTS,
    says: /^PROXY_API_TOKEN is in quotes: leave them out\.$/,
  },
  'an .env in UTF-16': {
    dotenv: Buffer.from(`\uFEFFLOG_LEVEL=debug\n`, 'utf16le'),
    code: LASTS,
    says: /^\.env is not encoded in UTF-8: save it as UTF-8\.$/,
  },
  'an sslmode that is none': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}@db/desk?sslmode=on` },
    code: LASTS,
    says: /^DATABASE_URL has an sslmode that is not known: set one of disable, prefer, require, verify-ca, verify-full, no-verify\.$/,
  },
  'a misspelt sslmode': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}@db/desk?ssl_mode=require` },
    code: LASTS,
    says: /^DATABASE_URL has the option ssl_mode: did you mean sslmode\?$/,
  },
  'a policy in UTF-16': {
    policy: `\0${policyText()}`,
    code: LASTS,
    says: /^policy is not encoded in UTF-8: save it as UTF-8\.$/,
  },
  'a document after the policy': {
    policy: `${policyText()}---\n`,
    code: LASTS,
    says: /^policy line \d+ begins a second document: remove the line ---\.$/,
  },
  'a policy without a word': {
    policy: '',
    code: LASTS,
    says: /^policy is empty: copy policy\.example\.yml, and fill it in\.$/,
  },
  'a quote that is not closed': {
    policy: `${policyText()}contact: "S1\n`,
    code: LASTS,
    says: /^policy line \d+ .*not closed: add the colon, quote or bracket\.$/,
  },
  'a file of a secret that is empty': {
    env: { PROXY_API_TOKEN: '', PROXY_API_TOKEN_FILE: '/dev/null' },
    code: LASTS,
    says: /^PROXY_API_TOKEN_FILE names an empty file: write the secret into it\.$/,
  },
  'a secret twice': {
    env: { PROXY_API_TOKEN_FILE: '/dev/null' },
    code: LASTS,
    says: /^PROXY_API_TOKEN is set, and so is PROXY_API_TOKEN_FILE: keep one of the two\.$/,
  },
  'both ways of talking to Slack': {
    env: { SLACK_SIGNING_SECRET: SECRET },
    code: LASTS,
    says: /^SLACK_APP_TOKEN is set, and so is SLACK_SIGNING_SECRET: /,
  },
  'the name of a machine as HOST': {
    env: { HOST: 'localhost' },
    code: LASTS,
    says: /^HOST is "localhost", which is not an IP address: /,
  },
  'an address of another machine as HOST': {
    env: { HOST: '192.0.2.1' },
    code: MAY_PASS,
    says: /^HOST is 192\.0\.2\.1, which is no address of this machine: /,
  },
  'the metrics on the port of everything else': {
    env: { PORT: '4567', METRICS_PORT: '4567' },
    code: LASTS,
    says: /^METRICS_PORT is 4567, and so is PORT: set another/,
  },
  'a level in capitals': {
    env: { LOG_LEVEL: 'INFO' },
    code: LASTS,
    says: /^LOG_LEVEL is "INFO", which is not a level: set one of fatal, /,
  },
  'a time with its unit': {
    env: { PROXY_API_TIMEOUT_MS: '30s' },
    code: LASTS,
    says: /^PROXY_API_TIMEOUT_MS is "30s", which is not a whole number from 100 to 300000: /,
  },
  'a vendor in the clear': {
    env: { PROXY_API_BASE_URL: 'http://vendor.example' },
    code: LASTS,
    says: /^PROXY_API_BASE_URL is .*neither https nor http on this machine.*: use https/,
  },
  'a password in the vendor’s address': {
    env: { PROXY_API_BASE_URL: `https://me:${SECRET}@vendor.example` },
    code: LASTS,
    says: /^PROXY_API_BASE_URL holds a user, password, query or fragment: /,
  },
  'SQLite in memory': {
    env: { DATABASE_URL: 'sqlite::memory:' },
    code: LASTS,
    says: /^DATABASE_URL is "sqlite::memory:", which is no file for SQLite .*: use sqlite:\.\/data/,
  },
  'a folder in place of the ledger': {
    env: { DATABASE_URL: 'sqlite:/tmp' },
    code: LASTS,
    says: /^DATABASE_URL cannot be used \(the ledger \/tmp cannot be used: .*\): Put it on a local disk/,
  },
  'a ledger that is none': {
    env: { DATABASE_URL: 'sqlite:policy.yml' },
    code: LASTS,
    says: /^DATABASE_URL cannot be used \(the ledger .* is damaged: file is not a database\): Keep it as it is/,
  },
  'the database of another program': {
    env: { DATABASE_URL: 'sqlite:other.db' },
    prepare: (folder) => {
      const other = new DatabaseSync(join(folder, 'other.db'));
      other.exec('CREATE TABLE bookmarks (url TEXT)');
      other.close();
    },
    code: LASTS,
    says: /^DATABASE_URL cannot be used \(\/.*other\.db is the database of another program\): Set DATABASE_URL to a file that is for the bot alone\.$/,
  },
  'another database': {
    env: { DATABASE_URL: 'mysql://db/desk' },
    code: LASTS,
    says: /^DATABASE_URL is neither sqlite: nor postgres:\/\/: use sqlite:/,
  },
  'a database server that is not there': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}@127.0.0.1:1/desk?sslmode=require` },
    code: MAY_PASS,
    says: /^DATABASE_URL cannot be used \(PostgreSQL at 127\.0\.0\.1:1\/desk cannot be reached: .*ECONNREFUSED.*\): /,
  },
  'certificates of a database that are not there': {
    env: { DATABASE_URL: `postgres://desk:${SECRET}@127.0.0.1:1/desk?sslrootcert=/no/such.pem` },
    code: LASTS,
    says: /^DATABASE_URL cannot be used \(its options cannot be used: .*\): Check the part/,
  },
};

describe.concurrent('a start', () => {
  it.for(Object.entries(STARTS))('with %s ends with its code and one clear line', async ([, start], { open }) => {
    const { env = {}, policy, dotenv, prepare, code, says } = start;
    const site = await open({ expected: /./, ...(policy !== undefined && { policy }) });
    if (dotenv !== undefined) writeFileSync(join(site.folder, '.env'), dotenv, { mode: 0o600 });
    prepare?.(site.folder);
    const bot = site.launch(env);
    expect(await bot.exited, bot.stderr).toEqual({ code, signal: null });
    const lines = bot.stderr.split('\n').slice(0, -1);
    expect(lines).toEqual([expect.stringMatching(says)]);
    expect(bot.stdout + bot.stderr).not.toContain(SECRET);
    expect(bot.stderr).not.toMatch(/^\s+at /m);
  });

  it('with a command that there is not starts no bot, and says which there are', async ({ open }) => {
    const site = await open({ expected: /./ });
    for (const [asked, code, said] of [
      ['ledgr', 2, /^“ledgr” is no command\. Nothing was started\.\n\nUsage: /],
      ['--help', 0, /^Usage: .*\n.*ledger … /s],
      ['--version', 0, /^\d+\.\d+\.\d+\n$/],
    ] as const) {
      const bot = site.launch({}, { args: [asked, 'list'] });
      expect(await bot.exited).toEqual({ code, signal: null });
      expect(code === 0 ? bot.stdout : bot.stderr).toMatch(said);
    }
    expect(existsSync(site.databaseFile)).toBe(false);
  });
});
