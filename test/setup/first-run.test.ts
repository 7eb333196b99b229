import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect } from 'vitest';
import { readPolicy } from '../../src/config/policy.ts';
import { ROOT } from '../deploy/files.ts';
import { launch } from '../support/bot.ts';
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
import { KEY } from './terminal.ts';

const { enter, tab, space, down, clear, interrupt } = KEY;
const example = (name: string) => readFileSync(join(ROOT, name), 'utf8');

describe.concurrent('npm run setup, the first time', () => {
  it('leads from nothing to settings and a policy with which the doctor is content and the bot starts', async ({
    open,
    setup,
  }) => {
    const site = bare(await open());
    const session = setup(site);
    await session.see('Proxy Desk: setup');
    await answerAll(session, site);
    await session.see(
      /\.env, a new file:[\s\S]*SLACK_BOT_TOKEN {2}set \(not shown\)[\s\S]*access\.buy {2}@buyers \(S0BUYERS\)/,
    );
    await session.answer('Write .env and policy.yml?', enter);
    await session.see('Nothing is wrong.');
    expect(await session.exited).toBe(0);
    await session.see('Next: npm start');
    expectNoSecret(site, session);

    expect(statSync(join(site.folder, '.env')).mode & 0o777).toBe(0o600);
    const { slack, vendor } = site;
    const env = fileOf(site, '.env');
    expect(parseEnv(env)).toMatchObject({
      SLACK_BOT_TOKEN: slack.tokens.bot,
      SLACK_APP_TOKEN: slack.tokens.app,
      PROXY_API_BASE_URL: vendor.baseUrl,
      PROXY_API_TOKEN: vendor.token,
    });
    const comments = (text: string) => text.split('\n').filter((line) => line.startsWith('#'));
    expect(comments(env)).toEqual(comments(example('.env.example')));
    // The answers were the example's own, so that each of its lines and comments stands.
    expect(fileOf(site, 'policy.yml')).toBe(example('policy.example.yml'));

    const bot = launch({ cwd: site.folder, env: { SLACK_API_URL: slack.apiUrl, PORT: '0' } });
    await bot.ready();
    expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('writes what was chosen, and nothing that was not', async ({ open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    await answerSlack(session, site);
    await answerVendor(session, site);
    await answerGroups(session);
    await session.answer('Does spending need the yes', enter);
    await session.answer('In which channel', enter);
    await session.answer('How many IPs may a person buy', clear, '12', enter);
    await session.answer('Do renewals need approval too?', 'n');
    await session.answer('product_id:', clear, 'lt-quarterly', enter);
    await session.answer('name:', clear, 'Quarterly: best', enter);
    await session.answer('type:', enter);
    await session.answer('network_type:', enter);
    await session.answer('term:', clear, enter);
    await session.answer('Add another plan?', enter);
    await session.answer('How many IPs may one order have', clear, '50', enter);
    await session.answer('How many IPs may one person buy', enter);
    await session.answer('Write .env and policy.yml?', enter);
    expect(await session.exited).toBe(0);
    const text = fileOf(site, 'policy.yml');
    expect(readPolicy(text)).toMatchObject({
      ok: true,
      policy: {
        approvals: { mode: 'channel', channel: 'C0APPROVALS', freeUpTo: 12, renewalsNeedApproval: false },
        plans: [{ productId: 'lt-quarterly', name: 'Quarterly: best', term: null }],
        limits: { ipsPerOrder: 50, ipsPerPersonPerDay: 1000 },
      },
    });
    const comments = (of: string) => Array.from(of.matchAll(/#.*/g), ([comment]) => comment);
    expect(comments(example('policy.example.yml')).filter((comment) => !comments(text).includes(comment))).toEqual([
      '# the vendor states none; used for the calendar, always shown as computed',
    ]);
  });

  it('makes the app for HTTP mode with its address, and asks for the signing secret', async ({ open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    await session.answer('How is Slack to reach the bot?', down, enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('The address at which Slack', 'http://desk.example.com', enter);
    await session.see('Write it like https://');
    session.type(clear, 'https://desk.example.com/', enter);
    await session.see(
      /manifest_json=\S+%22socket_mode_enabled%22%3Afalse\S+https%3A%2F%2Fdesk\.example\.com%2Fslack%2Fevents/,
    );
    await session.see('see at Event Subscriptions that it is verified');
    await session.answer('SLACK_BOT_TOKEN', site.slack.tokens.bot, enter);
    await session.answer('SLACK_SIGNING_SECRET', site.slack.tokens.signingSecret, enter);
    await session.see('shows only when Slack calls');
    await answerVendor(session, site);
    await answerGroups(session);
    await answerApprovals(session);
    await answerPlan(session);
    await answerLimits(session);
    await session.answer('Write .env and policy.yml?', enter);
    expect(await session.exited).toBe(0);
    expectNoSecret(site, session);
    expect(parseEnv(fileOf(site, '.env'))).toMatchObject({
      SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret,
      SLACK_APP_TOKEN: '',
    });
    expect(site.slack.callsTo('apps.connections.open')).toEqual([]);
  });

  it('names a secret of the wrong kind at once, and asks nobody about it', async ({ open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    const wrong = {
      [site.slack.tokens.app]: 'That is the app-level token.',
      'xoxp-1234567890-abcdef': 'That is a user token.',
      'xoxe.xoxb-1-abcdefghijkl': 'token rotation must be off',
      'xoxb-12 34567890': 'a blank in the middle',
      'xoxb-': 'is not a usable secret',
      'https://slack.com': 'That is an address.',
      '': 'Paste the Bot User OAuth Token',
    };
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.see('◆  SLACK_BOT_TOKEN');
    for (const [typed, told] of Object.entries(wrong)) {
      session.type(typed, enter);
      await session.see(told);
    }
    expect(site.slack.calls).toEqual([]);
    session.type(`  SLACK_BOT_TOKEN="${site.slack.tokens.bot}" `, enter);
    await session.see('Slack takes it, in Example');
    session.type(interrupt);
    expect(await session.exited).toBe(130);
    expectNoSecret(
      site,
      session,
      Object.keys(wrong).filter((typed) => typed.length > 12 && !typed.startsWith('https')),
    );
    expect(filesOf(site)).toEqual({});
  });

  it('tells as it is typed what Slack and the vendor do not accept', async ({ open, setup }) => {
    const site = bare(await open());
    const session = setup(site);
    const [bot, app, token] = ['xoxb-canary-canary-bot', 'xapp-canary-canary-app', 'canary-canary-vendor'];
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('SLACK_BOT_TOKEN', bot, enter);
    await session.see('Slack refuses SLACK_BOT_TOKEN (invalid_auth)');
    await session.answer('What now?', enter);
    await session.answer('SLACK_BOT_TOKEN', site.slack.tokens.bot, enter);
    await session.answer('SLACK_APP_TOKEN', app, enter);
    await session.see('Slack offers no connection for it (invalid_auth)');
    await session.see('connections:write');
    await session.answer('What now?', enter);
    await session.answer('SLACK_APP_TOKEN', site.slack.tokens.app, enter);
    await session.see('Slack offers a connection');
    await session.answer('PROXY_API_BASE_URL', 'http://vendor.example', enter);
    await session.see('neither https nor http on this machine');
    session.type(clear, 'http://127.0.0.1:1', enter);
    await session.answer('PROXY_API_TOKEN', token, enter);
    await session.see('the connection was refused');
    await session.answer('What now?', enter);
    await session.answer('PROXY_API_BASE_URL', clear, site.vendor.baseUrl, enter);
    await session.see('The vendor does not accept it');
    await session.answer('What now?', enter);
    await session.answer('PROXY_API_TOKEN', site.vendor.token, enter);
    await session.see('the balance is $');
    session.type(interrupt);
    expect(await session.exited).toBe(130);
    expectNoSecret(site, session, [bot, app, token]);
    expect(site.vendor.posts).toBe(0);
    expect(filesOf(site)).toEqual({});
  });

  it('names the scopes that the app lacks, and looks again once they are there', async ({ open, setup }) => {
    const site = bare(await open());
    const { settings } = site.slack;
    const all = settings.scopes;
    settings.scopes = all.filter((scope) => scope !== 'files:write');
    const session = setup(site);
    await session.answer('How is Slack to reach the bot?', enter);
    await session.answer('Is the Slack app there already?', enter);
    await session.answer('SLACK_BOT_TOKEN', site.slack.tokens.bot, enter);
    await session.see(/scope files:write: the app lacks it[\s\S]*Reinstall to Workspace/);
    settings.scopes = all;
    await session.answer('What now?', enter);
    await session.see('with every scope it needs');
    session.type(interrupt);
    await session.exited;
  });

  it('warns of empty groups and of approvers who are too few, and looks again', async ({ open, setup }) => {
    const site = bare(await open());
    const { world } = site.slack;
    await world.setGroup('S0BUYERS', { members: [] });
    await world.setGroup('S0LEADS', { members: ['U0LEAD'] });
    const session = setup(site);
    await answerSlack(session, site);
    await answerVendor(session, site);
    await session.answer('Who may buy?', space, enter);
    await session.answer('Who may renew orders?', enter);
    await session.answer('Who approves requests', down, space, enter);
    await session.see('1 usable member: nobody approves their own request, so two are needed');
    await world.setGroup('S0LEADS', { members: ['U0LEAD', 'U0LEAD2'] });
    await session.answer('What now?', enter);
    await session.see('2 usable members may approve');
    await session.answer('Who may see the balance?', enter);
    await session.see('@buyers is empty: it lets nobody in');
    session.type(interrupt);
    await session.exited;
  });

  it('finds groups and channel by typing where there are many, on whichever page Slack lists them', async ({
    open,
    setup,
  }) => {
    const site = bare(await open());
    const { state, world } = site.slack;
    for (let i = 0; i < 20; i += 1) await world.setGroup(`S0G${i}`, { handle: `a-group-${i}`, members: ['U0LEAD'] });
    const { C0APPROVALS: approvals, ...others } = state.channels;
    for (let i = 0; i < 1_200; i += 1) world.setChannel(`C0X${i}`, { name: `a-channel-${i}`, hasBot: false });
    // Slack lists them in no order that helps: the one that is wanted comes last.
    delete state.channels['C0APPROVALS'];
    Object.assign(state.channels, others, approvals && { C0APPROVALS: { ...approvals, hasBot: false } });
    const session = setup(site);
    await answerSlack(session, site);
    await answerVendor(session, site);
    await session.answer('Who may buy?', 'buyers', tab, enter);
    await session.see('@buyers, 2 people');
    await session.answer('Who may renew orders?', enter);
    await session.answer('Who approves requests', 'LEADS', tab, enter);
    await session.answer('Who may see the balance?', enter);
    await session.answer('Does spending need the yes', enter);
    await session.answer('In which channel', 'approv', enter);
    await session.see('The bot is not in #approvals yet');
    expect(site.slack.callsTo('conversations.list')).toHaveLength(2);
    await session.answer('What now?', down, enter);
    await session.answer('How many IPs may a person buy in 24 h without', interrupt);
    await session.exited;
  });

  it('finds the channel once the bot was invited', async ({ open, setup }) => {
    const site = bare(await open());
    site.slack.world.setChannel('C0APPROVALS', { isPrivate: true, hasBot: false });
    site.slack.world.setChannel('C0GENERAL', { name: 'general', hasBot: false });
    const session = setup(site);
    await answerSlack(session, site);
    await answerVendor(session, site);
    await answerGroups(session);
    await session.answer('Does spending need the yes', enter);
    await session.answer('In which channel', 'gen', enter);
    await session.see('The bot is not in #general yet');
    await session.see('/invite @proxy-desk');
    site.slack.world.setChannel('C0APPROVALS', { isPrivate: true, hasBot: true });
    await session.answer('What now?', enter);
    await session.answer('In which channel', 'appr', enter);
    await session.answer('How many IPs may a person buy in 24 h without', interrupt);
    await session.exited;
    expect(isThere(site, '.env')).toBe(false);
  });
});
