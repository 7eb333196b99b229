import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { closedPort, type Misbehaviour } from '../../sandbox/vendor-api/index.ts';
import { type BotProcess, type Environment, run } from '../support/bot.ts';
import { BUYER, LEAD, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, lineOf } from '../support/site-steps.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { countOf, findLeaks, formsOf, type Output, type Secret } from './leaks.ts';

const LOGIN = randomBytes(16).toString('hex');
const ECHOES = ['raw', 'url', 'base64', 'json', 'html', 'hex'] as const;

describe.concurrent('no secret leaves the program', () => {
  it('whatever breaks, at debug level: not in its output, its files, what it serves or what others receive', async ({
    open,
  }) => {
    const { secrets, site, wire, trap } = await openCanary(open);
    const bot = await site.start();
    await breakBalance(site, trap);
    await breakPurchases(site);
    const id = await file(site, 'CA 1');
    site.vendor.next('create', { name: 'hold', answer: { name: 'echo_token' } });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.held > 0);
    await breakSlack(site);
    const served = await pages(bot);
    await bot.end('SIGKILL');
    site.letTimePass();
    const second = await site.start();
    await site.untilLedger((lines) => lines.find((line) => line.id === id)?.state === 'unknown');
    await second.end('SIGTERM');

    const ledger = await Promise.all(
      [['list', '--json'], ['export'], ['show', id], ['show', '--json', id]].map((args) => site.ledgerCommand(...args)),
    );
    const outputs: readonly Output[] = [
      ...printed(bot, 'the first process'),
      ...printed(second, 'the second process'),
      ...files(site.folder),
      ...served,
      { name: 'the ledger command', bytes: ledger.join('\n') },
      ...slackSaw(site),
    ];
    expect(findLeaks(secrets, outputs)).toEqual([]);
    expectEachAtHome(site, wire);
    expect(trap.connections).toBe(0);
    await Promise.all([wire.close(), trap.close()]);
    // The log is not clean for being empty.
    expect(bot.lines.map(({ msg }) => msg)).toContain('answered');
    // Proxy logins in an answer are kept in the ledger, and go nowhere by themselves.
    expect(
      findLeaks(
        [{ name: 'the login', value: LOGIN }],
        [...printed(bot, 'the first process'), ...served, ...slackSaw(site)],
      ),
    ).toEqual([]);
  });

  it('when the vendor cannot be reached at all', async ({ open }) => {
    const { secrets, site, wire, trap } = await openCanary(open);
    for (const PROXY_API_BASE_URL of [
      await closedPort(),
      'https://no-such-host.invalid/api',
      `https://127.0.0.1:${trap.port}`,
    ]) {
      const bot = await site.start({ PROXY_API_BASE_URL, PROXY_API_TIMEOUT_MS: '800' });
      const viewer = site.slack.as(BUYER);
      const before = viewer.screen.ephemerals.length;
      await viewer.command('/proxy', 'balance');
      await viewer.waitFor((screen) => screen.ephemerals.length > before);
      expect(site.slack.as(BUYER).read(viewer.screen.ephemerals[before] as never)).toContain('could not be read');
      const served = await pages(bot);
      await bot.end('SIGTERM');
      expect(
        findLeaks(secrets, [...printed(bot, PROXY_API_BASE_URL), ...files(site.folder), ...served, ...slackSaw(site)]),
      ).toEqual([]);
    }
    // What arrived there was the beginning of a handshake.
    expect(findLeaks(secrets, [{ name: 'another server', bytes: trap.received }])).toEqual([]);
    expectEachAtHome(site, wire);
    await Promise.all([wire.close(), trap.close()]);
  });

  it('over HTTP: the signing secret stays inside, and what is not signed with it is refused', async ({ open }) => {
    const { secrets, site, wire, trap } = await openCanary(open);
    const { signingSecret } = site.slack.tokens;
    const bot = await site.start({ SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: signingSecret });
    const { port } = await bot.line('listening');
    site.slack.deliverTo(`http://127.0.0.1:${String(port)}/slack/events`);
    const forged = [
      { body: 'payload=%7B%7D', signature: 'wrong' as const },
      { body: 'payload=%7B%7D', signature: null },
      { body: 'payload=%7B%7D', signature: `v0=${signingSecret}` },
      { body: 'payload=%7B%7D', skewSeconds: -600 },
      { body: 'payload=%7B%7D', skewSeconds: 600 },
    ];
    for (const forgery of forged) expect((await site.slack.forge(forgery)).status).toBe(401);
    const id = await file(site, 'MX 1');
    await approve(site, id);
    await site.untilLedger(([line]) => line?.state === 'completed');
    const served = await pages(bot);
    await bot.end('SIGTERM');
    // One forgery carried it in: the answer and the log must not carry it out.
    expect(
      findLeaks(secrets, [...printed(bot, 'HTTP mode'), ...files(site.folder), ...served, ...slackSaw(site)]),
    ).toEqual([]);
    await Promise.all([wire.close(), trap.close()]);
  });

  it('when it refuses to start: malformed tokens, a wrong database, a broken policy, a damaged ledger', async ({
    open,
  }) => {
    const { secrets, site, wire, trap } = await openCanary(open);
    const [token, bot, app] = [value(secrets, 'vendor'), value(secrets, 'bot'), value(secrets, 'app')];
    const password = randomBytes(16).toString('hex');
    const known: readonly Secret[] = [...secrets, { name: 'the password', value: password }];
    const policies: Record<string, string> = {
      'no-yaml.yml': `access: { buy: [${bot}\n  - "${token}`,
      'wrong.yml': `access: { buy: [${bot}], approve: "${token}" }\napprovals: { channel: ${app} }\nplans: ${token}\nlimits: { ips_per_order: ${token} }\n`,
    };
    for (const [name, text] of Object.entries(policies)) writeFileSync(join(site.folder, name), text);
    writeFileSync(join(site.folder, 'damaged.db'), `${token} `.repeat(200));
    // One start names all that is wrong with settings and policy.
    const starts: readonly Environment[] = [
      {
        PROXY_API_TOKEN: `${token}\nX`,
        SLACK_BOT_TOKEN: app,
        SLACK_APP_TOKEN: bot,
        PROXY_API_BASE_URL: `https://user:${token}@vendor.example/`,
        DATABASE_URL: `postgres//desk:${password}@`,
        POLICY_FILE: 'no-yaml.yml',
      },
      {
        PROXY_API_TOKEN: ` ${token}`,
        SLACK_BOT_TOKEN: `"${bot}"`,
        SLACK_APP_TOKEN: `${app} `,
        PROXY_API_BASE_URL: `http://vendor.example/?token=${token}`,
        PORT: token,
        LOG_LEVEL: bot,
        PROXY_API_TIMEOUT_MS: token,
        POLICY_FILE: 'wrong.yml',
      },
      { PROXY_API_TOKEN: '', PROXY_API_TOKEN_FILE: `/no/such/${password}` },
      { DATABASE_URL: `postgres://desk:${password}@127.0.0.1:1/desk?sslmode=require` },
      { DATABASE_URL: 'sqlite:./damaged.db' },
    ];
    const ends = await Promise.all(starts.map((env) => run({ env: { ...site.env, ...env }, cwd: site.folder })));
    for (const [index, { code, stderr }] of ends.entries()) {
      expect(code).not.toBe(0);
      const wrong = Object.entries(starts[index] ?? {}).flatMap(([key, is]) => (is === '' ? [] : key));
      for (const key of wrong.filter((key) => key !== 'POLICY_FILE'))
        expect(stderr).toMatch(new RegExp(`^${key} `, 'm'));
    }
    expect(
      findLeaks(
        known,
        ends.flatMap(({ stdout, stderr }, index) => [
          { name: `stdout of start ${index}`, bytes: stdout },
          { name: `stderr of start ${index}`, bytes: stderr },
        ]),
      ),
    ).toEqual([]);
    await Promise.all([wire.close(), trap.close()]);
  });
});

