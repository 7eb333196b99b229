import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, test } from 'vitest';
import { SILENT_SLACK } from '../../src/doctor/workspace.ts';
import { clientOptions } from '../../src/slack/client.ts';
import { troubleOf } from '../../src/slack/errors.ts';
import { slackFetch } from '../../src/slack/fetch.ts';

const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of left.splice(0)) await close();
});

/** Answers so, and remembers what came. */
async function serve(answer: (response: ServerResponse, nth: number) => void) {
  const came: string[] = [];
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    came.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? ''} ${body}`);
    answer(response, came.length);
  };
  const server = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  left.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { came, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const post = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'é' };

/** What a call says where it fails. */
const troubleWith = (url: string, timeout = 5_000) =>
  new WebClient('xoxb-1', { ...clientOptions(url), timeout, logger: SILENT_SLACK }).auth
    .test()
    .then(() => null, troubleOf);

describe('a call to Slack', () => {
  test('sends a text, and gives all of the answer, whatever pieces it comes in', async () => {
    const whole = Buffer.from('{"ok":"für 10 €"}');
    const { came, url } = await serve((response) => {
      response.writeHead(429, { 'Retry-After': '7', 'X-Two': ['a', 'b'] });
      for (const byte of whole) response.write(Uint8Array.of(byte));
      response.end();
    });
    const answer = await slackFetch(`${url}api/x`, post);
    expect(came).toEqual(['POST /api/x text/plain é']);
    expect(answer).toMatchObject({ status: 429, ok: false, url: `${url}api/x` });
    expect([answer.headers.get('retry-after'), answer.headers.get('Retry-After'), answer.headers.get('x')]).toEqual([
      '7',
      '7',
      null,
    ]);
    expect(Object.fromEntries(answer.headers.entries())).toMatchObject({ 'retry-after': '7', 'x-two': 'a, b' });
    expect(await answer.text()).toBe(whole.toString());
    expect(await answer.json()).toEqual({ ok: 'für 10 €' });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(whole);
  });

  test('gives all of an answer that only the end of its connection ends', async () => {
    const { url } = await serve((response) => response.socket?.end(`HTTP/1.0 200 OK\r\n\r\n${'x'.repeat(500_000)}`));
    expect(await (await slackFetch(url, post)).text()).toHaveLength(500_000);
  });

  test('follows no redirect', async () => {
    const { came, url } = await serve((response) => response.writeHead(307, { Location: '/elsewhere' }).end());
    expect((await slackFetch(url, post)).status).toBe(307);
    expect(came).toHaveLength(1);
    expect(await troubleWith(url)).toEqual({ kind: 'unreachable', why: 'HTTP 307' });
  });

  test('is sent once, also where a connection that was kept is closed under it', async () => {
    const { came, url } = await serve((response, nth) => (nth === 1 ? response.end() : response.destroy()));
    await slackFetch(url, post);
    await expect(slackFetch(url, post)).rejects.toThrow();
    expect(came).toHaveLength(2);
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['is cut off before it', (response) => response.destroy(), 'ECONNRESET'],
    [
      'is cut off within it',
      (response) => response.writeHead(200, { 'Content-Length': '99' }).write('{"ok":true}', () => response.destroy()),
      'ECONNRESET',
    ],
    [
      'switches protocols',
      (response) => response.socket?.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'Error',
    ],
    ['is no HTTP', (response) => response.socket?.end('HELLO\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
  ])('says why there is no answer: it %s', async (_, answer, why) => {
    const { url } = await serve(answer);
    expect(await troubleWith(url)).toEqual({ kind: 'unreachable', why });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not begin', () => undefined],
    ['does not end', (response) => response.writeHead(200).write('{')],
  ])('is given up where the answer %s in time', async (_, answer) => {
    const { url } = await serve(answer);
    expect(await troubleWith(url, 50)).toEqual({ kind: 'unreachable', why: 'TimeoutError' });
  });

  test('says that nobody is there', async () => {
    const { url } = await serve(() => undefined);
    for (const close of left.splice(0)) await close();
    expect(await troubleWith(url)).toEqual({ kind: 'unreachable', why: 'ECONNREFUSED' });
  });
});
