import { describe, expect, it } from 'vitest';
import { afterwards } from '../support/afterwards.ts';
import { BUYER, type Office, openOffice } from '../support/office.ts';
import {
  askFor,
  command,
  dmWith,
  faultGroups,
  hears,
  logged,
  modalText,
  reaches,
  submitted,
  until,
} from '../support/steps.ts';

describe('Slack’s connection', () => {
  it.each([
    ['is refreshed', 'disconnect'],
    ['is cut', 'drop'],
  ] as const)('that %s during a purchase changes nothing about it, and the bot is back by itself', async (_, how) => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const { id } = await submitted(office, await askFor(office, 'US 5'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    office.slack.sockets[how]();
    office.vendor.release();
    await reaches(office, id, 'completed');
    await dmWith(office, BUYER, 'Bought');
    await until(() => office.slack.sockets.count() === 1);
    await command(office, 'orders');
    await hears(office, BUYER, 'US 5');
    expect(office.vendor.posts).toBe(1);
  });

  it('that loses a submission files nothing, and the same view can be submitted again', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    office.slack.settings.ackLimitMs = 200;
    office.slack.settings.allowLateAck = true;
    office.slack.sockets.loseNext();
    const { delivery } = await bea.submit('Buy now');
    expect(delivery?.failure).toBe('operation_timeout');
    expect(modalText(bea)).toContain('trouble connecting');
    expect(await office.records()).toEqual([]);
    office.slack.settings.ackLimitMs = 3_000;
    const { id } = await submitted(office, bea, 'Buy now');
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('whose answer to a submission is lost leads to the same purchase when it is submitted once more', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    const view = bea.screen.modal;
    if (!view) throw new Error('no review');
    const { body, kind, type, user } = await office.slack.interactions.submit(view);
    const again = await office.slack.deliver({ kind, type, user, body });
    expect(JSON.stringify(again.ack)).toContain('Filed: Buy 5 IPs');
    const [record] = await office.records();
    await reaches(office, record?.purchase.id ?? '', 'completed');
    expect(await office.records()).toHaveLength(1);
    expect(office.vendor.posts).toBe(1);
  });
});

describe('a refresh of Slack’s connection', () => {
  it.each([
    ['warning', false],
    ['refresh_requested', false],
    ['refresh_requested', true],
  ])(
    '(%s, TCP left open: %s) loses no click: the next connection stands before the old one goes',
    async (reason, keepTcpOpen) => {
      const office = await openOffice();
      office.slack.settings.keepTcpOpen = keepTcpOpen;
      const happened = connections(office);
      const asked = office.slack.faults.add('apps.connections.open', { kind: 'delay', ms: 300 });
      office.slack.sockets.disconnect(reason, { stillTakes: true });
      await until(() => asked.hits > 0);
      await served(office);
      await connectedAgain(office);
      for (let clicks = 0; clicks < 4; clicks += 1) await served(office);
      expect(happened).not.toContain('closed');
      office.clock.advance(15_000);
      await until(() => happened.includes('closed'));
      for (let clicks = 0; clicks < 4; clicks += 1) await served(office);
      expect(happened.filter((what) => what !== 'acked')).toEqual(['opened', 'closed']);
      expect(office.slack.sockets.count()).toBe(1);
    },
  );

  it('acks a click by the connection that it came by, although its work outlasts the refresh', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    const slow = faultGroups(office, { kind: 'delay', ms: 700 });
    const happened = connections(office);
    const submitting = bea.submit('Buy now');
    await until(() => slow.hits > 0);
    office.slack.sockets.disconnect();
    await connectedAgain(office);
    office.clock.advance(15_000);
    const { delivery } = await submitting;
    expect(delivery?.failure).toBeNull();
    await until(() => happened.includes('closed'));
    expect(happened).toEqual(['opened', 'acked', 'closed']);
  });

  it('in which Slack closes the old connection itself and leaves TCP open is no more than that', async () => {
    const office = await openOffice();
    office.slack.settings.keepTcpOpen = true;
    const happened = connections(office);
    const { close } = office.slack.sockets.disconnect('warning', { stillTakes: true });
    await until(() => happened.includes('opened'));
    close();
    await until(() => happened.includes('closed'));
    for (let clicks = 0; clicks < 3; clicks += 1) await served(office);
  });
});