async function openCanary(
  open: (options?: Parameters<typeof import('../support/site.ts').openSite>[0]) => Promise<Site>,
) {
  const random = () => randomBytes(18).toString('hex');
  // With marks that look different once escaped or encoded.
  const vendorToken = `${random()}/+"${random()}`;
  const tokens = { bot: `xoxb-${random()}`, app: `xapp-1-${random()}`, signingSecret: random() };
  const site = await open({
    vendor: { token: vendorToken },
    slack: { tokens },
    env: { LOG_LEVEL: 'debug', PROXY_API_TIMEOUT_MS: '1500' },
    expected: /./,
  });
  const wire = await startTcpProxy();
  const trap = await startTcpProxy();
  const secrets: readonly Secret[] = [
    { name: 'vendor', value: vendorToken },
    { name: 'bot', value: tokens.bot },
    { name: 'app', value: tokens.app },
    { name: 'signing', value: tokens.signingSecret },
  ];
  Object.assign(site.env, { SLACK_API_URL: wire.through(site.slack.apiUrl) });
  return { secrets, site, wire, trap };
}

async function breakBalance(site: Site, trap: TcpProxy): Promise<void> {
  const elsewhere = `http://127.0.0.1:${trap.port}/v2/balance`;
  const token = site.vendor.token;
  const faults: readonly Misbehaviour[] = [
    ...ECHOES.map((form) => ({ name: 'echo_token' as const, form, before: 'a'.repeat(ECHOES.indexOf(form) % 3) })),
    { name: 'refuse', code: 401, status: 401, message: `bad token ${token}` },
    { name: 'refuse', code: 403, status: 403, message: token },
    { name: 'redirect', location: elsewhere },
    { name: 'redirect', status: 302, location: `${elsewhere}?token=${encodeURIComponent(token)}` },
    { name: 'garbage', text: `HTTP/1.1 200 ${token}\r\nbad header ${token}\r\n\r\n` },
    { name: 'answer', status: 500, headers: { 'x-token': token, 'retry-after': '99' }, body: `<h1>${token}</h1>` },
    { name: 'answer', body: `{"code":200,"data":{"balance":"${encodeURIComponent(token)}"}}` },
    { name: 'reset_mid_answer' },
  ];
  const viewer = site.slack.as(BUYER);
  for (const fault of faults) {
    site.vendor.always('balance', fault);
    const before = viewer.screen.ephemerals.length;
    await viewer.command('/proxy', 'balance');
    await viewer.waitFor((screen) => screen.ephemerals.length > before);
  }
  site.vendor.behave();
  const lead = site.slack.as(LEAD);
  await lead.waitFor(/401/);
  await lead.command('/proxy', 'unfreeze');
  await lead.waitFor((screen) => screen.ephemerals.length > 0);
}

