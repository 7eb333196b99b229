import { describe, expect, test } from 'vitest';
import { closedPort, deafPort, silentPort } from '../../sandbox/vendor-api/index.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import { closeAfterwards } from '../support/afterwards.ts';
import { BUY, client, localVendor, RENEW, SOON_OVER_MS, setUp, YES } from './fixture.ts';

describe('a request that never started is not sent', () => {
  test('connection refused', async () => {
    const answer = await client(await closedPort()).send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'not_sent', why: 'the connection was refused', startedAt: null });
  });

  test('a name that cannot be looked up', async () => {
    const answer = await client('https://vendor.invalid').send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'not_sent', startedAt: null });
  });

  test('a connection that is never accepted, until the deadline', async () => {
    const deaf = closeAfterwards(await deafPort());
    const answer = await client(deaf.baseUrl, { timeoutMs: SOON_OVER_MS }).send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'not_sent', why: 'the time allowed had passed', startedAt: null });
  });

  test('a TLS handshake that never ends; only HTTP/1.1 is offered in it', async () => {
    const silent = closeAfterwards(await silentPort());
    const answer = await client(`https://127.0.0.1:${silent.port}`, { timeoutMs: SOON_OVER_MS }).send(BUY, YES);
    expect(answer).toMatchObject({ outcome: 'not_sent', startedAt: null });
    expect(silent.received()).toContain('http/1.1');
    expect(silent.received()).not.toContain('\x02h2');
  });
});

describe('the guard stops a request before a byte is written', () => {
  test.each([
    ['says no', () => false],
    [
      'throws',
      () => {
        throw new Error('no clock');
      },
    ],
  ])('when it %s', async (_how, mayStart) => {
    const { local, vendor } = await setUp();
    const answer = await vendor.send(BUY, { mayStart });
    expect(answer).toMatchObject({ outcome: 'not_sent', startedAt: null, httpStatus: null });
    // The connection stood; a whole exchange on the same server afterwards shows that nothing of the first was on its way.
    expect(local.connections).toBe(1);
    await vendor.readBalance();
    expect(local.requests).toHaveLength(1);
    expect(local.bytesReceived).toBe(local.requests[0]?.raw.length);
    expect(local.posts).toBe(0);
  });

  test('it is asked once, when the connection stands', async () => {
    const { local, vendor } = await setUp();
    const connectionsWhenAsked: number[] = [];
    const mayStart = () => connectionsWhenAsked.push(local.connections) > 0;
    expect((await vendor.send(BUY, { mayStart })).outcome).toBe('completed');
    expect(connectionsWhenAsked).toHaveLength(1);
  });

  test('it is not asked when there is no connection', async () => {
    let asked = 0;
    await client(await closedPort()).send(BUY, { mayStart: () => ++asked > 0 });
    expect(asked).toBe(0);
  });
});

describe('an order that cannot be what people saw is not sent', () => {
  const renew = (orderId: string): VendorOrder => ({
    ...(RENEW as Extract<VendorOrder, { kind: 'renew' }>),
    orderId: orderId as OrderId,
  });
  const buy = (change: Partial<Extract<VendorOrder, { kind: 'buy' }>>): VendorOrder => ({
    ...(BUY as Extract<VendorOrder, { kind: 'buy' }>),
    ...change,
  });
  test.each<readonly [string, VendorOrder]>([
    ['an empty basket', buy({ basket: [] })],
    ['quantity 0', buy({ basket: [{ country: 'US', quantity: 0 }] })],
    ['quantity 1.5', buy({ basket: [{ country: 'US', quantity: 1.5 }] })],
    [
      'quantities that cancel out',
      buy({
        basket: [
          { country: 'US', quantity: 5 },
          { country: 'DE', quantity: -4 },
        ],
      }),
    ],
    ['quantity NaN', buy({ basket: [{ country: 'US', quantity: Number.NaN }] })],
    ['a country in small letters', buy({ basket: [{ country: 'us', quantity: 1 }] })],
    [
      'a country twice',
      buy({
        basket: [
          { country: 'US', quantity: 1 },
          { country: 'US', quantity: 1 },
        ],
      }),
    ],
    ['no product', buy({ plan: { productId: '', type: 'a', networkType: 'b' } })],
    ['an order id that is no number', renew('12x')],
    ['an order id with a leading zero', renew('012')],
    ['an order id as exponent', renew('1e3')],
    ['no order id', renew('')],
  ])('%s', async (_rule, order) => {
    const { local, vendor } = await setUp();
    expect(await vendor.send(order, YES)).toMatchObject({ outcome: 'not_sent', startedAt: null });
    expect(local.connections).toBe(0);
  });
});

describe('closing', () => {
  test('waits for the answer of what is being sent', async () => {
    const { local, vendor } = await setUp();
    local.next('create', { name: 'hold' });
    const order: string[] = [];
    const sending = vendor.send(BUY, YES).then((answer) => order.push(answer.outcome));
    await local.until(() => local.held === 1);
    const closing = vendor.close().then(() => order.push('closed'));
    await new Promise((resolve) => setTimeout(resolve, 30)); // time in which a close that does not wait would end
    local.release();
    await Promise.all([closing, sending]);
    expect(order).toEqual(['completed', 'closed']);
  });

  test('nothing is sent or read afterwards', async () => {
    const { local, vendor } = await setUp();
    await vendor.close();
    expect(await vendor.send(BUY, YES)).toMatchObject({ outcome: 'not_sent', why: 'the bot is stopping' });
    expect(await vendor.readBalance()).toMatchObject({ ok: false, why: 'the bot is stopping' });
    expect(local.connections).toBe(0);
  });
});

describe('a client is not made where the token would not be safe, and the refusal quotes nothing', () => {
  test.each([
    ['http beyond loopback', { baseUrl: 'http://vendor.example/secret' }],
    ['a password in the URL', { baseUrl: 'https://user:secret@vendor.example' }],
    ['no URL', { baseUrl: 'secret' }],
    ['a token with a line break', { token: 'secret-secret\n' }],
    ['a token with a blank', { token: 'secret secret' }],
    ['a short token', { token: 'secret' }],
  ])('%s', async (_rule, options) => {
    const local = await localVendor();
    const make = () => client(local.baseUrl, options);
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/secret/);
  });
});
