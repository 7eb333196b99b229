import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { canMount, mountSmallDisk } from '../process/campaign/small-disk.ts';
import { type Environment, run } from '../support/bot.ts';
import { loadedByBot } from '../support/loaded.ts';
import { CHANNEL, LEAD, LEAD2, policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { examine, findings, WRONG_SECRET } from './examine.ts';

interface Fault {
  /** Makes it real. */
  readonly make?: (site: Site) => void;
  readonly env?: Environment;
  readonly policy?: string;
  readonly check: string;
  readonly found: RegExp;
  readonly remedy: RegExp;
}

const group = (site: Site, id: string, change: object) => {
  const known = site.slack.state.groups[id];
  if (known) Object.assign(known, change);
};

const FAULTS: Readonly<Record<string, Fault>> = {
  'a bot token that Slack does not know': {
    env: { SLACK_BOT_TOKEN: `xoxb-${WRONG_SECRET}` },
    check: 'SLACK_BOT_TOKEN',
    found: /invalid_auth/,
    remedy: /OAuth & Permissions/,
  },
  'a bot token that was revoked': {
    make: ({ slack }) => slack.faults.add('auth.test', { kind: 'error', code: 'token_revoked' }),
    check: 'SLACK_BOT_TOKEN',
    found: /token_revoked/,
    remedy: /install the app/,
  },
  'a Slack that is not there': {
    make: ({ slack }) => slack.faults.add('auth.test', { kind: 'reset', when: 'before' }),
    check: 'Slack',
    found: /cannot be reached \(\w+\)/,
    remedy: /slack\.com/,
  },
  'an app token without its scope': {
    make: ({ slack }) => slack.faults.add('apps.connections.open', { kind: 'error', code: 'missing_scope' }),
    check: 'SLACK_APP_TOKEN',
    found: /missing_scope/,
    remedy: /connections:write/,
  },
  'an app token that is a bot token’s': {
    env: { SLACK_APP_TOKEN: `xapp-${WRONG_SECRET}` },
    check: 'SLACK_APP_TOKEN',
    found: /invalid_auth/,
    remedy: /connections:write/,
  },
  'a scope that the app was installed without': {
    make: ({ slack: { settings } }) => {
      settings.scopes = settings.scopes.filter((scope) => scope !== 'users:read.email');
    },
    check: 'scope users:read.email',
    found: /lacks it/,
    remedy: /manifest\.yml.*install the app again/,
  },
  'a clock that is behind': {
    make: ({ slack: { settings } }) => {
      settings.clockAheadMs = 120_000;
    },
    check: 'clock',
    found: /(119|120|121) s behind Slack's/,
    remedy: /NTP/,
  },
  'a group that Slack does not know': {
    policy: policyText().replace('buy: [S0BUYERS]', 'buy: [S0GONE]'),
    check: 'access.buy',
    found: /knows no user group S0GONE/,
    remedy: /Copy group ID/,
  },
  'a group that is disabled': {
    make: (site) => group(site, 'S0TEAM', { disabled: true }),
    check: 'access.balance',
    found: /S0TEAM is disabled/,
    remedy: /enable it/,
  },
  'a group with nobody in it': {
    make: (site) => group(site, 'S0LEADS', { members: [] }),
    check: 'access.approve',
    found: /S0LEADS is empty/,
    remedy: /add people/,
  },
  'approvers of whom none is usable': {
    make: ({ slack }) => {
      for (const id of [LEAD, LEAD2, 'U0LEAD3']) slack.world.setPerson(id, { deleted: true });
    },
    check: 'access.approve',
    found: /0 usable members/,
    remedy: /two usable people/,
  },
  'groups that may not be read': {
    make: ({ slack }) =>
      void slack.faults.add('usergroups.list', { kind: 'error', code: 'missing_scope' }, { times: 9 }),
    check: 'access',
    found: /could not be looked at \(missing_scope\)/,
    remedy: /usergroups:read/,
  },
  'a bot that is not in the channel': {
    make: ({ slack }) => slack.world.setChannel(CHANNEL, { hasBot: false }),
    check: 'approvals.channel',
    found: /the bot is not in/,
    remedy: /\/invite/,
  },
  'a channel that is archived': {
    make: ({ slack }) => slack.world.setChannel(CHANNEL, { archived: true }),
    check: 'approvals.channel',
    found: /is archived/,
    remedy: /unarchive/,
  },
  'a channel that is not there': {
    policy: policyText().replace(CHANNEL, 'C0GONE'),
    check: 'approvals.channel',
    found: /channel_not_found/,
    remedy: /check the id/,
  },
  'an approver outside the private channel': {
    make: ({ slack }) => slack.world.setChannel(CHANNEL, { isPrivate: true, members: [LEAD, 'U0LEAD3'] }),
    check: 'approvals.channel',
    found: new RegExp(`never see a card: ${LEAD2}$`),
    remedy: /invite them/,
  },
  'a vendor token that is not accepted': {
    make: ({ vendor }) => vendor.always('balance', { name: 'refuse', code: 401, status: 401 }),
    check: 'PROXY_API_TOKEN',
    found: /does not accept it/,
    remedy: /Master User Token/,
  },
  'a vendor that does not let the token look': {
    make: ({ vendor }) => vendor.always('balance', { name: 'refuse', code: 403, status: 403 }),
    check: 'PROXY_API_TOKEN',
    found: /does not let it see the balance/,
    remedy: /address/,
  },
  'a vendor that echoes the token': {
    make: ({ vendor }) => vendor.always('balance', { name: 'echo_token', form: 'raw' }),
    check: 'PROXY_API_BASE_URL',
    found: /could not be read/,
    remedy: /check the address/,
  },
  'an address that is not the vendor’s': {
    env: { PROXY_API_BASE_URL: 'http://127.0.0.1:1' },
    check: 'PROXY_API_BASE_URL',
    found: /could not be read: the connection was refused/,
    remedy: /reaches it/,
  },
  'a ledger that was lost': {
    make: ({ folder }) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'data', 'desk.db.exists'), 'x');
    },
    check: 'DATABASE_URL',
    found: /is missing, though it was there/,
    remedy: /backup/,
  },
  'a ledger that is damaged': {
    make: ({ folder, databaseFile }) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(databaseFile, 'This is not a database. '.repeat(400));
    },
    check: 'DATABASE_URL',
    found: /damaged/,
    remedy: /latest backup/,
  },
  'a database server that is not there': {
    env: { DATABASE_URL: `postgres://desk:${WRONG_SECRET}@127.0.0.1:1/desk?sslmode=verify-full` },
    check: 'DATABASE_URL',
    found: /cannot be reached: .*ECONNREFUSED/,
    remedy: /server runs/,
  },
};

