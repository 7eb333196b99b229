import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { App } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import { type Running, startBolt, startWorld } from './slack-bolt.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(register: (app: App) => void): Promise<Running> {
  running = await startBolt('http', register);
  return running;
}

describe('saving the request URL', () => {
  /** An app that answers the challenge in its own way. */
  async function saved(answer: (challenge: string, res: ServerResponse) => void, ackLimitMs = 10_000) {
    const slack = await startWorld({ settings: { ackLimitMs } });
    const bodies: Record<string, string>[] = [];
    const server = createServer((req, res) => {
      void text(req).then((raw) => {
        const body = JSON.parse(raw) as Record<string, string>;
        bodies.push(body);
        answer(body['challenge'] ?? '', res);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const isTaken = await slack.saveRequestUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(bodies).toMatchObject([{ type: 'url_verification', token: slack.tokens.verification }]);
      return isTaken;
    } finally {
      server.closeAllConnections();
      server.close();
      await slack.close();
    }
  }
  test.each([
    ['plain text', 'text/plain', (challenge: string) => challenge, true],
    ['a form', 'application/x-www-form-urlencoded', (challenge: string) => `challenge=${challenge}`, true],
    ['JSON', 'application/json; charset=utf-8', (challenge: string) => JSON.stringify({ challenge }), true],
    ['another challenge', 'text/plain', () => 'else', false],
    ['nothing', 'text/plain', () => '', false],
  ])('the challenge given back as %s', async (_what, type, body, isTaken) => {
    expect(await saved((challenge, res) => res.writeHead(200, { 'content-type': type }).end(body(challenge)))).toBe(
      isTaken,
    );
  });
  test('an error with the challenge, and no answer in time, are refused', async () => {
    expect(await saved((challenge, res) => res.writeHead(500).end(challenge))).toBe(false);
    expect(await saved(() => {}, 50)).toBe(false);
  });
  test('Bolt answers it, if it has the right secret; only then anything is delivered there', async () => {
    const { slack, eventsUrl } = await start((app) => app.command('/proxy', async ({ ack }) => ack()));
    const ada = slack.as('U1');
    const url = String(eventsUrl);
    slack.deliverTo(null);
    const secret = slack.tokens.signingSecret;
    slack.tokens.signingSecret = 'another';
    expect(await slack.saveRequestUrl(url)).toBe(false);
    expect((await ada.command('/proxy'))?.via).toBe('socket');
    slack.tokens.signingSecret = secret;
    expect(await slack.saveRequestUrl(url)).toBe(true);
    expect(await ada.command('/proxy')).toMatchObject({ via: 'http', failure: null });
  });
  test('nobody listening there is refused', async () => {
    const slack = await startWorld();
    expect(await slack.saveRequestUrl('http://127.0.0.1:9/slack/events')).toBe(false);
    await expect(slack.saveRequestUrl('https://example.com/')).rejects.toThrow(/loopback/);
    await slack.close();
  });
});

describe('forging', () => {
  test.each([
    ['signed right', {}, 200],
    ['signed wrong', { signature: 'wrong' }, 401],
    ['unsigned', { signature: null }, 401],
    ['stale', { skewSeconds: -301 }, 401],
    ['from the future, which Bolt takes', { skewSeconds: 600 }, 200],
  ])('%s', async (_what, forgery, status) => {
    const { slack } = await start((app) => app.action('approve', async ({ ack }) => ack()));
    const body = {
      type: 'block_actions',
      user: { id: 'U2', team_id: 'T0TEAM' },
      team: { id: 'T0TEAM' },
      actions: [{ type: 'button', action_id: 'approve' }],
    };
    expect((await slack.forge({ body, ...forgery })).status).toBe(status);
  });
});
