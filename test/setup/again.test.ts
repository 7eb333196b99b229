import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect } from 'vitest';
import { textOf } from '../deploy/files.ts';
import { choose, POLICY, SECTIONS, settle } from './settled.ts';
import {
  answerApprovals,
  answerGroups,
  answerLimits,
  answerPlan,
  expectNoSecret,
  fileOf,
  filesOf,
  it,
} from './steps.ts';
import { KEY } from './terminal.ts';

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;

const { enter, space, down, clear } = KEY;
const { slack: SLACK, vendor: VENDOR, groups: GROUPS, approvals: APPROVALS, plans: PLANS, limits: LIMITS } = SECTIONS;

const EXAMPLE = textOf('policy.example.yml');

describe.concurrent('npm run setup, run again', () => {
  it('asks for nothing and changes nothing unasked', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const before = filesOf(site);
    const session = setup(site);
    await choose(session);
    await session.see('Nothing is changed.');
    await session.see('Nothing is wrong.');
    expect(await session.exited).toBe(0);
    expect(filesOf(site)).toEqual(before);
    expectNoSecret(site, session);
  });

  it('offers what is there, and answers that repeat it change nothing', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const before = filesOf(site);
    const session = setup(site);
    await choose(session, SLACK, VENDOR, GROUPS, APPROVALS, PLANS, LIMITS);
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('SLACK_BOT_TOKEN is there already', enter);
    await session.answer('SLACK_APP_TOKEN is there already', enter);
    await session.answer('PROXY_API_BASE_URL', enter);
    await session.answer('PROXY_API_TOKEN is there already', enter);
    for (const question of [
      'Who may buy?',
      'Who may renew orders?',
      'Who approves requests',
      'Who may see the balance?',
    ])
      await session.answer(question, enter);
    for (const question of ['Does spending', 'In which channel', 'How many IPs may a person buy', 'Do renewals need'])
      await session.answer(question, enter);
    await session.answer('Plans that may be bought', down, down, enter);
    await session.answer('How many IPs may one order', enter);
    await session.answer('How many IPs may one person', enter);
    await session.see('Nothing is changed.');
    await session.exited;
    expect(filesOf(site)).toEqual(before);
  });

  it('changes the one thing that was asked for, and leaves every other byte', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const before = filesOf(site);
    const session = setup(site);
    await choose(session, GROUPS);
    await session.answer('Who may buy?', down, space, enter);
    for (const question of ['Who may renew orders?', 'Who approves requests', 'Who may see the balance?'])
      await session.answer(question, enter);
    await session.see('access.buy  @buyers (S0BUYERS) → @buyers (S0BUYERS), @leads (S0LEADS)');
    await session.answer('Write policy.yml?', enter);
    expect(await session.exited).toBe(0);
    const policy = POLICY.replace('buy:\n        - S0BUYERS      # the shop', 'buy: [S0BUYERS, S0LEADS]');
    expect(filesOf(site)).toEqual({ ...before, 'policy.yml': `640 ${policy}` });
    expect(session.written).not.toContain('reads .env when');
  });

  it('replaces a secret in its place, shows neither, and says that a bot has to be started again', async ({
    open,
    setup,
  }) => {
    const site = await open();
    settle(site);
    const old = site.vendor.token;
    const env = fileOf(site, '.env').replace(old, 'old-vendor-token-0123');
    writeFileSync(join(site.folder, '.env'), env);
    const session = setup(site);
    await choose(session, VENDOR);
    await session.answer('PROXY_API_BASE_URL', enter);
    await session.answer('PROXY_API_TOKEN is there already', down, enter);
    await session.answer('PROXY_API_TOKEN: paste it here', old, enter);
    await session.see('PROXY_API_TOKEN  changed (not shown)');
    await session.answer('Write .env?', enter);
    await session.see('reads .env when it is started again');
    await session.exited;
    expect(fileOf(site, '.env')).toBe(env.replace('old-vendor-token-0123', old));
    expectNoSecret(site, session, ['old-vendor-token-0123']);
  });

  it('goes from Socket Mode to HTTP, so that one of the two is set', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const session = setup(site);
    await choose(session, SLACK);
    await session.answer('How is Slack to reach the bot?', down, enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('SLACK_BOT_TOKEN is there already', enter);
    await session.answer('SLACK_SIGNING_SECRET', site.slack.tokens.signingSecret, enter);
    await session.see(/SLACK_APP_TOKEN {2}taken out\r?\n.*SLACK_SIGNING_SECRET {2}set \(not shown\)/);
    await session.answer('Write .env?', enter);
    expect(await session.exited).toBe(0);
    expect(parseEnv(fileOf(site, '.env'))).toMatchObject({
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret,
      THEIRS: 'a # b',
    });
    expectNoSecret(site, session);
  });

  it('turns approvals off and on, adds a plan, and closes an open .env', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    chmodSync(join(site.folder, '.env'), 0o644);
    const off = setup(site);
    await choose(off, APPROVALS, PLANS);
    await off.answer('Does spending need the yes', down, enter);
    await off.answer('Plans that may be bought: Static, monthly (lt-monthly)', enter);
    for (const typed of ['lt-yearly', 'Yearly', '', '']) await off.answer('', typed, enter);
    await off.answer('term', '13 moons', enter);
    await off.see('which is not a term');
    off.type(clear, '1 year', enter);
    await off.answer('Add another plan?', enter);
    await off.see('lt-yearly, Yearly, long-term, residential, 1 year');
    await off.see('others may read it');
    await off.answer('Write .env and policy.yml?', enter);
    expect(await off.exited).toBe(0);
    expect(statSync(join(site.folder, '.env')).mode & 0o777).toBe(0o600);
    expect(fileOf(site, 'policy.yml')).toMatch(/^approvals: off$/m);
    const on = setup(site);
    await choose(on, APPROVALS);
    await on.answer('Does spending need the yes', '\u001B[A', enter);
    await on.answer('In which channel', enter);
    await on.answer('How many IPs may a person buy', clear, '3', enter);
    await on.answer('Do renewals need approval too?', enter);
    await on.answer('Write policy.yml?', enter);
    expect(await on.exited).toBe(0);
    expect(fileOf(site, 'policy.yml')).toContain(
      'approvals:\n  channel: C0APPROVALS\n  free_up_to: 3\n  renewals: true\n',
    );
    expect(fileOf(site, 'policy.yml')).toContain('product_id: lt-yearly');
  });

  it('does not show an address that the bot would refuse, in which a password may stand', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const wrong = 'https://desk:canary-canary@vendor.example';
    writeFileSync(join(site.folder, '.env'), fileOf(site, '.env').replace(site.vendor.baseUrl, wrong));
    const session = setup(site);
    await choose(session, VENDOR);
    await session.answer('PROXY_API_BASE_URL', site.vendor.baseUrl, enter);
    await session.answer('PROXY_API_TOKEN is there already', enter);
    await session.see(`PROXY_API_BASE_URL  ${site.vendor.baseUrl}`);
    await session.answer('Write .env?', enter);
    expect(await session.exited).toBe(0);
    expectNoSecret(site, session, [wrong, 'canary-canary']);
  });

  it.skipIf(!IS_ROOT)('leaves the files to whom they belong', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    chownSync(join(site.folder, '.env'), NOBODY, NOBODY);
    const session = setup(site);
    await choose(session, VENDOR);
    await session.answer('PROXY_API_BASE_URL', clear, `${site.vendor.baseUrl}/`, enter);
    await session.answer('PROXY_API_TOKEN is there already', down, enter);
    await session.answer('PROXY_API_TOKEN: paste it here', 'another-token', enter);
    await session.answer('What now?', down, down, enter);
    await session.answer('Write .env?', enter);
    await session.see('is wrong');
    await session.exited;
    const { uid, gid, mode } = statSync(join(site.folder, '.env'));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: NOBODY, gid: NOBODY, mode: 0o600 });
  });

  it('follows POLICY_FILE, and begins a policy there', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    writeFileSync(join(site.folder, '.env'), `${fileOf(site, '.env')}\nPOLICY_FILE=ours.yml\n`);
    const before = filesOf(site);
    const session = setup(site);
    await session.answer('What else do you want to change?', enter);
    await answerGroups(session);
    await answerApprovals(session);
    await answerPlan(session);
    await answerLimits(session);
    await session.see('ours.yml, a new file:');
    await session.answer('Write ours.yml?', enter);
    expect(await session.exited).toBe(0);
    expect(filesOf(site)).toEqual({ ...before, 'ours.yml': `644 ${EXAMPLE}` });
  });

  it('says of a file with a secret that it gives nothing, and looks again', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const secret = join(site.folder, 'vendor-token');
    writeFileSync(
      join(site.folder, '.env'),
      fileOf(site, '.env').replace(/PROXY_API_TOKEN=.*/, `PROXY_API_TOKEN_FILE=${secret}`),
    );
    const session = setup(site);
    await session.answer('What else do you want to change?', enter);
    await session.answer('PROXY_API_BASE_URL', enter);
    await session.see(`Nothing can be read from the file ${secret} (PROXY_API_TOKEN_FILE).`);
    writeFileSync(secret, site.vendor.token, { mode: 0o600 });
    await session.answer('What now?', enter);
    await session.see('the balance is $');
    expect(await session.exited).toBe(0);
  });

  it('leaves alone what is kept elsewhere, and looks at it all the same', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const secret = join(site.folder, 'vendor-token');
    writeFileSync(secret, `${site.vendor.token}\n`, { mode: 0o600 });
    const env = fileOf(site, '.env').replace(/PROXY_API_TOKEN=.*/, `PROXY_API_TOKEN_FILE=${secret}`);
    writeFileSync(join(site.folder, '.env'), env);
    const before = filesOf(site);
    const session = setup(site, { SLACK_BOT_TOKEN: site.slack.tokens.bot });
    await choose(session, SLACK, VENDOR);
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.see('SLACK_BOT_TOKEN comes from the environment, which wins over .env');
    await session.answer('SLACK_APP_TOKEN is there already', enter);
    await session.answer('PROXY_API_BASE_URL', enter);
    await session.see(`PROXY_API_TOKEN comes from the file ${secret}`);
    await session.see('the balance is $');
    expect(await session.exited).toBe(0);
    expect(filesOf(site)).toEqual(before);
    expectNoSecret(site, session);
  });
});
