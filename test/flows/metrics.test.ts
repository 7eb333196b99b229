import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { policyDigest } from '../../src/purchasing/model/policy-digest.ts';
import { BUYER, LEAD, type Office, openOffice, VIEWER } from '../support/office.ts';
import { approved, askFor, command, delivered, file, hears, until } from '../support/steps.ts';

describe('metrics', () => {
  it('tell purchases by state and kind, ages, what is owed and read, what runs, and the process', async () => {
    const office = await openOffice();
    await file(office, 'US 10');
    await approved(office, 'DE 10', 'completed');
    await delivered(office);
    office.clock.advance(60_000);
    const told = await scrape(office);
    expect(value(told, 'proxy_desk_purchases', { state: 'requested', kind: 'buy' })).toBe(1);
    expect(value(told, 'proxy_desk_purchases', { state: 'completed', kind: 'buy' })).toBe(1);
    expect(value(told, 'proxy_desk_purchases', { state: 'unknown', kind: 'renew' })).toBe(0);
    expect(value(told, 'proxy_desk_oldest_seconds', { of: 'requested' })).toBeGreaterThanOrEqual(60);
    for (const of of ['approved', 'sending', 'unknown', 'notice', 'reading'])
      expect(value(told, 'proxy_desk_oldest_seconds', { of }), of).toBeLessThan(60);
    for (const name of ['ready', 'writable', 'instances']) expect(value(told, `proxy_desk_${name}`), name).toBe(1);
    for (const name of ['frozen', 'instances_different']) expect(value(told, `proxy_desk_${name}`), name).toBe(0);
    expect(value(told, 'proxy_desk_build_info', { version: '0', policy: policyDigest(office.policy) })).toBe(1);
    expect(value(told, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('measure acks, and calls to Slack and the vendor, by their outcome', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'html' });
    await command(office, 'balance');
    await hears(office, BUYER, 'could not be read');
    office.slack.faults.add('chat.postMessage', { kind: 'error', code: 'internal_error' });
    await approved(office, 'DE 10', 'completed');
    office.slack.faults.add('views.open', { kind: 'error', code: 'expired_trigger_id' });
    await command(office, 'buy', VIEWER);
    await command(office, 'renew 123');
    const told = await until(async () => {
      const text = await scrape(office);
      return value(text, 'proxy_desk_slack_call_seconds_count', { method: 'views.open', outcome: 'refused' })
        ? text
        : null;
    });
    const count = (name: string, labels: Labels) => value(told, `proxy_desk_${name}_seconds_count`, labels);
    expect(count('ack', { kind: 'command', outcome: 'in_time' })).toBeGreaterThan(1);
    expect(count('ack', { kind: 'submit', outcome: 'in_time' })).toBeGreaterThan(1);
    expect(count('slack_call', { method: 'chat.postMessage', outcome: 'ok' })).toBeGreaterThan(0);
    expect(count('slack_call', { method: 'chat.postMessage', outcome: 'unreachable' })).toBe(1);
    expect(count('vendor_call', { call: 'balance', outcome: 'unread' })).toBe(1);
    expect(count('vendor_call', { call: 'balance', outcome: 'read' })).toBeGreaterThan(0);
    expect(count('vendor_call', { call: 'order', outcome: 'completed' })).toBe(1);
  });

  it('tell an ack that was late, and one that only says that something went wrong', async () => {
    const office = await openOffice();
    const person = await askFor(office, 'US 10');
    await office.books.database.write((sql) => sql.run('ALTER TABLE drafts RENAME TO elsewhere', {}));
    await person.submit('Ask for approval');
    await office.books.database.write((sql) => sql.run('ALTER TABLE elsewhere RENAME TO drafts', {}));
    expect(value(await scrape(office), 'proxy_desk_ack_seconds_count', { kind: 'submit', outcome: 'failed' })).toBe(1);
  });

  it('count requests whose signature or time is wrong, and no others', async () => {
    const office = await openOffice({ transport: 'http' });
    const delivery = await office.slack.as(BUYER).command('/proxy', 'help');
    const forged = { kind: 'slash_commands', body: delivery?.body ?? {} } as const;
    const refused = async (reason: string) =>
      value(await scrape(office), 'proxy_desk_signature_failures_total', { reason });
    expect([await refused('signature'), await refused('time')]).toEqual([0, 0]);
    await office.slack.forge({ ...forged, signature: 'wrong' });
    await office.slack.forge({ ...forged, skewSeconds: -600 });
    await until(async () => (await refused('signature')) === 1);
    expect(await refused('time')).toBe(1);
  });

  it('leave out what the ledger does not tell, and nothing else; and say that it cannot be written', async () => {
    const office = await openOffice();
    await office.books.database.write((sql) => sql.run('ALTER TABLE notices RENAME TO elsewhere', {}));
    await office.books.database.write((sql) =>
      sql.script(`CREATE TRIGGER full BEFORE UPDATE ON instances BEGIN SELECT RAISE(FAIL, 'disk full'); END`),
    );
    const told = await until(async () => {
      office.clock.advance(5_000);
      const text = await scrape(office);
      return value(text, 'proxy_desk_writable') === 0 ? text : null;
    });
    expect(told).not.toMatch(/^proxy_desk_(purchases|frozen|oldest_seconds)/m);
    expect(value(told, 'proxy_desk_ready')).toBe(0);
    expect(value(told, 'proxy_desk_slack_call_seconds_count', { method: 'auth.test', outcome: 'ok' })).toBeGreaterThan(
      0,
    );
    await office.books.database.write((sql) =>
      sql.script('DROP TRIGGER full; ALTER TABLE elsewhere RENAME TO notices'),
    );
  });

  it('ask the ledger once a second at most, however many scrape', async () => {
    const office = await openOffice();
    const first = await scrape(office);
    await file(office, 'US 10');
    office.clock.advance(1_000);
    const [one, two] = await Promise.all([scrape(office), scrape(office)]);
    const requested = (text: string) => value(text, 'proxy_desk_purchases', { state: 'requested', kind: 'buy' });
    expect([requested(first), requested(one), requested(two)]).toEqual([0, 1, 1]);
  });

  it('have a listener of their own where METRICS_PORT is given, which serves nothing else', async () => {
    const office = await openOffice({ metricsPort: 0 });
    const at = (port: number | null, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(async (answer) => [
        answer.status,
        answer.headers.get('content-type'),
      ]);
    const { port, metricsPort } = office.bot;
    expect(metricsPort).not.toBe(port);
    expect(await at(metricsPort, '/metrics')).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const path of ['/readyz', '/healthz', '/slack/events'])
      expect((await at(metricsPort, path))[0], path).toBe(404);
    expect((await at(port, '/metrics'))[0]).toBe(404);
    expect((await at(port, '/readyz'))[0]).toBe(200);
  });
});

describe('readings of the balance', () => {
  it('are counted before the first: an alert sees one that fails, also where none has ever been read', async () => {
    const exported = await scrape(await openOffice());
    const counted = (outcome: string) =>
      value(exported, 'proxy_desk_vendor_call_seconds_count', { call: 'balance', outcome });
    expect([counted('read'), counted('unread')]).toEqual([0, 0]);
  });
});

describe('what operators are given to watch', () => {
  const file_ = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

  it('alerts and dashboard name metrics and labels that are exported, and the list in the docs has them all', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'html' });
    await approved(office, 'DE 10', 'unknown');
    await command(office, 'balance', LEAD);
    const exported = await scrape(office);
    const { groups } = parse(file_('monitoring/alerts.yml')) as { groups: { rules: Record<string, unknown>[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    for (const rule of rules)
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^ProxyDesk/),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.stringMatching(/\.$|\?$/) },
      });
    const { panels } = JSON.parse(file_('monitoring/dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
    const expressions = [
      ...rules.map(({ expr }) => String(expr)),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    expect(expressions.flatMap((expression) => unknownIn(expression, exported))).toEqual([]);
    // The vendor that is away is asked once an hour by itself: what was counted in less tells nothing of it.
    const windows = expressions.flatMap((expression) =>
      Array.from(expression.matchAll(/outcome="(?:un)?read"\}\[(\d+)m\]/g), ([, minutes]) => Number(minutes)),
    );
    expect([windows.length, Math.min(...windows) > 60]).toEqual([2, true]);
    const families = exported.match(/(?<=^# TYPE )proxy_desk_\w+/gm) ?? [];
    expect(families.filter((name) => !file_('metrics.md').includes(`\`${name}\``))).toEqual([]);
  });
});

type Labels = Readonly<Record<string, string>>;

async function scrape({ bot }: Office): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${bot.metricsPort ?? bot.port}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The sample that has these labels; NaN where there is none. */
function value(text: string, name: string, labels: Labels = {}): number {
  const wanted = Object.entries(labels).map(([label, held]) => `${label}="${held}"`);
  const line = text
    .split('\n')
    .find((each) => /^[\w:]+/.exec(each)?.[0] === name && wanted.every((label) => each.includes(label)));
  return line === undefined ? Number.NaN : Number(line.split(' ').at(-1));
}

/** Metrics and labels of a PromQL expression that nothing exports, and values of labels that nothing speaks of. */
function unknownIn(expression: string, exported: string): string[] {
  const found: string[] = [];
  for (const [, name = '', selector = ''] of expression.matchAll(
    /\b((?:proxy_desk|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
  )) {
    const samples = exported.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    const family = name.replace(/_(?:bucket|count|sum)$/, '');
    const known = exported
      .split('\n')
      .filter((line) => line.startsWith(family) || line.startsWith(`# HELP ${family} `));
    if (samples.length === 0) found.push(name);
    for (const [, label = '', values = ''] of selector.matchAll(/(\w+)(?:=~|!=|=)"([^"]*)"/g)) {
      if (!samples.some((line) => line.includes(`${label}="`))) found.push(`${name}{${label}}`);
      found.push(...values.split('|').filter((held) => !known.some((line) => new RegExp(`\\b${held}\\b`).test(line))));
    }
  }
  return found.map((what) => `${what} in ${expression}`);
}
