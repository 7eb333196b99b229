import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served?.close());

/** node:http, since fetch does not let a caller choose the Host. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; text: string }> {
  const url = new URL(path, served.url);
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const harmless = '{"do":"vendor_behave"}';

test('the page and its parts come from this machine, and load nothing from elsewhere', async () => {
  const page = await fetch(served.url);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const parts = await Promise.all(['/', '/page.js', '/page.css'].map((path) => ask(path)));
  expect(parts.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const { text } of parts) expect(text.match(/(?:src|href)="https?:|@import|url\(["']?https?:/g)).toBeNull();
});

test.each<[string, Record<string, string>]>([
  ['another name that leads to this machine', { host: 'evil.example' }],
  ['the right name at another port', { host: '127.0.0.1:1' }],
  ['a page of another origin', { origin: 'http://evil.example' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null' }],
])('%s is refused', async (_who, headers) => {
  expect((await ask('/', headers)).status).toBe(403);
  expect((await ask('/act', { ...json, ...headers }, harmless)).status).toBe(403);
});

test('a form of another site cannot act: only JSON is taken', async () => {
  expect((await ask('/act', { 'content-type': 'text/plain' }, harmless)).status).toBe(403);
  expect((await ask('/act', json, harmless)).status).toBe(200);
});

test('an act that is none is refused with what is wrong', async () => {
  const { status, text } = await ask(
    '/act',
    json,
    '{"do":"vendor_next","endpoint":"create","misbehaviour":{"name":"toString"}}',
  );
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ ok: false });
});