async function breakPurchases(site: Site): Promise<void> {
  const { token } = site.vendor;
  const faults: readonly Misbehaviour[] = [
    { name: 'echo_token', form: 'raw' },
    { name: 'echo_token', form: 'base64', before: 'x', code: 200, charge: true },
    { name: 'answer', status: 502, body: `<pre>Authorization: Bearer ${token}</pre>` },
    {
      name: 'answer',
      body: `{"code":200,"data":{"order_id":"${formsOf(token)['in hex']?.[0]}","echo":${JSON.stringify(token)},"password":"${LOGIN}"}}`,
      charge: true,
    },
    { name: 'garbage', text: `${token}\r\n${token}\r\n\r\n` },
  ];
  for (const [index, fault] of faults.entries()) {
    const id = await file(site, `BR ${index + 1}`);
    site.vendor.next('create', fault);
    await approve(site, id);
    await site.untilLedger((lines) =>
      lines.some((line) => line.id === id && ['completed', 'declined', 'unknown'].includes(line.state)),
    );
    expect((await lineOf(site, id)).state).not.toBe('sending');
  }
}

async function breakSlack(site: Site): Promise<void> {
  const { faults } = site.slack;
  faults.add('chat.postMessage', { kind: 'error', code: 'invalid_auth' });
  faults.add('chat.postMessage', { kind: 'status', status: 500 });
  faults.add('users.info', { kind: 'reset', when: 'before' });
  faults.add('usergroups.users.list', { kind: 'rate_limit', retryAfter: 1 });
  faults.add('views.open', { kind: 'error', code: 'expired_trigger_id' });
  faults.add('response_url', { kind: 'status', status: 500 });
  site.slack.settings.allowLateAck = true;
  const person = site.slack.as('U0LEAD2');
  await person.command('/proxy', 'balance');
  await person.command('/proxy', 'freeze because');
  await site.slack.as('U0BUYER2').command('/proxy', 'buy US 1');
  site.slack.sockets.raw('{"type":"events_api","envelope_id":"1","payload":{}}');
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const off = site.slack.on(({ type }) => type === 'socket_opened' && resolve());
  site.slack.sockets.drop();
  await again.finally(off);
  faults.clear();
}

