import { once } from 'node:events';
import { SocketModeReceiver } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let slack: LocalSlack;
beforeEach(async () => {
  // Whoever is not about lateness must not fail for a machine that stands still.
  slack = await startWorld({ settings: { ackLimitMs: 10_000 } });
});
afterEach(() => slack.close());

type Frame = Record<string, unknown>;

/** `got` is what came since the hello. Each envelope is acknowledged unless said otherwise. */
async function connect({ acks = true } = {}): Promise<{ socket: WebSocket; hello: Frame; got: Frame[] }> {
  const { url } = await call(slack, 'apps.connections.open', {}, slack.tokens.app);
  const socket = new WebSocket(String(url));
  const got: Frame[] = [];
  const { promise: greeted, resolve } = Promise.withResolvers<Frame>();
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame;
    if (frame['type'] === 'hello') return resolve(frame);
    got.push(frame);
    if (acks && frame['envelope_id']) socket.send(JSON.stringify({ envelope_id: frame['envelope_id'], payload: {} }));
  });
  return { socket, hello: await greeted, got };
}

describe('a refresh', () => {
  const press = () => slack.as('U1').command('/proxy');
  const types = (frames: Frame[]) => frames.map(({ type }) => type);

  test('clicks are spread over the connections of one app', async () => {
    const [{ got: first }, { got: second }] = [await connect(), await connect()];
    for (let i = 0; i < 4; i += 1) expect((await press())?.failure).toBeNull();
    expect([first.length, second.length]).toEqual([2, 2]);
  });

  test.each(['refresh_requested', 'warning'])('%s: the old connection stays, and gets nothing more', async (reason) => {
    const { socket, got: old } = await connect();
    slack.sockets.disconnect(reason);
    expect((await press())?.failure).toBe('dispatch_failed');
    const { got: young } = await connect();
    expect((await press())?.failure).toBeNull();
    expect(old).toMatchObject([{ type: 'disconnect', reason }]);
    expect(types(young)).toEqual(['slash_commands']);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test('stillTakes: the old connection gets its share until one side closes it', async () => {
    const { socket, got: old } = await connect();
    const { close } = slack.sockets.disconnect('warning', { stillTakes: true });
    expect((await press())?.failure).toBeNull();
    const { got: young } = await connect();
    await press();
    await press();
    expect([types(old), types(young)]).toEqual([
      ['disconnect', 'slash_commands', 'slash_commands'],
      ['slash_commands'],
    ]);
    const closed = once(socket, 'close');
    close();
    await closed;
    await press();
    expect([old.length, young.length, slack.sockets.count()]).toEqual([3, 2, 1]);
  });

  /** A click arrives on a connection that the app closes instead of acknowledging it. */
  async function caught() {
    const { socket } = await connect({ acks: false });
    const pressing = press();
    await once(socket, 'message');
    const closed = once(socket, 'close');
    socket.close(1000);
    await closed;
    return { pressing };
  }

  test('lost: the click that a closed connection had is not acknowledged by anybody', async () => {
    slack.settings.ackLimitMs = 60;
    slack.settings.allowLateAck = true;
    const { pressing } = await caught();
    const { got: young } = await connect();
    expect((await pressing)?.failure).toBe('operation_timeout');
    expect(young).toEqual([]);
  });

  test('redelivered: it comes again over the next connection, as the same envelope', async () => {
    slack.settings.unackedAtClose = 'redelivered';
    const { pressing } = await caught();
    const { got: young } = await connect();
    expect(await pressing).toMatchObject({ failure: null });
    expect(young).toMatchObject([{ type: 'slash_commands', retry_attempt: 1, retry_reason: 'timeout' }]);
    expect(young[0]?.['envelope_id']).toBe(slack.deliveries[0]?.envelopeId);
  });

  test('redelivered: but not once the person has been told that it failed', async () => {
    slack.settings.unackedAtClose = 'redelivered';
    slack.settings.ackLimitMs = 60;
    slack.settings.allowLateAck = true;
    const { pressing } = await caught();
    expect((await pressing)?.failure).toBe('operation_timeout');
    const { got: young } = await connect();
    await press();
    expect(young).toHaveLength(1);
  });
});

describe('keepTcpOpen', () => {
  const hangUp = async () => {
    const { socket } = await connect();
    const closed = once(socket, 'close');
    const left = new Promise<void>((resolve) => slack.on(({ type }) => type === 'socket_closed' && resolve()));
    socket.close(1000);
    await left;
    return { socket, closed };
  };

  test('off: the closing handshake ends TCP too', async () => {
    const { socket, closed } = await hangUp();
    await closed;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });

  test('on: the handshake is answered and gets nothing more, TCP ends only when released', async () => {
    slack.settings.keepTcpOpen = true;
    const { socket, closed } = await hangUp();
    expect(slack.sockets.count()).toBe(0);
    expect((await slack.as('U1').command('/proxy'))?.failure).toBe('dispatch_failed');
    expect(socket.readyState).toBe(WebSocket.CLOSING);
    slack.sockets.releaseTcp();
    expect(await closed).toMatchObject([{ code: 1000, wasClean: true }]);
  });

  test("on: Bolt's own client stays deaf until TCP ends", async () => {
    slack.settings.keepTcpOpen = true;
    const { client } = new SocketModeReceiver({
      appToken: slack.tokens.app,
      autoReconnectEnabled: false,
      installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
    });
    await client.start();
    let isOver = false;
    const over = client.disconnect().then(() => {
      isOver = true;
    });
    await new Promise<void>((resolve) => slack.on(({ type }) => type === 'socket_closed' && resolve()));
    // Another whole round trip: time enough for an answer that was on its way.
    await connect();
    expect(isOver).toBe(false);
    slack.sockets.releaseTcp();
    await over;
  });

  test('on: nothing is left of it when the local Slack closes', async () => {
    slack.settings.keepTcpOpen = true;
    const { closed } = await hangUp();
    await slack.close();
    await closed;
  });
});

test('an envelope that a dead connection swallows is a time-out', async () => {
  const { got } = await connect();
  Object.assign(slack.settings, { ackLimitMs: 50, allowLateAck: true });
  slack.sockets.loseNext();
  expect((await slack.as('U1').command('/proxy'))?.failure).toBe('operation_timeout');
  slack.settings.ackLimitMs = 10_000;
  expect((await slack.as('U1').command('/proxy'))?.failure).toBeNull();
  expect(got).toHaveLength(1);
  expect(slack.violations).toEqual([]);
});

test('an eleventh connection is told to go', async () => {
  for (let count = 1; count <= 10; count += 1)
    expect((await connect()).hello).toMatchObject({ num_connections: count });
  const { url } = await call(slack, 'apps.connections.open', {}, slack.tokens.app);
  const [{ data }] = (await once(new WebSocket(String(url)), 'message')) as [MessageEvent];
  expect(JSON.parse(String(data))).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
  expect(slack.sockets.count()).toBe(10);
  expect(slack.takeViolations()).toMatchObject([{ what: 'too_many_websockets' }]);
});
