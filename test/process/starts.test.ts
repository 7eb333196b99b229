import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  readonly dotenv?: string;
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
    const { env = {}, policy, dotenv, code, says } = start;
    const site = await open({ expected: /./, ...(policy !== undefined && { policy }) });
    if (dotenv !== undefined) writeFileSync(join(site.folder, '.env'), dotenv, { mode: 0o600 });
    const bot = site.launch(env);
    expect(await bot.exited, bot.stderr).toEqual({ code, signal: null });
    const lines = bot.stderr.split('\n').slice(0, -1);
    expect(lines).toEqual([expect.stringMatching(says)]);
    expect(bot.stdout + bot.stderr).not.toContain(SECRET);
    expect(bot.stderr).not.toMatch(/^\s+at /m);
  });
});
