import { describe, expect, test } from 'vitest';
import { closedPort, type Misbehaviour } from '../../sandbox/vendor-api/index.ts';
import { readRetryAfter } from '../../src/vendor-api/balance.ts';
import { client, localVendor, SOON_OVER_MS, setUp } from './fixture.ts';

const says = (body: string, status = 200): Misbehaviour => ({ name: 'answer', status, body });
const balance = (value: string) => says(`{"code":200,"data":{"balance":${value}}}`);

describe('a balance is read exactly', () => {
  test.each([
    ['12.5', '12.5'],
    ['"12.50"', '12.50'],
    ['"1.234"', '1.234'],
    ['-3.2', '-3.2'],
    ['"-0.00"', '0.00'],
    ['1e21', '1000000000000000000000'],
    ['"9999997590000000"', '9999997590000000'],
    ['9007199254740993.01', '9007199254740993.01'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['0', '0'],
  ])('%s', async (value, expected) => {
    const { local, vendor } = await setUp();
    local.next('balance', balance(value));
    expect(await vendor.readBalance()).toEqual({ ok: true, balance: expected, at: expect.any(Number) });
  });

  test.each<readonly [string, Misbehaviour]>([
    ['201 with a good body', { name: 'status', status: 201 }],
    ['a byte order mark first', { name: 'bom' }],
  ])('%s', async (_rule, misbehaviour) => {
    const { local, vendor } = await setUp();
    local.next('balance', misbehaviour);
    expect(await vendor.readBalance()).toMatchObject({ ok: true, balance: '1000.00' });
  });
});

describe('what is not a readable balance could not be read, is never zero, and is not asked for again', () => {
  test.each<readonly [string, Misbehaviour]>([
    ...[
      '"1,234.50"',
      '"1.234,50"',
      '""',
      '" "',
      '"N/A"',
      '"1e21"',
      '"$5"',
      '"+5"',
      '"12.50 "',
      'null',
      'true',
      '{}',
      '[]',
      '[5]',
      '1e999',
    ].map((value) => [`balance ${value}`, balance(value)] as const),
    ['balance missing', says('{"code":200,"data":{}}')],
    ['balance at the top level', says('{"code":200,"balance":5}')],
    ['balance given twice', says('{"code":200,"data":{"balance":5,"balance":50}}')],
    ['{"code":200}', says('{"code":200}')],
    ['data null', says('{"code":200,"data":null}')],
    ['data a list', says('{"code":200,"data":[{"balance":5}]}')],
    ['code 500', says('{"code":500,"msg":"x"}')],
    ['code "200"', says('{"code":"200","data":{"balance":5}}')],
    ['code 0', says('{"code":0,"data":{"balance":5}}')],
    ['code true', says('{"code":true,"data":{"balance":5}}')],
    ['code twice', says('{"code":500,"code":200,"data":{"balance":5}}')],
    ['no code', says('{"data":{"balance":5}}')],
    ['[]', says('[]')],
    ['"ok"', says('"ok"')],
    ['null', says('null')],
    ['404 with a good body', { name: 'status', status: 404 }],
    ['204', { name: 'empty', status: 204 }],
    ['200 empty', { name: 'empty' }],
    ['202 with {}', says('{}', 202)],
    ['JSON cut in half, without a length', { name: 'cut', framing: 'close' }],
    ['compressed, without the header', { name: 'gzip', header: false }],
    ['compressed, with the header', { name: 'gzip' }],
    ['plain, with the header of compression', { name: 'gzip_claimed' }],
    ['an HTML page', { name: 'html' }],
    ['a redirect', { name: 'redirect', status: 302 }],
    ['a redirect that keeps the method', { name: 'redirect', status: 308 }],
  ])('%s', async (_rule, misbehaviour) => {
    const { local, vendor } = await setUp();
    local.always('balance', misbehaviour);
    const reading = await vendor.readBalance();
    expect(reading).toEqual({ ok: false, at: expect.any(Number), why: expect.any(String) });
    expect(local.requests).toHaveLength(1);
  });
});

describe('bad luck is tried once more', () => {
  test.each<readonly [string, Misbehaviour]>([
    ...[500, 501, 502, 503, 504].map((status) => [`${status} with a good body`, { name: 'status', status }] as const),
    ['502 without a body', { name: 'empty', status: 502 }],
    ['429', { name: 'rate_limit' }],
    ['a reset', { name: 'reset_before_answer' }],
    ['half an answer', { name: 'reset_mid_answer' }],
    ['an answer cut before its length', { name: 'cut' }],
    ['not HTTP', { name: 'garbage' }],
  ])('%s', async (_rule, misbehaviour) => {
    const { local, vendor } = await setUp();
    local.next('balance', misbehaviour);
    expect(await vendor.readBalance()).toMatchObject({ ok: true, balance: '1000.00' });
    expect(local.requests).toHaveLength(2);
  });

  test('and not a third time', async () => {
    const { local, vendor } = await setUp();
    local.always('balance', { name: 'empty', status: 503 });
    expect(await vendor.readBalance()).toMatchObject({ ok: false, why: 'the vendor answered with status 503' });
    expect(local.requests).toHaveLength(2);
  });

  test('also when the connection is refused', async () => {
    expect(await client(await closedPort()).readBalance()).toMatchObject({
      ok: false,
      why: 'the connection was refused',
    });
  });
});

describe('a refused token or call is flagged and never tried again', () => {
  test.each<readonly [string, Misbehaviour, string]>([
    ['status 401', { name: 'html', status: 401 }, 'unauthorized'],
    ['code 401 at 200', says('{"code":401}'), 'unauthorized'],
    ['code 401 at 500', says('{"code":401}', 500), 'unauthorized'],
    ['status 403', { name: 'html', status: 403 }, 'forbidden'],
    ['code 403 at 200', says('{"code":403}'), 'forbidden'],
    ['status 403 with code 401', says('{"code":401}', 403), 'unauthorized'],
  ])('%s', async (_rule, misbehaviour, refused) => {
    const { local, vendor } = await setUp();
    local.always('balance', misbehaviour);
    expect(await vendor.readBalance()).toMatchObject({ ok: false, refused });
    expect(local.requests).toHaveLength(1);
  });

  test('a wrong token, as the local vendor sees it', async () => {
    const local = await localVendor();
    const vendor = client(local.baseUrl, { token: 'another-token-altogether' });
    expect(await vendor.readBalance()).toMatchObject({ ok: false, refused: 'unauthorized' });
  });
});

describe('Retry-After is obeyed within the deadline, and junk in it means the default wait', () => {
  const NOW = Date.UTC(2026, 6, 1, 12, 0, 0);
  test.each<readonly [string, string | string[] | undefined, number | undefined]>([
    ['whole seconds', '5', 5],
    ['zero', '0', 0],
    ['a day', '86400', 86400],
    ['a date five seconds ahead', 'Wed, 01 Jul 2026 12:00:05 GMT', 5],
    ['a past date', 'Wed, 01 Jul 2026 11:59:00 GMT', undefined],
    ['this very second', 'Wed, 01 Jul 2026 12:00:00 GMT', undefined],
    ['a date with the wrong day', 'Thu, 01 Jul 2026 12:00:05 GMT', undefined],
    ['another form of date', '2026-07-01T12:00:05Z', undefined],
    ['a year', '2030-01-01', undefined],
    ['below zero', '-3', undefined],
    ['a fraction', '1.5', undefined],
    ['a number and more', '1000abc', undefined],
    ['an exponent', '1e3', undefined],
    ['empty', '', undefined],
    ['far too long', '9999999999', undefined],
    ['two headers', ['1', '2'], undefined],
    ['none', undefined, undefined],
  ])('%s', (_rule, header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });

  test.each(['-3', '1.5', '1000abc', '', 'Wed, 01 Jul 2020 12:00:00 GMT', undefined])(
    '%j waits the default',
    async (retryAfter) => {
      const { local, vendor } = await setUp({ retryWaitMs: 40 });
      local.next('balance', { name: 'rate_limit', ...(retryAfter === undefined ? {} : { retryAfter }) });
      expect(await vendor.readBalance()).toMatchObject({ ok: true });
      const [first, second] = local.requests;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(35);
    },
  );

  test('whole seconds are waited', async () => {
    const { local, vendor } = await setUp({ timeoutMs: 20_000 });
    local.next('balance', { name: 'rate_limit', retryAfter: '1' });
    expect(await vendor.readBalance()).toMatchObject({ ok: true });
    const [first, second] = local.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('a wait that does not fit is told, not slept', async () => {
    const { local, vendor } = await setUp();
    local.next('balance', { name: 'rate_limit', retryAfter: '86400' });
    expect(await vendor.readBalance()).toMatchObject({ ok: false, retryAfterSeconds: 86400 });
    expect(local.requests).toHaveLength(1);
  });

  test('a stop does not wait for it', async () => {
    const { local, vendor } = await setUp({ timeoutMs: 7_200_000, retryWaitMs: 3_600_000 });
    local.next('balance', { name: 'empty', status: 503 });
    const reading = vendor.readBalance();
    await local.until(() => local.requests.length === 1);
    await vendor.close();
    expect(await reading).toMatchObject({ ok: false });
  });
});

test.each<readonly [string, Misbehaviour]>([
  ['no answer', { name: 'time_out' }],
  ['a dripping body', { name: 'drip', everyMs: 200 }],
])('one deadline bounds both tries: %s', async (_rule, misbehaviour) => {
  const { local, vendor } = await setUp({ timeoutMs: SOON_OVER_MS });
  local.always('balance', misbehaviour);
  expect(await vendor.readBalance()).toMatchObject({
    ok: false,
    why: expect.stringMatching(/did not answer within 1 s$|the time allowed had passed$/),
  });
  expect(local.requests).toHaveLength(1);
});

test('overlapping readings each ask the vendor', async () => {
  const { local, vendor } = await setUp();
  await Promise.all([vendor.readBalance(), vendor.readBalance()]);
  expect(local.requests).toHaveLength(2);
});
