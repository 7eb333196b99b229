import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeBasket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import { contentKey } from '../../src/purchasing/model/purchase.ts';
import { MONTHLY } from '../views/fixture.ts';

const rows = fc.array(
  fc.record({ country: fc.constantFrom('US', 'DE', 'GB', 'NO'), quantity: fc.integer({ min: 1, max: 999_999_999 }) }),
);

describe('a basket', () => {
  test('sums rows of one country, each where it was typed first', () => {
    const typed = [
      { country: 'US', quantity: 10 },
      { country: 'DE', quantity: 5 },
      { country: 'US', quantity: 3 },
    ];
    expect(mergeBasket(typed)).toEqual([
      { country: 'US', quantity: 13 },
      { country: 'DE', quantity: 5 },
    ]);
  });

  test('is the same content in whatever order and pieces it was typed', () => {
    fc.assert(
      fc.property(rows, (typed) => {
        const basket = mergeBasket(typed);
        const key = (of: typeof basket) => contentKey({ kind: 'buy', plan: MONTHLY, basket: of });
        expect(key(mergeBasket(typed.toReversed()))).toBe(key(basket));
        expect(mergeBasket(basket)).toEqual(basket);
        expect(new Set(basket.map(({ country }) => country)).size).toBe(basket.length);
        expect(totalQuantity(basket)).toBe(totalQuantity(typed));
      }),
    );
  });

  test('leaves the rows it was given alone', () => {
    const typed = Object.freeze([
      Object.freeze({ country: 'US', quantity: 1 }),
      Object.freeze({ country: 'US', quantity: 2 }),
    ]);
    expect(mergeBasket(typed)).toEqual([{ country: 'US', quantity: 3 }]);
  });

  test.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses the quantity %s', (quantity) => {
    expect(() => mergeBasket([{ country: 'US', quantity }])).toThrow(RangeError);
  });

  test.each(['us', 'USA', '', '__proto__'])('refuses the country %j', (country) => {
    expect(() => mergeBasket([{ country, quantity: 1 }])).toThrow(RangeError);
  });

  test('refuses a total that could not be told exactly', () => {
    const large = [
      { country: 'DE', quantity: Number.MAX_SAFE_INTEGER },
      { country: 'US', quantity: 1 },
    ];
    expect(() => totalQuantity(large)).toThrow(RangeError);
    expect(() => mergeBasket(large)).toThrow(RangeError);
  });
});
