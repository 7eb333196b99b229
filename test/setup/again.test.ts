import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect } from 'vitest';
import { textOf } from '../deploy/files.ts';
import { MAIN, run } from '../support/bot.ts';
import type { Site } from '../support/site.ts';
import {
  answerAll,
  answerApprovals,
  answerGroups,
  answerLimits,
  answerPlan,
  answerSlack,
  answerVendor,
  bare,
  expectNoSecret,
  fileOf,
  filesOf,
  isThere,
  it,
} from './steps.ts';
import { KEY, type Session } from './terminal.ts';

const RECORDER = new URL('../ledger/loaded-modules.ts', import.meta.url).href;

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
/** Root may write anywhere: then it is somebody else who tries. */
const AS_NOBODY = `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups`;

const { enter, space, down, clear, left, interrupt } = KEY;

const EXAMPLE = textOf('policy.example.yml');

const POLICY = `# Ours, and reviewed.
access:
    balance: [S0TEAM]   # everybody
    buy:
        - S0BUYERS      # the shop
    renew: S0BUYERS
    approve: [S0LEADS]
approvals: { channel: C0APPROVALS, free_up_to_dollars: 20, two_people_above: 100 }
contact: Ann # at her desk
plans:
    - { product_id: lt-monthly, name: 'Static, monthly', type: long-term, network_type: residential, term: 1 month }
`;

/** What an operator has written by hand, with comments and settings of other programs. */
function settle(site: Site, policy = POLICY): void {
  const { slack, vendor } = site;
  writeFileSync(
    join(site.folder, '.env'),
    `# by hand\nexport SLACK_BOT_TOKEN='${slack.tokens.bot}'\nSLACK_APP_TOKEN=${slack.tokens.app} # of March\n# SLACK_SIGNING_SECRET=\n\n` +
      `PROXY_API_BASE_URL=${vendor.baseUrl}\r\nPROXY_API_TOKEN=${vendor.token}\nLOG_LEVEL=info\nTHEIRS="a # b"`,
    { mode: 0o600 },
  );
  writeFileSync(join(site.folder, 'policy.yml'), policy);
  chmodSync(join(site.folder, 'policy.yml'), 0o640);
}

/** The section of the menu, by its place. */
async function choose(session: Session, ...places: readonly number[]): Promise<void> {
  const keys = [0, 1, 2, 3, 4, 5].flatMap((place) => [...(places.includes(place) ? [space] : []), down]);
  await session.answer('What do you want to change?', ...keys, enter);
}

const [SLACK, VENDOR, GROUPS, APPROVALS, PLANS, LIMITS] = [0, 1, 2, 3, 4, 5];

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

