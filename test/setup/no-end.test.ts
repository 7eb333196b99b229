import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { run } from '../support/bot.ts';
import { loadedByBot } from '../support/loaded.ts';
import type { Site } from '../support/site.ts';
import { choose, POLICY, SECTIONS, settle } from './settled.ts';
import { answerAll, answerSlack, answerVendor, bare, expectNoSecret, fileOf, filesOf, isThere, it } from './steps.ts';
import { KEY, type Session } from './terminal.ts';

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
/** Root may write anywhere: then it is somebody else who tries. */
const AS_NOBODY = `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups`;

const { enter, space, clear, left, interrupt } = KEY;
const { limits: LIMITS } = SECTIONS;

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
    // It is dropped, or lands in the next question, where it is cleared: that is decided by the machine.
    session.type(site.slack.tokens.app);
    answer();
    await session.answer('SLACK_APP_TOKEN', clear, site.slack.tokens.app, enter);
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
    const loaded = await loadedByBot(site);
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
