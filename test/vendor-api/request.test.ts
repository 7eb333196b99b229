import { describe, expect, test } from 'vitest';
import { BUY, client, localVendor, RENEW, setUp, TOKEN, YES } from './fixture.ts';

function bodyOf(raw: string | undefined): string | undefined {
  return raw?.split('\r\n\r\n')[1];
}

describe('a request is exactly as documented', () => {
  test('buying', async () => {
    const { local, vendor } = await setUp();
    await vendor.send(BUY, YES);
    const raw = local.requests[0]?.raw;
    expect(raw).toMatch(/^POST \/v2\/orders\/create HTTP\/1\.1\r\n/);
    expect(raw).toContain('\r\ncontent-type: application/json\r\n');
    expect(raw).toContain('\r\nconnection: close\r\n');
    expect(raw?.split(`\r\nauthorization: Bearer ${TOKEN}\r\n`)).toHaveLength(2);
    expect(bodyOf(raw)).toBe(
      '{"product_id":"lt-monthly","type":"long-term","network_type":"residential","quantity":3,"payment_method":"balance",' +
        '"purchase_geo":{"allocations":[{"country_iso":"DE","qty":1},{"country_iso":"US","qty":2}]}}',
    );
    expect(local.balance).toBe('990.40');
    expect(local.orders).toMatchObject([{ quantity: 3, paid: '9.60' }]);
  });

  test.each(['1', '9007199254740993', '18446744073709551617', '9'.repeat(40)])(
    'renewing sends the order id as a bare integer with every digit: %s',
    async (orderId) => {
      const { local, vendor } = await setUp();
      local.addOrder({ id: orderId, quantity: 2 });
      const answer = await vendor.send({ ...RENEW, orderId } as typeof RENEW, YES);
      expect(bodyOf(local.requests[0]?.raw)).toBe(`{"order_id":${orderId},"renew_product_id":"lt-monthly"}`);
      expect(answer).toMatchObject({ outcome: 'completed', orderIds: [orderId] });
      expect(local.balance).toBe('993.60');
    },
  );

  test('reading the balance', async () => {
    const { local, vendor } = await setUp();
    await vendor.readBalance();
    expect(local.requests[0]?.raw).toMatch(/^GET \/v2\/balance HTTP\/1\.1\r\n/);
    expect(local.requests[0]?.raw).toContain('\r\ncontent-type: application/json\r\n');
    expect(bodyOf(local.requests[0]?.raw)).toBe('');
  });

  test.each(['', '/', '//'])('under a base URL with a path prefix and "%s" at its end', async (end) => {
    const local = await localVendor({ prefix: '/api/proxy' });
    const vendor = client(`${local.baseUrl}${end}`);
    expect(await vendor.readBalance()).toMatchObject({ ok: true });
    expect(await vendor.send(BUY, YES)).toMatchObject({ outcome: 'completed' });
  });
});