describe.concurrent('the doctor', () => {
  it('finds nothing wrong where nothing is, says what it looked at, and leaves nothing behind', async ({ open }) => {
    const site = await open();
    const { code, found, wrong } = await findings(site);
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] });
    expect(new Set(found.map(({ check }) => check))).toEqual(
      new Set([
        'settings and policy',
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'clock',
        ...site.slack.settings.scopes.filter((scope) => scope !== 'im:read').map((scope) => `scope ${scope}`),
        'scopes',
        'access.balance',
        'access.buy',
        'access.renew',
        'access.approve',
        'approvals.channel',
        'PROXY_API_TOKEN',
        'DATABASE_URL',
        'disk room',
      ]),
    );
    expect(readdirSync(site.folder)).toEqual(['policy.yml']);
    expect(site.slack.state.messages).toEqual([]);
    expect(site.vendor.posts).toBe(0);
  });

  it('prints a line a check, and says at the end how many are wrong', async ({ open }) => {
    const site = await open();
    const well = await examine(site);
    expect(well).toMatchObject({ code: 0, err: '' });
    expect(well.out).toMatch(/^right {5}SLACK_BOT_TOKEN {9}Slack takes it, in .+\n/m);
    expect(well.out).toMatch(/\n\nNothing is wrong\.\n$/);
    group(site, 'S0TEAM', { members: [] });
    const ill = await examine(site);
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(
      /^WRONG {5}access\.balance {10}the user group S0TEAM is empty; it lets nobody in: add people.*\n/m,
    );
    expect(ill.out).toMatch(/\n\n1 of \d+ is wrong\.\n$/);
  });

  it.for(Object.entries(FAULTS))('finds %s, names it and its remedy, and ends with 1', async ([, fault], { open }) => {
    const site = await open();
    const { make, env = {}, check, found, remedy } = fault;
    make?.(site);
    const { code, wrong } = await findings(site, { env, ...(fault.policy !== undefined && { policy: fault.policy }) });
    expect(code).toBe(1);
    const match = { check, found: expect.stringMatching(found), remedy: expect.stringMatching(remedy) };
    expect(wrong).toContainEqual(expect.objectContaining(match));
  });

  it('looks in HTTP mode whether the signing secret is there, and asks for no connection', async ({ open }) => {
    const site = await open();
    const env = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret };
    const { found, wrong } = await findings(site, { env });
    expect(wrong).toEqual([]);
    expect(found).toContainEqual(expect.objectContaining({ check: 'SLACK_SIGNING_SECRET', verdict: 'right' }));
    expect(site.slack.callsTo('apps.connections.open')).toEqual([]);
  });

  it('tells every problem of the settings and the policy, ends with 78, and asks nobody', async ({ open }) => {
    const site = await open();
    const given = { env: { PORT: 'x', PROXY_API_BASE_URL: '' }, policy: 'access: { buyy: [S0BUYERS] }\n' };
    const { code, out } = await examine(site, [], given);
    expect(code).toBe(78);
    for (const key of ['PORT', 'PROXY_API_BASE_URL', 'access.buyy', 'approvals', 'plans'])
      expect(out).toMatch(new RegExp(`^${key} .+: .+`, 'm'));
    const { wrong } = await findings(site, given);
    expect(wrong.map(({ check }) => check)).toEqual(expect.arrayContaining(['PORT', 'access.buyy']));
    expect(site.slack.calls).toEqual([]);
  });

  it('beside a running bot changes nothing, and freezes nothing where the vendor says 401', async ({ open }) => {
    const site = await open();
    await site.start();
    site.vendor.always('balance', { name: 'refuse', code: 401, status: 401 });
    const { found } = await findings(site);
    expect(found.filter(({ verdict }) => verdict === 'wrong').map(({ check }) => check)).toEqual(['PROXY_API_TOKEN']);
    expect(found).toContainEqual(
      expect.objectContaining({ check: 'DATABASE_URL', found: expect.stringMatching(/can be read and written$/) }),
    );
    expect(JSON.parse(await site.ledgerCommand('status', '--json'))).toMatchObject({ frozen: null });
  });

  it('finds a ledger that another program holds', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    await bot.end('SIGTERM');
    const unlock = site.lockLedger();
    const { wrong } = await findings(site);
    unlock();
    expect(wrong).toEqual([
      {
        check: 'DATABASE_URL',
        verdict: 'wrong',
        found: expect.stringMatching(/held by another program/),
        remedy: expect.any(String),
      },
    ]);
  });

  it.skipIf(!canMount())('finds a disk that is nearly full', async ({ open }) => {
    const site = await open();
    const disk = mountSmallDisk(join(site.folder, 'data'));
    try {
      const { wrong } = await findings(site);
      expect(wrong).toEqual([
        {
          check: 'disk room',
          verdict: 'wrong',
          found: expect.stringMatching(/^\d MiB free$/),
          remedy: expect.stringMatching(/200 MiB/),
        },
      ]);
      disk.fill();
      const full = await findings(site);
      expect(full.wrong).toContainEqual(
        expect.objectContaining({ check: 'DATABASE_URL', found: expect.stringMatching(/cannot be written/) }),
      );
    } finally {
      disk.close();
    }
  });
});

