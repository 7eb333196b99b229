import { describe, expect, test } from 'vitest';
import type { Misbehaviour } from '../../sandbox/vendor-api/index.ts';
import type { Answer } from '../../src/purchasing/model/answer.ts';
import { BUY, clock, SOON_OVER_MS, setUp, YES } from './fixture.ts';

async function answerTo(misbehaviour: Misbehaviour): Promise<Answer> {
  const { local, vendor } = await setUp();
  local.next('create', misbehaviour);
  const answer = await vendor.send(BUY, YES);
  expect(local.posts).toBe(1);
  return answer;
}

const says = (body: string, status = 200): Misbehaviour => ({ name: 'answer', status, body });

describe('order ids are found by name anywhere, with every digit', () => {
  test.each<readonly [string, readonly string[]]>([
    ['{"code":200,"order_id":9007199254740993}', ['9007199254740993']],
    ['{"code":200,"data":{"order_id":"18446744073709551617"}}', ['18446744073709551617']],
    ['{"code":200,"data":[{"x":[{"order_id":7}]}]}', ['7']],
    ['{"code":200,"order_id":7,"data":{"order_id":"7"}}', ['7']],
    ['{"code":200,"order_id":7,"data":{"order_id":8}}', ['7', '8']],
    ['{"code":200,"data":{"order_id":"007"}}', ['7']],
    ['{"code":200,"data":{"order_id":7.0}}', []],
    ['{"code":200,"data":{"order_id":7e3}}', []],
    ['{"code":200,"data":{"order_id":-7}}', []],
    ['{"code":200,"data":{"order_id":0}}', []],
    ['{"code":200,"data":{"order_id":"A7"}}', []],
    ['{"code":200,"data":{"order_id":" 7"}}', []],
    ['{"code":200,"data":{"order_id":null}}', []],
    ['{"code":200,"data":{"order_id":[7]}}', []],
    ['{"code":200,"data":{"orderId":7,"id":8,"order":{"id":9}}}', []],
    ['{"code":200,"data":"{\\"order_id\\":7}"}', []],
    [`{"code":200,"data":{"order_id":${'9'.repeat(41)}}}`, []],
  ])('%s', async (body, ids) => {
    expect(await answerTo(says(body))).toMatchObject({ outcome: 'completed', orderIds: ids });
  });
});

describe('the code is kept as it stood in the source', () => {
  test.each([
    ['{"code":200}', '200'],
    ['{"code":"200"}', '"200"'],
    ['{"code":2e2}', '2e2'],
    ['{"code":9007199254740993}', '9007199254740993'],
    ['{"code":true}', 'true'],
    ['{"code":null}', null],
    ['{}', null],
  ])('%s', async (body, code) => {
    expect((await answerTo(says(body))).code).toBe(code);
  });
});

describe("the vendor's text is its message, cleaned and cut", () => {
  test.each([
    ['{"code":402,"msg":"Not enough"}', 'Not enough'],
    ['{"code":402,"message":"Not enough"}', 'Not enough'],
    ['{"code":402,"error":"Not enough"}', 'Not enough'],
    ['{"code":402,"error":{"x":1},"message":"余额不足"}', '余额不足'],
    ['{"code":402,"msg":" ","message":"Not enough"}', 'Not enough'],
    ['{"code":402,"msg":"a\\u0000b\\r\\n\\tc\\u2028d"}', 'a b c d'],
    ['{"code":402,"msg":"a\\u202eb\\u200bc\\u2066d\\ufeffe\\ud800f"}', 'abcdef'],
    ['{"code":402,"msg":7}', null],
    ['{"code":402,"data":{"msg":"deeper"}}', null],
    ['{"code":402}', null],
  ])('%s', async (body, text) => {
    expect((await answerTo(says(body))).vendorText).toBe(text);
  });

  test('by whole characters', async () => {
    const { vendorText } = await answerTo(says(`{"code":402,"msg":"${'😀'.repeat(600)}"}`));
    expect(vendorText).toBe(`${'😀'.repeat(499)}…`);
  });
});

describe('the body is kept as evidence', () => {
  test.each<readonly [string, Misbehaviour, string, boolean]>([
    ['as it came', says('{"code" : 200 }'), '{"code" : 200 }', false],
    ['also when it is not JSON', says('<h1>Sorry</h1>', 502), '<h1>Sorry</h1>', false],
    ['also a part of one', { name: 'cut' }, '{"code":200,"msg":"success","dat', true],
    ['also what came before a reset', { name: 'reset_mid_answer' }, '{"code":200,"msg":"success","dat', true],
  ])('%s', async (_rule, misbehaviour, rawBody, rawBodyTruncated) => {
    expect(await answerTo(misbehaviour)).toMatchObject({ rawBody, rawBodyTruncated });
  });

  test('no more than 64 KiB of it, by whole characters', async () => {
    const answer = await answerTo(says(`{"code":200,"a":"${'ü'.repeat(50_000)}"}`));
    expect(answer).toMatchObject({ outcome: 'completed', rawBodyTruncated: true });
    expect(Buffer.byteLength(answer.rawBody ?? '')).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(answer.rawBody ?? '')).toBeGreaterThan(65_530);
    expect(answer.rawBody).not.toContain('\ufffd');
  });

  test.each<readonly [string, Misbehaviour]>([
    ['an empty body', { name: 'empty' }],
    ['no answer at all', { name: 'reset_before_answer' }],
  ])('there is none of %s', async (_rule, misbehaviour) => {
    expect(await answerTo(misbehaviour)).toMatchObject({ rawBody: null, rawBodyTruncated: false });
  });

  test('what came of a dripping body before the deadline', async () => {
    const { local, vendor } = await setUp({ timeoutMs: SOON_OVER_MS });
    local.next('create', { name: 'drip', everyMs: 100 });
    const answer = await vendor.send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'unknown', httpStatus: 200, rawBodyTruncated: true });
    expect(answer.rawBody).toMatch(/^\{"c/);
  });
});

describe('a refused token is flagged, whatever the outcome', () => {
  test.each<readonly [string, Misbehaviour, boolean]>([
    ['status 401 with code 401', says('{"code":401}', 401), true],
    ['status 401 with an HTML page', { name: 'html', status: 401 }, true],
    ['code 401 at 200', says('{"code":401}'), true],
    ['code 401 at 500', says('{"code":401}', 500), true],
    ['403', says('{"code":403}', 403), false],
    ['code "401"', says('{"code":"401"}'), false],
  ])('%s', async (_rule, misbehaviour, unauthorized) => {
    expect((await answerTo(misbehaviour)).unauthorized).toBe(unauthorized);
  });
});

test('the times are those of the given clock', async () => {
  const times = [1000, 2000, 3000];
  const { vendor } = await setUp({ clock: { ...clock, now: () => times.shift() ?? 0 } });
  expect(await vendor.send(BUY, YES)).toMatchObject({ startedAt: 1000, endedAt: 2000 });
});
