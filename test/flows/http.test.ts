import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import { askFor, decide, file, logged, modalText, openDecision, privately, reaches } from '../support/steps.ts';

describe('over HTTP', () => {
  it.each([
    ['signed with another secret', { signature: 'wrong' }, 401],
    ['not signed', { signature: null }, 401],
    ['signed with nonsense', { signature: 'v0=abc' }, 401],
    ['older than five minutes', { skewSeconds: -301 }, 401],
    ['from the future', { skewSeconds: 600 }, 401],
    ['without a timestamp that is a number', { headers: { 'x-slack-request-timestamp': 'soon' } }, 401],
  ] as const)('a request that is %s does nothing', async (_, forgery, status) => {
    const office = await openOffice({ transport: 'http' });
    const { body } = await aCommand(office);
    const said = () => office.lines.some(({ message }) => message.includes('SLACK_SIGNING_SECRET'));
    expect(said()).toBe(false);
    const answer = await office.slack.forge({ kind: 'slash_commands', body, ...forgery });
    // Only where the secret may be the wrong one.
    expect(said()).toBe('signature' in forgery && forgery.signature !== null);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('proxy');
    expect(privately(office, BUYER)).toHaveLength(1);
  });

  it('a wrong clock is named in the log', async () => {
    const office = await openOffice({ transport: 'http' });
    const { body } = await aCommand(office);
    await office.slack.forge({ kind: 'slash_commands', body, skewSeconds: -600 });
    await logged(office, 'clock');
  });

  it('a submission that is replayed files and decides nothing twice', async () => {
    const office = await openOffice({ transport: 'http' });
    const bea = await askFor(office, 'US 3');
    const { delivery } = await bea.submit('Buy now');
    if (!delivery) throw new Error('nothing was sent');
    const replayed = await Promise.all([1, 2, 3].map(() => office.slack.forge({ body: delivery.body })));
    expect(replayed.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [record] = await office.records();
    await reaches(office, record?.purchase.id ?? '', 'completed');

    const id = await file(office, 'DE 10');
    const lea = await openDecision(office, id, 'Approve');
    const approval = await lea.submit('Approve');
    await Promise.all([1, 2].map(() => office.slack.forge({ body: approval.delivery?.body ?? {} })));
    await reaches(office, id, 'completed');
    await office.slack.forge({ body: approval.delivery?.body ?? {} });
    expect(await office.records()).toHaveLength(2);
    expect(office.vendor.posts).toBe(2);
  });

  it('a command that is replayed opens nothing more, and nobody is told that the form has not opened', async () => {
    const office = await openOffice({ transport: 'http' });
    const bea = office.slack.as(BUYER);
    const first = await bea.command('/proxy', 'buy US 1');
    await bea.waitFor('Buy proxies');
    const { status } = await office.slack.forge({ kind: 'slash_commands', body: first?.body ?? {} });
    expect(status).toBe(200);
    await logged(office, 'its view stands already');
    expect(office.slack.takeViolations().map(({ what }) => what)).toEqual(['exchanged_trigger_id']);
    expect(modalText(bea)).toContain('Quantity: 1');
    expect([...bea.screen.ephemerals, ...bea.screen.dm]).toEqual([]);
  });

  it.each([
    ['JSON that is none', 'application/json', '{"a":'],
    ['a payload that is none', 'application/x-www-form-urlencoded', 'payload=%7B%22type'],
    ['text', 'text/plain', 'hello'],
  ])('%s is refused, and others are served', async (_, contentType, body) => {
    const office = await openOffice({ transport: 'http' });
    const { status, text } = await office.slack.forge({ body, contentType });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toMatch(/at .*\.[jt]s/);
    await aCommand(office);
  });

  it('a body beyond any that Slack sends is refused', async () => {
    const office = await openOffice({ transport: 'http' });
    const status = await office.slack
      .forge({ body: `payload=${'x'.repeat(5_000_000)}` })
      .then((answer) => answer.status)
      .catch(() => 413);
    expect(status).toBe(413);
    await aCommand(office);
  });

  it('keeps an idle connection longer than a balancer does, and closes it at once when it stops', async () => {
    const office = await openOffice({ transport: 'http' });
    const agent = new Agent({ keepAlive: true });
    const asked = get({ host: '127.0.0.1', port: office.bot.port, path: '/healthz', agent });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers['keep-alive']).toBe('timeout=75');
    const { socket } = answer;
    answer.resume();
    await once(answer, 'end');
    const closed = once(socket, 'close');
    await office.bot.stop();
    await closed;
    agent.destroy();
  });

  it('answers elsewhere only what is meant for probes', async () => {
    const office = await openOffice({ transport: 'http' });
    const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${office.bot.port}${path}`, init);
    expect((await at('/healthz')).status).toBe(200);
    expect((await at('/readyz')).status).toBe(200);
    const metrics = await (await at('/metrics')).text();
    expect(metrics).not.toContain(office.vendor.token);
    for (const [path, method] of [
      ['/', 'GET'],
      ['/slack/events', 'GET'],
      ['/slack/install', 'GET'],
      ['/healthz', 'POST'],
    ] as const)
      expect((await at(path, { method })).status, path).toBe(404);
    const id = await file(office, 'US 10');
    await decide(office, id, 'Reject', LEAD);
    await reaches(office, id, 'rejected');
  });
});

/** A command that works, as Slack delivered it. */
async function aCommand(office: Office) {
  const delivery = await office.slack.as(BUYER).command('/proxy', 'help');
  if (!delivery || delivery.failure) throw new Error('the command failed');
  return delivery;
}