describe('Slack’s connection that is lost', () => {
  it('by a goodbye without a warning, with TCP left open, is noticed and replaced', async () => {
    const office = await openOffice();
    office.slack.settings.keepTcpOpen = true;
    const happened = connections(office);
    office.slack.sockets.hangUp();
    await until(() => happened.includes('opened'));
    await served(office);
  });

  it('is asked for as seldom as Slack says, and once at a time', async () => {
    const office = await openOffice();
    const asked = () => office.slack.callsTo('apps.connections.open').length;
    const before = asked();
    const told = office.slack.faults.add('apps.connections.open', { kind: 'rate_limit', retryAfter: 3_600 });
    office.slack.sockets.drop();
    await until(() => told.hits > 0);
    await logged(office, 'rate_limited');
    for (let minutes = 1; minutes < 60; minutes += 1) office.clock.advance(60_000);
    await bot(office, 503);
    expect(asked()).toBe(before + 1);
    office.clock.advance(61_000);
    await bot(office, 200);
    await served(office);
    expect(asked()).toBe(before + 2);
  });

  it.each([
    ['too_many_websockets', 'more than 10 connections'],
    ['link_disabled', 'Socket Mode is switched off'],
  ])('because of what a person has to mend (%s) is warned of, with the remedy', async (reason, words) => {
    const office = await openOffice();
    office.slack.sockets.disconnect(reason);
    const line = await logged(office, words);
    expect(line).toMatchObject({ level: 'warn', fields: { why: reason } });
    await connectedAgain(office);
    await served(office);
  });

  it('says why no other is given where the app has too many already, and connects as soon as one has gone', async () => {
    const office = await openOffice();
    const others = await Promise.all(Array.from({ length: 9 }, () => anotherConnection(office)));
    office.slack.sockets.disconnect('refresh_requested', { stillTakes: true });
    const line = await logged(office, 'too_many_websockets');
    expect(line).toMatchObject({ level: 'error', message: expect.stringContaining('end copies of the bot') });
    expect(office.slack.takeViolations()).toMatchObject([{ what: 'too_many_websockets' }]);
    for (const other of others) other.close();
    await until(() => office.slack.sockets.count() === 1);
    office.clock.advance(60_000);
    await connectedAgain(office);
  });

  it('does not lose the ack of a click that came by it: that goes by the next one', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    const happened = connections(office);
    const slow = faultGroups(office, { kind: 'delay', ms: 500 });
    office.slack.faults.add('apps.connections.open', { kind: 'delay', ms: 1_000 });
    const submitting = bea.submit('Buy now');
    await until(() => slow.hits > 0);
    office.slack.sockets.drop();
    const { delivery } = await submitting;
    expect(delivery?.failure).toBeNull();
    expect(happened).toEqual(['closed', 'opened', 'acked']);
  });
});

/** What comes and goes from now on, in its order. */
function connections(office: Office): string[] {
  const happened: string[] = [];
  office.slack.on(({ type }) => {
    if (type === 'socket_opened') happened.push('opened');
    if (type === 'socket_closed') happened.push('closed');
    if (type === 'delivery_settled') happened.push('acked');
  });
  return happened;
}

/** As another copy of the bot holds one. */
async function anotherConnection({ config, slack }: Office): Promise<WebSocket> {
  if (config.slack.mode !== 'socket') throw new Error('not in Socket Mode');
  const headers = { authorization: `Bearer ${config.slack.appToken}` };
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  const { url } = (await answer.json()) as { readonly url: string };
  const socket = new WebSocket(url);
  afterwards(() => socket.close());
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  return socket;
}

function connectedAgain(office: Office): Promise<unknown> {
  return until(() => office.lines.filter(({ message }) => message === 'connected to Slack').length > 1);
}

async function served(office: Office): Promise<void> {
  const delivery = await office.slack.as(BUYER).command('/proxy', 'help');
  expect(delivery?.failure).toBeNull();
}

/** Asks the bot's readiness, after everything that was under way has had its turn. */
async function bot(office: Office, status: number): Promise<void> {
  await until(async () => (await fetch(`http://127.0.0.1:${office.bot.port}/readyz`)).status === status);
}
