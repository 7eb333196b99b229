import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import './seeded.ts';
import { findOrderIds, parseJson } from '../../src/vendor-api/answer.ts';
import { toAnswer } from '../../src/vendor-api/outcome.ts';
import { writeOrderRequest } from '../../src/vendor-api/request.ts';
import { MONTHLY } from '../support/plan.ts';

const ENDPOINTS = { origin: 'https://vendor.example', balance: '/b', create: '/c', renew: '/r' };
const id = fc.bigInt({ min: 1n, max: 10n ** 40n - 1n }).map(String);

/** Where an answer may hold its id: at the top, deep, in lists, among other numbers; as a number or a string. */
const placed = fc
  .tuple(id, fc.boolean(), fc.array(fc.constantFrom('data', 'list', 'order'), { maxLength: 5 }))
  .map(([digits, quoted, path]) => {
    const inner = `"order_id":${quoted ? `"${digits}"` : digits},"other":12345678901234567890.50`;
    const body = path.reduceRight(
      (text, name) => (name === 'list' ? `"list":[{"n":1},{${text}}]` : `"${name}":{${text}}`),
      inner,
    );
    return { digits, text: `{"code":200,${body}}` };
  });

const RENEW = { kind: 'renew', plan: MONTHLY } as const;

describe('an order id goes through the vendor client with every digit', () => {
  test('out of an answer', () => {
    fc.assert(
      fc.property(placed, ({ digits, text }) => {
        const read = parseJson(Buffer.from(text));
        expect(read.ok && findOrderIds(read.value)).toEqual({ ids: [digits], mentioned: true });
        const exchange = { stage: 'answered', httpStatus: 200, headers: {}, body: Buffer.from(text) } as const;
        const answer = toAnswer(exchange, { startedAt: 1, endedAt: 2 }, (found) => found);
        expect(answer).toMatchObject({ outcome: 'completed', orderIds: [digits], rawBody: text });
      }),
    );
  });

  test('into a renewal, as the same bare integer', () => {
    fc.assert(
      fc.property(id, (orderId) => {
        const request = writeOrderRequest({ ...RENEW, orderId: orderId as OrderId }, ENDPOINTS);
        expect(request).toEqual({ path: '/r', body: `{"order_id":${orderId},"renew_product_id":"lt-monthly"}` });
      }),
    );
  });

  test('two different ones are none: only exactly one counts', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        const read = parseJson(Buffer.from(`{"code":200,"data":[{"order_id":${one}},{"order_id":"${other}"}]}`));
        expect(read.ok && findOrderIds(read.value).ids).toEqual(one === other ? [one] : [one, other]);
      }),
    );
  });

  test('what is no positive integer is never taken for one', () => {
    const odd = fc.oneof(
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((value) => !Number.isInteger(value) || value < 1)
        .map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '0',
        '-5',
        '1.0',
        '1e3',
        '"1e3"',
        '"12 3"',
        '" 12"',
        '"12.0"',
        '""',
        '"٣"',
        'true',
        '[7]',
        '{"id":7}',
        `"${'9'.repeat(41)}"`,
      ),
    );
    fc.assert(
      fc.property(odd, (value) => {
        const read = parseJson(Buffer.from(`{"code":200,"order_id":${value}}`));
        expect(read.ok && findOrderIds(read.value)).toEqual({ ids: [], mentioned: true });
      }),
    );
  });
});
