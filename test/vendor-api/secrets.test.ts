import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Misbehaviour } from '../../sandbox/vendor-api/index.ts';
import { createScrub } from '../../src/scrub.ts';
import { MAX_BODY_BYTES } from '../../src/vendor-api/exchange.ts';
import { BUY, client, localVendor, setUp, TOKEN, YES } from './fixture.ts';

/** Pieces that no kept text may hold: found without the code under test. */
const LEAKS = [
  TOKEN,
  encodeURIComponent(TOKEN),
  encodeURIComponent(TOKEN).toLowerCase(),
  JSON.stringify(TOKEN).slice(1, -1),
  Buffer.from(TOKEN).toString('hex'),
  ...[0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + TOKEN)
      .toString('base64')
      .slice(4, -4),
  ),
  ...[0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + TOKEN)
      .toString('base64url')
      .slice(4, -4),
  ),
  TOKEN.slice(0, 12),
];

function leaksIn(value: unknown): string[] {
  const text = inspect(value, { depth: 10, maxStringLength: null });
  const strings = Object.values(value as object).filter((item) => typeof item === 'string');
  return LEAKS.filter((leak) => [text, ...strings].some((place) => place.includes(leak)));
}

const inJson = (text: string): Misbehaviour => ({ name: 'answer', body: JSON.stringify({ code: 402, msg: text }) });

describe('a token that the vendor echoes is removed from everything kept', () => {
  test.each<readonly [string, Misbehaviour]>([
    ['escaped by JSON', inJson(`your token ${TOKEN} is bad`)],
    ['with the Bearer', inJson(`Bearer ${TOKEN}`)],
    ['twice', inJson(`${TOKEN}${TOKEN}`)],
    ['raw, in what is not JSON', { name: 'answer', status: 400, body: `<p>${TOKEN}</p>` }],
    ['URL-encoded', inJson(`?token=${encodeURIComponent(TOKEN)}`)],
    [
      'URL-encoded in small letters',
      inJson(`?token=${encodeURIComponent(TOKEN).replace(/%../g, (hex) => hex.toLowerCase())}`),
    ],
    ['every letter URL-encoded', { name: 'echo_token', form: 'url' }],
    ['every letter as \\u', { name: 'echo_token', form: 'json' }],
    ['every letter as an HTML entity', { name: 'echo_token', form: 'html' }],
    ['as hex', { name: 'echo_token', form: 'hex' }],
    ['base64, first alignment', { name: 'echo_token', form: 'base64' }],
    ['base64, second alignment', { name: 'echo_token', form: 'base64', before: 'x' }],
    ['base64, third alignment', { name: 'echo_token', form: 'base64', before: 'xx' }],
    ['base64 of the whole header', { name: 'echo_token', form: 'base64', before: 'Bearer ' }],
    ['base64url', inJson(Buffer.from(`x${TOKEN}`).toString('base64url'))],
    ['with an invisible character inside', inJson(`${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}`)],
    ['in the message of an answer that is then cut at 500', inJson(`${'a'.repeat(480)}${TOKEN}`)],
    [
      'over the edge of 64 KiB',
      { name: 'answer', body: `{"code":402,"a":"${'a'.repeat(65_510)}${JSON.stringify(TOKEN).slice(1, -1)}"}` },
    ],
  ])('%s', async (_rule, misbehaviour) => {
    const { local, vendor } = await setUp();
    local.next('create', misbehaviour);
    const answer = await vendor.send(BUY, YES);
    expect(answer.rawBody).not.toBeNull();
    expect(leaksIn(answer).filter((leak) => leak !== TOKEN.slice(0, 12) || !_rule.includes('invisible'))).toEqual([]);
    expect(local.posts).toBe(1);
  });

  test('an answer that breaks off in the middle of the token', async () => {
    const { local, vendor } = await setUp();
    local.next('create', { name: 'answer', headers: { 'x-a': 'b' }, body: `{"code":402,"msg":"${TOKEN.slice(0, 14)}` });
    const answer = await vendor.send(BUY, YES);
    expect(answer.rawBody).toBe('{"code":402,"msg":"[removed]');
  });

  test('under the name of an order id', async () => {
    const token = '90071992547409931234';
    const local = await localVendor({ token });
    local.next('create', { name: 'answer', body: `{"code":200,"order_id":${token}}` });
    const answer = await client(local.baseUrl, { token }).send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'completed', orderIds: [] });
    expect(inspect(answer)).not.toContain(token);
  });

  test('the measure itself finds a leak', () => {
    for (const leak of LEAKS) expect(leaksIn({ why: `a ${leak} b` })).toContain(leak);
  });
});

describe('errors of the library never come through', () => {
  test.each<readonly [string, Misbehaviour]>([
    ['bytes that are not HTTP', { name: 'garbage', text: `${TOKEN}\r\n\r\n` }],
    [
      'a status line that echoes the token',
      { name: 'garbage', text: `HTTP/1.1 200 ${TOKEN}\r\nbad header ${TOKEN}\r\n\r\n` },
    ],
    ['a redirect to the token', { name: 'redirect', location: `https://other.example/${encodeURIComponent(TOKEN)}` }],
    ['an HTML page at 401', { name: 'html', status: 401 }],
  ])('%s', async (_rule, misbehaviour) => {
    const { local, vendor } = await setUp();
    local.always('create', misbehaviour);
    local.always('balance', misbehaviour);
    expect(leaksIn(await vendor.send(BUY, YES))).toEqual([]);
    expect(leaksIn(await vendor.readBalance())).toEqual([]);
  });

  test('a name that cannot be looked up', async () => {
    const vendor = client('https://vendor.invalid', { timeoutMs: 500 });
    const reading = await vendor.readBalance();
    expect(leaksIn(reading)).toEqual([]);
    expect(inspect(reading)).not.toContain('invalid');
  });

  test('the client itself shows nothing when it is printed', () => {
    expect(leaksIn(client('http://127.0.0.1:9'))).toEqual([]);
  });
});

describe('scrubbing', () => {
  test.each([8, 20, 64, 2000])('knows a token of %i characters, and leaves other text alone', (length) => {
    const token = Buffer.from('0f3a9c'.repeat(length)).toString('base64').slice(0, length);
    const scrub = createScrub(token);
    expect(scrub(`a ${token} b`)).toBe('a [removed] b');
    expect(scrub(`a ${token.slice(0, 7)}`)).toBe('a [removed]');
    expect(scrub('{"code":200,"msg":"success"}')).toBe('{"code":200,"msg":"success"}');
  });

  test('goes through the longest answer once: once for each place in it would outlast every time-out', () => {
    const text = TOKEN.slice(0, -1).repeat(Math.ceil(MAX_BODY_BYTES / (TOKEN.length - 1)));
    expect(createScrub(TOKEN)(text)).toBe(`${text.slice(0, 1 - TOKEN.length)}[removed]`);
  });
});
