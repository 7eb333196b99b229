import { expect, test } from 'vitest';
import { isOrderId, orderIdOf } from '../../src/purchasing/model/order-id.ts';

test.each([
  ['9007199254740993', '9007199254740993'],
  ['0042', '42'],
  ['9'.repeat(40), '9'.repeat(40)],
  [`0${'9'.repeat(40)}`, '9'.repeat(40)],
  ['9'.repeat(41), undefined],
  ['0', undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  [' 1', undefined],
  ['1\n', undefined],
  ['１２', undefined],
])('the digits %j are the order %s', (digits, orderId) => {
  expect(orderIdOf(digits)).toBe(orderId);
  expect(isOrderId(digits)).toBe(orderId === digits);
});