describe.concurrent('npm run doctor', () => {
  it('is not loaded by the bot', async ({ open }) => {
    const site = await open();
    const loaded = await loadedByBot(site);
    expect(loaded).toContain('/src/slack/checks.ts');
    expect(loaded).not.toContain('/src/doctor/');
  });

  it('ends with a code of its own for each result, and shows how it is used', async ({ open }) => {
    const site = await open();
    const doctor = (env: Environment, ...args: string[]) =>
      run({ env: { ...site.env, ...env }, cwd: site.folder, args: ['doctor', ...args] });
    expect(await doctor({})).toMatchObject({ code: 0, stdout: expect.stringMatching(/Nothing is wrong/), stderr: '' });
    site.vendor.always('balance', { name: 'html' });
    expect(await doctor({})).toMatchObject({ code: 1, stdout: expect.stringMatching(/1 of \d+ is wrong/) });
    expect(await doctor({ PORT: 'x' })).toMatchObject({
      code: 78,
      stdout: expect.stringMatching(/^PORT /),
      stderr: '',
    });
    expect(await doctor({}, '--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /) });
    for (const args of [['--lively'], ['--live', 'ann'], ['all']])
      expect(await doctor({}, ...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^doctor: .*\n\nUsage: /),
      });
    mkdirSync(join(site.folder, '.env'));
    expect(await doctor({})).toMatchObject({ code: 78, stdout: expect.stringMatching(/^\.env is a folder/) });
  });
});
