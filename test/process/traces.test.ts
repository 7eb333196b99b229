import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { closedPort } from '../../sandbox/vendor-api/index.ts';
import { MAIN } from '../support/bot.ts';
import { attributesOf, type Collector, type Span, startCollector } from '../support/collector.ts';
import { loadedByBot } from '../support/loaded.ts';
import { BUYER, LEAD } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, lineOf } from '../support/site-steps.ts';
import { findLeaks } from './leaks.ts';

const CLEAN = { code: 0, signal: null };

/** The promise is 3 s for the whole stop; the machine may stand still for some. */
const STOPS_WITHIN_MS = 10_000;

const HEADER = 'collector-key-0123456789abcdef';

function told(collector: Collector, how: Record<string, string> = {}): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...how };
}

describe.concurrent('traces', () => {
  it('tell of a purchase from the click to the POST, by its id, and never who, what was typed, or a secret', async ({
    open,
  }) => {
    await using collector = await startCollector();
    const site = await open();
    const bot = await site.start(
      told(collector, {
        OTEL_SERVICE_NAME: 'desk-of-ours',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${HEADER}`,
      }),
    );
    const id = await file(site, 'US 10');
    await approve(site, id);
    await site.untilLedger(([line]) => line?.state === 'completed');
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);

    expect(collector.resource).toMatchObject({
      'service.name': 'desk-of-ours',
      'service.instance.id': bot.lines[0]?.['instance'],
      'deployment.environment.name': 'test',
    });
    expect(collector.requests[0]?.headers.authorization).toBe(`Bearer ${HEADER}`);
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));

    const { spans } = collector;
    const of = (span: Span) => ({ name: span.name, ...attributesOf(span) });
    const childrenOf = (parent: Span) => spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
    const parentOf = (child: Span | undefined) => spans.find(({ spanId }) => spanId === child?.parentSpanId);

    const post = spans.find(({ name }) => name === 'vendor POST /v2/orders/create');
    expect(post && attributesOf(post)).toEqual({
      'proxy_desk.purchase': id,
      'http.request.method': 'POST',
      'url.path': '/v2/orders/create',
      'http.response.status_code': 200,
      'proxy_desk.outcome': 'completed',
    });
    const sending = parentOf(post);
    expect(sending && of(sending)).toEqual({ name: 'worker send', 'proxy_desk.purchase': id });
    expect(sending && childrenOf(sending).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['slack users.info', 'vendor GET /v2/balance', 'ledger change']),
    );

    const filed = spans.find(({ name }) => name === 'ledger file');
    expect(of(parentOf(filed) as Span)).toMatchObject({
      'proxy_desk.click': 'submit',
      'proxy_desk.outcome': 'in_time',
      'proxy_desk.purchase': id,
    });
    const clicks = spans.filter(({ name }) => name.startsWith('click '));
    expect(clicks.map(({ name }) => name)).toContain('click /proxy');
    const opened = clicks.find((click) => childrenOf(click).some(({ name }) => name === 'slack views.open'));
    expect(opened && childrenOf(opened).some(({ name }) => name.startsWith('ledger '))).toBe(true);
    expect(spans.some(({ name }) => name === 'slack chat.postMessage')).toBe(true);
    // What merely looks whether there is something to do is no span.
    expect(spans.filter(({ name, parentSpanId }) => name.startsWith('ledger ') && !parentSpanId)).toEqual([]);
    expect(spans.filter((span) => span.name.startsWith('worker ') && childrenOf(span).length === 0)).toEqual([]);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(0n);

    const { tokens } = site.slack;
    const secrets = Object.entries({ ...tokens, vendor: site.vendor.token }).map(([name, value]) => ({ name, value }));
    const private_ = ['scraping the catalogue', BUYER, LEAD].map((value) => ({ name: value, value }));
    const received = collector.requests.map(({ body }, nth) => ({ name: `export ${nth}`, bytes: body }));
    expect(findLeaks([...secrets, ...private_], received)).toEqual([]);
    const printed = [{ name: 'its log', bytes: bot.stdout + bot.stderr }];
    expect(findLeaks([{ name: 'the header', value: HEADER }], printed)).toEqual([]);
  });

  it('are sent as protobuf where nothing else is said, and not at all where they are switched off or none is sampled', async ({
    open,
  }) => {
    await using collector = await startCollector();
    const site = await open();
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${collector.url}/somewhere`;
    const run = async (how: Record<string, string>) => {
      const before = collector.requests.length;
      const bot = await site.start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, ...how });
      await site.slack.as(BUYER).command('/proxy', 'balance');
      await site.slack.as(BUYER).waitFor((screen) => screen.ephemerals.length > 0);
      expect(await bot.end('SIGTERM')).toEqual(CLEAN);
      return collector.requests.slice(before);
    };
    const sent = await run({});
    expect(sent[0]).toMatchObject({ path: '/somewhere', headers: { 'content-type': 'application/x-protobuf' } });
    expect(sent.map(({ body }) => body.toString('latin1')).join()).toContain('click /proxy');
    expect(await run({ OTEL_SDK_DISABLED: 'true' })).toEqual([]);
    expect(await run({ OTEL_TRACES_EXPORTER: 'none' })).toEqual([]);
    expect(await run({ OTEL_TRACES_SAMPLER: 'always_off' })).toEqual([]);
    expect(await run({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })).toEqual([]);
  });

  it('are dropped where the collector hangs: the bot buys, and stops in time', async ({ open }) => {
    await using collector = await startCollector();
    collector.behaviour = 'hang';
    const site = await open();
    const bot = await site.start(told(collector, { OTEL_EXPORTER_OTLP_TIMEOUT: '60000' }));
    const id = await file(site, 'US 11');
    await approve(site, id);
    await site.untilLedger(([line]) => line?.state === 'completed');
    const since = performance.now();
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - since).toBeLessThan(STOPS_WITHIN_MS);
    expect(collector.requests.length).toBeGreaterThan(0);
    expect((await lineOf(site, id)).state).toBe('completed');
  });

  it('that are refused, or cannot be sent, are one line in the log, without what the collector says', async ({
    open,
  }) => {
    await using collector = await startCollector();
    collector.behaviour = 'refuse';
    const site = await open({ expected: /traces cannot be sent/ });
    for (const [endpoint, why] of [
      [collector.url, 403],
      [await closedPort(), 'ECONNREFUSED'],
    ] as const) {
      const at = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
      const bot = await site.start(told(collector, at));
      await site.slack.as(BUYER).command('/proxy', 'help');
      const line = await bot.line(({ msg }) => msg.startsWith('traces cannot be sent'));
      expect(line).toMatchObject({ level: 'warn', why });
      expect(await bot.end('SIGTERM')).toEqual(CLEAN);
      expect(bot.lines.filter(({ msg }) => msg.startsWith('traces'))).toHaveLength(1);
      expect(bot.stdout).not.toContain('not for you');
    }
  });

  it('load nothing of their own where nobody asks for them', async ({ open }) => {
    await using collector = await startCollector();
    const site = await open();
    const loaded = async (env: Record<string, string>) =>
      (await loadedByBot(site, { env, program: MAIN })).split('\n').filter(isOfTracing);
    expect(await loaded(told(collector))).not.toEqual([]);
    expect(await loaded({ OTEL_SERVICE_NAME: 'desk' })).toEqual([]);
  });
});

/** Where it was built, libraries stand in the program's own files. */
function isOfTracing(module: string): boolean {
  if (module.includes('/dist/')) return readFileSync(new URL(module), 'utf8').includes('BatchSpanProcessor: ');
  // prom-client brings the bare interface along.
  return /@opentelemetry\/(?!api\/)|runtime\/otel\.ts/.test(module);
}