async function pages(bot: BotProcess): Promise<readonly Output[]> {
  const paths = ['/healthz', '/readyz', '/metrics', '/', '/slack/events'];
  return Promise.all(paths.map(async (path) => ({ name: path, bytes: (await bot.get(path)).text })));
}

function printed(bot: BotProcess, name: string): readonly Output[] {
  return [
    { name: `stdout of ${name}`, bytes: bot.stdout },
    { name: `stderr of ${name}`, bytes: bot.stderr },
  ];
}

function files(folder: string): readonly Output[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ name: path, bytes: readFileSync(path) }));
}

/** Bodies of calls, and acknowledgements. Headers are looked at on the wire. */
function slackSaw(site: Site): readonly Output[] {
  return [
    { name: 'calls to Slack', bytes: site.slack.calls.map(({ rawBody }) => rawBody).join('\n') },
    { name: 'acknowledgements', bytes: JSON.stringify(site.slack.deliveries.map(({ ack }) => ack ?? null)) },
    { name: 'messages', bytes: JSON.stringify([site.slack.state.messages, site.slack.state.views]) },
  ];
}

/** Each token goes where it belongs, once a call, in the one header for it. */
function expectEachAtHome(site: Site, wire: TcpProxy): void {
  const { tokens } = site.slack;
  for (const { raw } of site.vendor.requests) {
    expect(countOf(raw, site.vendor.token)).toBe(1);
    expect(raw).toContain(`authorization: Bearer ${site.vendor.token}\r\n`);
    expect(
      findLeaks(
        [
          { name: 'bot', value: tokens.bot },
          { name: 'app', value: tokens.app },
        ],
        [{ name: 'a request to the vendor', bytes: raw }],
      ),
    ).toEqual([]);
  }
  const atSlack = wire.received;
  expect(
    findLeaks([{ name: 'vendor', value: site.vendor.token }], [{ name: 'the wire to Slack', bytes: atSlack }]),
  ).toEqual([]);
  for (const token of [tokens.bot, tokens.app])
    expect(countOf(atSlack, token)).toBe(
      atSlack.match(new RegExp(`^authorization: Bearer ${token}\r$`, 'gim'))?.length ?? 0,
    );
  expect(countOf(atSlack, tokens.app)).toBe(site.slack.callsTo('apps.connections.open').length);
}

function value(secrets: readonly Secret[], name: string): string {
  const secret = secrets.find((candidate) => candidate.name === name);
  if (!secret) throw new Error(`no secret ${name}`);
  return secret.value;
}
