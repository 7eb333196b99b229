import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { BUYER } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, connections, file, lineOf, openDecision, played, told } from '../support/site-steps.ts';

/** `docker stop` kills after so long; the promise is 3 s, and the machine may stand still for some. */
const DOCKER_WAITS_MS = 10_000;

/** A second signal that comes sooner belongs to the first. */
const SAME_STOP_MS = 3_000;

const CLEAN = { code: 0, signal: null };

describe.concurrent('a stop (SIGTERM)', () => {
  it('ends an idle process at once, with code 0, and readiness says so first', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const since = performance.now();
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - since).toBeLessThan(DOCKER_WAITS_MS);
    expect(bot.lines.at(-1)?.msg).toBe('stopped');
  });

  it('does not wait for Slack to end TCP: before whoever asked for the stop loses patience, it is over', async ({
    open,
  }) => {
    const site = await open({ slack: { settings: { keepTcpOpen: true } } });
    const bot = await site.start();
    site.slack.sockets.disconnect();
    await bot.until('/readyz', 200);
    const since = performance.now();
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - since).toBeLessThan(DOCKER_WAITS_MS);
  });

  it('waits for the vendor: the answer is recorded and told, then it ends with code 0', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const id = await file(site, 'US 31');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.held === 1);
    bot.send('SIGTERM');
    await bot.until('/readyz', 503, 'stopping');
    expect((await bot.get('/healthz')).status).toBe(200);
    expect((await lineOf(site, id)).state).toBe('sending');

    site.vendor.release();
    expect(await bot.exited).toEqual(CLEAN);
    expect(await lineOf(site, id)).toMatchObject({ state: 'completed', orderId: site.vendor.orders[0]?.id });
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
  });

  it('waits no longer than the deadline of the answer: unknown is recorded, then it ends with code 0', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start({ PROXY_API_TIMEOUT_MS: '1500' });
    const id = await file(site, 'US 32');
    site.vendor.next('create', { name: 'time_out' });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.posts === 1);
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);
    expect((await lineOf(site, id)).state).toBe('unknown');
    await told(site, id, { directs: [/unknown/, /unknown/], cards: [/unknown/, /It was placed/] });
  });

  it.for([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
    ['SIGQUIT', 'SIGQUIT'],
  ] as const)(
    'is one stop where two signals come together (%s, %s), as through npm and a supervisor',
    async ([first, second], { open }) => {
      const site = await open();
      const bot = await site.start();
      const id = await file(site, 'US 37');
      site.vendor.next('create', { name: 'hold' });
      await approve(site, id);
      await site.vendor.until(() => site.vendor.held === 1);
      bot.send(first);
      bot.send(second);
      await bot.line(({ msg }) => msg.startsWith('stopping: '));
      // Two equal ones may have come as one.
      bot.send(second);
      await bot.line(({ msg }) => msg.includes('the same stop'));
      await bot.until('/readyz', 503, 'stopping');
      site.vendor.release();
      expect(await bot.exited).toEqual(CLEAN);
      expect((await lineOf(site, id)).state).toBe('completed');
    },
  );

  it('asked for again after a while records unknown before the end, and the next start tells it', async ({ open }) => {
    const site = await open();
    const bot = await site.start({ PROXY_API_TIMEOUT_MS: '60000' });
    const id = await file(site, 'US 33');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.held === 1);
    bot.send('SIGTERM');
    await bot.line(({ msg }) => msg.startsWith('stopping: '));
    await sleep(SAME_STOP_MS + 100);
    bot.send('SIGTERM');
    expect(await bot.exited).toEqual({ code: 1, signal: null });
    expect((await lineOf(site, id)).state).toBe('unknown');

    site.letTimePass();
    await site.start();
    await told(site, id, { directs: [/unknown/, /unknown/], cards: [/unknown/, /It was placed/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('keeps a request whose click comes during the drain: it is still `requested`, and its card works at the next start', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const first = await file(site, 'US 34');
    const second = await file(site, 'US 35');
    const lead = await openDecision(site, second, 'Approve');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, first, 'U0LEAD2');
    await site.vendor.until(() => site.vendor.held === 1);
    bot.send('SIGTERM');
    await bot.until('/readyz', 503, 'stopping');
    await connections(site, 0);
    const { delivery } = await lead.submit('Approve');
    expect(delivery?.failure).toBe('dispatch_failed');
    site.vendor.release();
    expect(await bot.exited).toEqual(CLEAN);
    expect((await lineOf(site, first)).state).toBe('completed');
    expect((await lineOf(site, second)).state).toBe('requested');

    site.letTimePass();
    await site.start();
    await lead.submit('Approve');
    await told(site, second, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(2);
  });

  it('sends nothing new: what is approved waits for the next start', async ({ open }) => {
    const site = await open();
    const first = await site.start();
    const id = await file(site, 'US 36');
    site.vendor.always('balance', { name: 'hold' });
    await approve(site, id);
    await site.untilLedger(([line]) => line?.state === 'approved');
    await first.end('SIGKILL');
    site.vendor.behave();
    site.letTimePass();

    // Stopped while it asks Slack who it is: the answer comes when it must not begin any more.
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const held = site.slack.faults.add('auth.test', { kind: 'hold', until });
    const second = site.launch();
    await played(site, held);
    second.send('SIGTERM');
    await second.line(({ msg }) => msg.startsWith('stopping: '));
    release();
    expect(await second.exited).toEqual(CLEAN);
    expect(site.vendor.posts).toBe(0);
    expect((await lineOf(site, id)).state).toBe('approved');

    await site.start();
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
  });

  it('reaches the process through npm start', async ({ open }) => {
    const site = await open({ expected: /"level":"none"|env not found/ });
    const bot = site.launch(
      { DATABASE_URL: `sqlite:${site.databaseFile}`, POLICY_FILE: `${site.folder}/policy.yml` },
      { command: ['npm', 'start'], cwd: fileURLToPath(new URL('../..', import.meta.url)) },
    );
    await bot.ready();
    bot.send('SIGTERM');
    await bot.line('stopped');
    expect(await bot.exited).toEqual(CLEAN);
  });

  it('is not what Slack can cause: frames that its library cannot read end nothing', async ({ open }) => {
    const site = await open({ expected: /could not read a frame|could not process|WebSocket error/ });
    const bot = await site.start();
    for (const frame of [
      '{"type":"events_api","envelope_id":"1","payload":{}}',
      '{"type":"events_api","envelope_id":"2"}',
      '{"type":"interactive","envelope_id":"3","payload":null}',
      '{"type":"slash_commands","envelope_id":"4","payload":{"command":5}}',
      '{"type":"interactive","envelope_id":"5","payload":{"type":"block_actions","actions":[]}}',
      '{"type":"error","envelope_id":"6"}',
      '{"type":"__proto__"}',
      '{"type":5}',
      '{}',
      'null',
      '[]',
      '"text"',
      'no JSON',
      '',
    ])
      site.slack.sockets.raw(frame);
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'balance');
    await buyer.waitFor('$1,000.00');
    expect(bot.running).toBe(true);
    site.slack.takeViolations();
  });
});
