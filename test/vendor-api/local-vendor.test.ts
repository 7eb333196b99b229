import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, MISBEHAVIOURS, type Misbehaviour, type MisbehaviourName } from '../../sandbox/vendor-api/index.ts';
import { BUY, localVendor, RENEW, SOON_OVER_MS, setUp, TOKEN, YES } from './fixture.ts';

async function post(url: string, path: string, body: string): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', connection: 'close' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}

describe('the local vendor takes only the documented request', () => {
  const good = {
    product_id: 'lt-monthly',
    type: 'long-term',
    network_type: 'residential',
    quantity: 3,
    payment_method: 'balance',
    purchase_geo: { allocations: [{ country_iso: 'US', qty: 3 }] },
  };
  test.each<readonly [string, string]>([
    ['not JSON', 'x'],
    ['a list', '[]'],
    ['a missing field', JSON.stringify({ ...good, type: undefined })],
    ['an extra field', JSON.stringify({ ...good, coupon: 'x' })],
    ['a quantity as string', JSON.stringify({ ...good, quantity: '3' })],
    ['a quantity that is not the sum', JSON.stringify({ ...good, quantity: 2 })],
    ['another way to pay', JSON.stringify({ ...good, payment_method: 'card' })],
    ['no allocation', JSON.stringify({ ...good, purchase_geo: { allocations: [] } })],
    [
      'a country in small letters',
      JSON.stringify({ ...good, purchase_geo: { allocations: [{ country_iso: 'us', qty: 3 }] } }),
    ],
  ])('%s is refused and charges nothing', async (_rule, body) => {
    const local = await localVendor();
    const answer = await post(local.baseUrl, '/v2/orders/create', body);
    expect(answer.status).toBe(400);
    expect(local.balance).toBe('1000.00');
    expect(local.orders).toEqual([]);
  });

  test('an order id as a string is refused', async () => {
    const local = await localVendor();
    local.addOrder({ id: '7' });
    const answer = await post(local.baseUrl, '/v2/orders/renew', '{"order_id":"7","renew_product_id":"lt-monthly"}');
    expect(answer).toEqual({ status: 400, body: '{"code":400,"msg":"order_id must be an integer"}' });
  });
});

test('each request keeps what was done with it and what was sent back, and the view shows neither token', async () => {
  const local = await localVendor();
  local.next('balance', { name: 'echo_token' }, { name: 'drip', everyMs: 1 }, { name: 'reset_before_answer' });
  const ask = () =>
    fetch(`${local.baseUrl}/v2/balance`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', connection: 'close' },
    }).then((response) => response.text());
  const said = await ask();
  const dripped = await ask();
  await expect(ask()).rejects.toThrow();
  const [echo, drip, reset] = local.requests;
  expect(echo?.played).toBe('echo_token');
  expect(echo?.answer).toContain(said);
  expect(drip?.answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(drip?.answer).toContain(dripped);
  expect(reset).toMatchObject({ played: 'reset_before_answer' });
  expect(reset).not.toHaveProperty('answer');
  expect(JSON.stringify(local.view())).not.toContain(TOKEN);
});

test('orders have ids above 2^53, one after the other, and the balance falls', async () => {
  const { local, vendor } = await setUp();
  await vendor.send(BUY, YES);
  await vendor.send(BUY, YES);
  await vendor.send(RENEW, YES);
  expect(local.orders.map((order) => [order.id, order.renewals])).toEqual([
    ['9007199254740993', 1],
    ['9007199254740994', 0],
  ]);
  expect(local.balance).toBe('971.20');
});

test('what costs more than the balance is refused; what costs exactly the balance is not', async () => {
  const { local, vendor } = await setUp();
  local.balance = '9.59';
  expect(await vendor.send(BUY, YES)).toMatchObject({ outcome: 'declined', vendorText: 'insufficient balance' });
  local.balance = '9.60';
  expect(await vendor.send(BUY, YES)).toMatchObject({ outcome: 'completed' });
  expect(local.balance).toBe('0.00');
});

test.each<readonly [Misbehaviour, string]>([
  [{ name: 'time_out', charge: true }, '990.40'],
  [{ name: 'time_out', charge: false }, '1000.00'],
  [{ name: 'refuse' }, '1000.00'],
  [{ name: 'refuse', charge: true }, '990.40'],
])('whether money is taken is part of the misbehaviour: %j leaves %s', async (misbehaviour, balance) => {
  const { local, vendor } = await setUp({ timeoutMs: SOON_OVER_MS });
  local.next('create', misbehaviour);
  await vendor.send(BUY, YES);
  expect(local.balance).toBe(balance);
});

test('a held answer waits until it is released', async () => {
  const { local, vendor } = await setUp();
  local.next('create', { name: 'hold', answer: { name: 'refuse', code: 402 } });
  const sending = vendor.send(BUY, YES);
  await local.until(() => local.held === 1);
  expect(local.posts).toBe(1);
  local.release();
  expect(await sending).toMatchObject({ outcome: 'declined', code: '402' });
});

test('a request of which only a part arrives is seen and counted', async () => {
  const local = await localVendor();
  const socket = connect(local.port, '127.0.0.1');
  socket.write('POST /v2/orders/create HTTP/1.1\r\ncontent-length: 5\r\n\r\nab');
  await local.until(() => local.posts === 1);
  expect(local.requests).toMatchObject([{ complete: false }]);
  socket.destroy();
});

test('the view is plain data without the token, and the feed tells what happened', async () => {
  const { local, vendor } = await setUp();
  const told: string[] = [];
  const off = local.on((event) => told.push(event.type));
  local.next('create', { name: 'echo_token' });
  await vendor.send(BUY, YES);
  off();
  expect(told).toEqual(expect.arrayContaining(['changed', 'connection', 'request', 'answer']));
  const view = local.view();
  expect(structuredClone(view)).toEqual(JSON.parse(JSON.stringify(view)));
  expect(view.requests[0]?.raw).toContain('authorization: Bearer •••');
  expect(JSON.stringify(view)).not.toContain(JSON.stringify(TOKEN).slice(1, -1));
});

test.each(Object.keys(MISBEHAVIOURS) as MisbehaviourName[])(
  'every named misbehaviour can be played: %s',
  async (name) => {
    const { local, vendor } = await setUp({ timeoutMs: SOON_OVER_MS });
    const [endpoint = 'create'] = MISBEHAVIOURS[name].endpoints.toReversed();
    expect(ENDPOINTS).toContain(endpoint);
    // The catalogue's defaults are what a panel would send.
    local.next(endpoint, { name, ...MISBEHAVIOURS[name].defaults } as Misbehaviour);
    await vendor.send(endpoint === 'renew' ? RENEW : BUY, YES);
    expect(local.view().next[endpoint]).toEqual([]);
    expect(local.posts).toBeLessThanOrEqual(1);
  },
);
