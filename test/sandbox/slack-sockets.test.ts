import { once } from 'node:events';
import { SocketModeReceiver } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startWorld();
});
afterEach(() => slack.close());

async function connect(): Promise<WebSocket> {
  const { url } = await call(slack, 'apps.connections.open', {}, slack.tokens.app);
  const socket = new WebSocket(String(url));
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  return socket;
}

describe('keepTcpOpen', () => {
  const hangUp = async () => {
    const socket = await connect();
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
    await closed;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
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