describe.concurrent('npm run setup that comes to no end', () => {
  /** Each goes so far and then is at a question, or in the middle of a call. */
  const POINTS: Readonly<Record<string, (session: Session, site: Site) => Promise<unknown>>> = {
    'the first question': (session) => session.see('◆  How is Slack to reach the bot?'),
    'a secret that is half pasted': async (session) => {
      await session.answer('How is Slack to reach the bot?', enter);
      await session.answer('Is the Slack app there already?', enter);
      await session.answer('SLACK_BOT_TOKEN', 'xoxb-canary-');
    },
    'a call to Slack that hangs': async (session, { slack }) => {
      slack.faults.add('auth.test', { kind: 'hang', when: 'before' });
      await session.answer('How is Slack to reach the bot?', enter);
      await session.answer('Is the Slack app there already?', enter);
      await session.answer('SLACK_BOT_TOKEN', slack.tokens.bot, enter);
      await session.see('Asking Slack whose token it is');
    },
    'a list': async (session, site) => {
      await answerSlack(session, site);
      await answerVendor(session, site);
      await session.answer('Who may buy?', space);
    },
    'the last question': async (session, site) => {
      await answerAll(session, site);
      await session.see('◆  Write .env and policy.yml?');
    },
  };

  it.for(Object.entries(POINTS))('by Ctrl-C at %s leaves everything as it was', async ([, reach], { open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    await reach(session, site);
    session.type(interrupt);
    await session.see('Nothing was written.');
    expect(await session.exited).toBe(130);
    expect(filesOf(site)).toEqual({});
    expectNoSecret(site, session, ['xoxb-canary-']);
  });

  it('by a no at the end leaves everything as it was', async ({ open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    await answerAll(session, site);
    await session.answer('Write .env and policy.yml?', left, 'n');
    expect(await session.exited).toBe(1);
    expect(filesOf(site)).toEqual({});
  });

  it('does not undo what somebody else has written meanwhile', async ({ open, setup }) => {
    const site = await open();
    settle(site);
    const session = setup(site);
    await choose(session, LIMITS);
    await session.answer('How many IPs may one order', clear, '5', enter);
    await session.answer('How many IPs may one person', enter);
    await session.see('◆  Write policy.yml?');
    writeFileSync(join(site.folder, 'policy.yml'), `${POLICY}# theirs\n`);
    session.type(enter);
    await session.see('was changed by somebody else meanwhile');
    expect(await session.exited).toBe(1);
    expect(fileOf(site, 'policy.yml')).toBe(`${POLICY}# theirs\n`);
  });

  it('says so where a file cannot be written, and leaves it as it was, and nothing beside it', async ({
    open,
    setup,
  }) => {
    const site = await open();
    settle(site);
    const before = filesOf(site);
    // A limit of the file size stands for a full disk.
    const session = setup(site, {}, "trap '' XFSZ; ulimit -f 0; exec");
    await choose(session, LIMITS);
    await session.answer('How many IPs may one order', clear, '5', enter);
    await session.answer('How many IPs may one person', enter);
    await session.answer('Write policy.yml?', enter);
    await session.see('policy.yml could not be written (EFBIG), and is as it was.');
    expect(await session.exited).toBe(1);
    expect(filesOf(site)).toEqual(before);
  });

  it('never shows what is typed while somebody is asked', async ({ open, setup }) => {
    const site = bare(await open());
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    site.slack.faults.add('auth.test', { kind: 'hold', until });
    const session = setup(site);
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('SLACK_BOT_TOKEN', site.slack.tokens.bot, enter);
    await session.see('Asking Slack whose token it is');
    session.type(site.slack.tokens.app, enter);
    answer();
    await session.answer('SLACK_APP_TOKEN', site.slack.tokens.app, enter);
    await session.answer('PROXY_API_BASE_URL', interrupt);
    await session.exited;
    expectNoSecret(site, session);
  });
});

describe.concurrent('npm run setup refuses', () => {
  const UNUSABLE: Readonly<Record<string, readonly [make: (site: Site) => void, told: RegExp]>> = {
    'a .env that is a link': [
      (site) => symlinkSync('/nowhere', join(site.folder, '.env')),
      /^\.env is a symbolic link, .*: run setup where the file itself is\.$/m,
    ],
    'a .env that is a folder': [(site) => mkdirSync(join(site.folder, '.env')), /^\.env is not a file: .*\.$/m],
    'a .env with a value that is cut': [
      (site) => writeFileSync(join(site.folder, '.env'), 'PROXY_API_TOKEN=canary#canary\n'),
      /^PROXY_API_TOKEN is cut in \.env at a #/m,
    ],
    'a policy that is no YAML': [
      (site) => writeFileSync(join(site.folder, 'policy.yml'), 'access: [\nplans: x\n'),
      /^policy line \d/m,
    ],
    'a policy that is a link': [
      (site) => {
        renameSync(join(site.folder, 'policy.yml'), join(site.folder, 'real.yml'));
        symlinkSync('real.yml', join(site.folder, 'policy.yml'));
      },
      /^policy\.yml is a symbolic link/m,
    ],
  };

  it.for(Object.entries(UNUSABLE))('%s, before it asks anything', async ([, [make, told]], { open, setup }) => {
    const site = await open();
    make(site);
    const session = setup(site);
    await session.see(told);
    expect(await session.exited).toBe(78);
    expect(session.written).not.toContain('◆');
    expect(session.written).not.toContain('canary');
    expect(site.slack.calls).toEqual([]);
  });

  it('to begin in a folder where nothing can be written', async ({ open, setup }) => {
    const site = bare(await open());
    chmodSync(site.folder, 0o555);
    const session = setup(site, {}, IS_ROOT ? AS_NOBODY : 'exec');
    await session.see(/^\.env cannot be written in \/.*: run setup as the user whose folder it is/m);
    expect(await session.exited).toBe(78);
    chmodSync(site.folder, 0o755);
  });

  it('to write a policy that the bot would not read, and names what is wrong', async ({ open, setup }) => {
    const site = await open();
    settle(site, POLICY.replace('contact:', 'contcat:'));
    const before = filesOf(site);
    const session = setup(site);
    await choose(session, LIMITS);
    await session.answer('How many IPs may one order', clear, '5', enter);
    await session.answer('How many IPs may one person', enter);
    await session.see('contcat is not known: did you mean contact?');
    expect(await session.exited).toBe(1);
    expect(filesOf(site)).toEqual(before);
  });

  it('nobody who starts the bot: it is not loaded then', async ({ open }) => {
    const site = await open();
    const LOADED = join(site.folder, 'loaded');
    const bot = site.launch({ LOADED }, { command: [process.execPath, '--import', RECORDER, MAIN] });
    await bot.ready();
    await bot.end('SIGTERM');
    const loaded = readFileSync(LOADED, 'utf8');
    expect(loaded).toContain('/src/config/policy.ts');
    expect(loaded).not.toMatch(/\/src\/setup\/|\/src\/config\/edit-|@clack/);
  });

  it('to guess without a terminal, in one line, and shows how it is used', async ({ open }) => {
    const site = bare(await open());
    const command = (...args: string[]) => run({ env: {}, cwd: site.folder, args: ['setup', ...args] });
    expect(await command()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^setup: .* no terminal .*\n$/),
    });
    expect(await command('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: npm run setup/) });
    expect(await command('--force')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^setup: .*\n\nUsage/) });
    expect(isThere(site, '.env')).toBe(false);
  });
});
