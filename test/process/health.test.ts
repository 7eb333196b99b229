import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { SlackEvent } from '../../sandbox/slack/index.ts';
import { BUYER, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { played } from '../support/site-steps.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** So long a refused or dying connection is watched: two or three tries fit in, a hot loop would make hundreds. */
const WATCHED_MS = 2_500;
const TRIES_AT_MOST = 6;

describe.concurrent('health', () => {
  it('is ready only when commands are answered: Slack is down at first, and comes up', async ({ open }) => {
    const site = await open({ expected: /Slack cannot be reached/ });
    const down = site.slack.faults.add('auth.test', { kind: 'status', status: 503 }, { times: Infinity });
    const bot = site.launch();
    await bot.until('/readyz', 503, 'Slack cannot be reached');
    expect(await bot.get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
    expect((await bot.get('/metrics')).text).toContain('proxy_desk_ready 0');
    down.clear();
    await bot.ready();
    expect((await bot.get('/metrics')).text).toContain('proxy_desk_ready 1');
    await answers(site);
  });

  it('says what keeps it from Slack in the words of the network, in the log and at /readyz', async ({ open }) => {
    const site = await open({ expected: /Slack cannot be reached/ });
    const nobody = await startTcpProxy();
    await nobody.close();
    const bot = site.launch({ SLACK_API_URL: `http://127.0.0.1:${nobody.port}/api/` });
    const { msg } = await bot.line(({ level }) => level === 'error');
    expect(msg).toBe('Slack cannot be reached (ECONNREFUSED)');
    await bot.until('/readyz', 503, 'ECONNREFUSED');
  });

  it.for(['auth.test', 'apps.connections.open'])(
    'recovers by itself from one invalid_auth of %s',
    async (method, { open }) => {
      const site = await open({ expected: /invalid_auth/ });
      const refusing = site.slack.faults.add(method, { kind: 'error', code: 'invalid_auth' });
      const bot = site.launch();
      await played(site, refusing);
      await bot.until('/readyz', 503, 'invalid_auth');
      await bot.ready();
      await answers(site);
    },
  );

  it.for([
    ['auth.test', 'token_revoked', 'SLACK_BOT_TOKEN'],
    ['auth.test', 'account_inactive', 'SLACK_BOT_TOKEN'],
    ['apps.connections.open', 'token_revoked', 'SLACK_APP_TOKEN'],
  ])(
    'says in one clear line that %s is always refused (%s), is not ready, and does not ask on and on',
    async ([method = '', code = '', key = ''], { open }) => {
      const site = await open({ expected: new RegExp(code) });
      const refusing = site.slack.faults.add(method, { kind: 'error', code }, { times: Infinity });
      const bot = site.launch();
      await played(site, refusing, 2);
      await sleep(WATCHED_MS);
      await bot.until('/readyz', 503, code);
      expect((await bot.get('/healthz')).status).toBe(200);
      const errors = bot.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg);
      expect(errors).toEqual([expect.stringContaining(key)]);
      expect(site.slack.callsTo(method).length).toBeLessThanOrEqual(TRIES_AT_MOST);
      expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );

  it('is not ready between two connections, and ready after each kind of parting', async ({ open }) => {
    const site = await open({ expected: /WebSocket error/ });
    const bot = await site.start();
    const partings: readonly [string, () => void][] = [
      ['dropped', () => site.slack.sockets.drop()],
      ['refresh', () => site.slack.sockets.disconnect('refresh_requested')],
      ['warning', () => site.slack.sockets.disconnect('warning')],
    ];
    for (const [, part] of partings) {
      // Held up, so that being away can be seen.
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      const held = site.slack.faults.add('apps.connections.open', { kind: 'hold', until });
      part();
      await played(site, held);
      expect((await bot.get('/readyz')).status).toBe(503);
      release();
      await bot.ready();
      await answers(site);
    }
  });

  it('does not hammer Slack when each connection dies right after its hello', async ({ open }) => {
    const site = await open({ expected: /WebSocket error|Slack cannot be reached/ });
    const dying = site.slack.on((event: SlackEvent) => {
      if (event.type === 'socket_opened') setImmediate(() => site.slack.sockets.drop());
    });
    const bot = site.launch();
    await bot.line('connected to Slack');
    await sleep(WATCHED_MS);
    expect(site.slack.callsTo('apps.connections.open').length).toBeLessThanOrEqual(TRIES_AT_MOST);
    dying();
    await bot.ready();
    await answers(site);
  });

  it('is told too many connections without a hot loop', async ({ open }) => {
    const site = await open({ expected: /Slack cannot be reached|WebSocket error/ });
    const refusing = site.slack.on((event: SlackEvent) => {
      if (event.type === 'socket_opened') site.slack.sockets.disconnect('too_many_websockets');
    });
    const bot = site.launch();
    await bot.line('listening');
    await sleep(WATCHED_MS);
    expect(site.slack.callsTo('apps.connections.open').length).toBeLessThanOrEqual(TRIES_AT_MOST);
    refusing();
    await bot.ready();
  });
});

async function answers(site: Site): Promise<void> {
  const viewer = site.slack.as(BUYER);
  const before = viewer.screen.ephemerals.length;
  await viewer.command('/proxy', 'balance');
  await viewer.waitFor((screen) => screen.ephemerals.length > before);
}
