import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../commands/parse.ts';
import { parseAllocations } from '../../src/input/allocations.ts';
import { parseOrderId, parseQuantity } from '../../src/input/fields.ts';
import { type Allocation, mergeBasket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import { contentKey } from '../../src/purchasing/model/purchase.ts';
import { MONTHLY, YEARLY } from '../views/fixture.ts';

import './seeded.ts';

const country = fc.constantFrom('US', 'DE', 'GB', 'FR', 'NO', 'JP', 'BR');
const rows = fc.array(fc.record({ country, quantity: fc.integer({ min: 1, max: 999_999_999 }) }), {
  minLength: 1,
  maxLength: 12,
});

/** The same text as keyboards, Slack and copying may deliver it. */
function typedAs(text: string): fc.Arbitrary<string> {
  const characters = Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    const wide = code > 0x20 && code < 0x7f ? [String.fromCharCode(code + 0xfee0)] : [];
    return fc
      .tuple(fc.constantFrom('', '', '', '\u200b', '\ufeff', '\u2060'), fc.constantFrom(character, character, ...wide))
      .map((pair) => pair.join(''));
  });
  return fc.tuple(...characters).map((parts) => parts.join(''));
}

const blank = fc.constantFrom(' ', '  ', '\t', '\u3000', '\u00a0');
const written = rows.chain((list) =>
  fc
    .tuple(
      ...list.map(({ country: code, quantity }) =>
        fc
          .tuple(fc.constantFrom(code, code.toLowerCase()).chain(typedAs), blank, typedAs(String(quantity)))
          .map((parts) => parts.join('')),
      ),
    )
    .chain((typed) =>
      fc.tuple(
        fc.constant(list),
        fc.constantFrom(', ', '\n', ',', ' , ', '\r\n', '，', ',,\n').map((between) => typed.join(between)),
      ),
    ),
);

/** Sums by hand. */
function summed(list: readonly Allocation[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of list) sums.set(row.country, (sums.get(row.country) ?? 0) + row.quantity);
  return sums;
}

describe('countries and quantities', () => {
  test('are read as they were meant, however they were typed', () => {
    fc.assert(
      fc.property(written, ([list, text]) => {
        const reading = parseAllocations(text);
        expect(reading).toEqual({ basket: mergeBasket(list), unclear: [], problems: [] });
        expect(new Map(reading.basket.map((row) => [row.country, row.quantity]))).toEqual(summed(list));
        expect(parseCommand(`buy ${text}`)).toEqual({ verb: 'buy', basket: mergeBasket(list), unclear: [] });
      }),
      { numRuns: 300 },
    );
  });

  test('are the same content exactly when each country has the same sum, whatever the order and the pieces', () => {
    fc.assert(
      fc.property(rows, rows, fc.boolean(), (a, b, samePlan) => {
        const key = (list: readonly Allocation[], plan = MONTHLY) =>
          contentKey({ kind: 'buy', plan, basket: mergeBasket(list) });
        const same =
          [...summed(a)].every(([code, sum]) => summed(b).get(code) === sum) && summed(a).size === summed(b).size;
        expect(key(a) === key(b, samePlan ? MONTHLY : YEARLY)).toBe(same && samePlan);
        expect(key(a)).toBe(key(a.toReversed()));
        expect(totalQuantity(mergeBasket(a))).toBe(a.reduce((sum, { quantity }) => sum + quantity, 0));
      }),
    );
  });

  test('with a mark between the digits are refused: 1,000 is neither 1 nor 1000', () => {
    const mark = fc.constantFrom(',', '.', "'", '_', ' ', '\u00a0', '，', '٬');
    fc.assert(
      fc.property(
        country,
        fc.integer({ min: 1, max: 999 }),
        mark,
        fc.integer({ min: 0, max: 999 }),
        (code, thousands, between, rest) => {
          const text = `${code} ${thousands}${between}${String(rest).padStart(3, '0')}`;
          expect(parseAllocations(text).problems, text).toHaveLength(1);
        },
      ),
    );
  });
});

test('a quantity is what a person reads in it, or is refused', () => {
  const digits = fc.string({
    unit: fc.constantFrom('0', '1', '5', '9', '.', ',', 'e', '-', '+', ' ', 'x', '²', '٣', '½'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.oneof(digits, fc.integer().map(String), fc.double().map(String)), (text) => {
      const reading = parseQuantity(text);
      const whole = /^[1-9][0-9]{0,8}$/.test(text.trim());
      expect(reading.ok).toBe(whole);
      if (reading.ok) expect(String(reading.quantity)).toBe(text.trim());
    }),
    { numRuns: 500 },
  );
});

describe('an order id', () => {
  const id = fc.bigInt({ min: 1n, max: 10n ** 40n - 1n });

  test('keeps every digit, whatever a copy brings along', () => {
    const wrap = fc.constantFrom<(digits: string) => string>(
      (digits) => digits,
      (digits) => `#${digits}`,
      (digits) => `<${digits}>`,
      (digits) => `&lt;${digits}&gt;`,
      (digits) => `<tel:${digits}|${digits}>`,
      (digits) => `<https://vendor.example/orders/${digits}|${digits}>`,
      (digits) => `  ${digits}\u200b\n`,
    );
    fc.assert(
      fc.property(id, fc.integer({ min: 0, max: 3 }), wrap, (value, zeros, around) => {
        const digits = '0'.repeat(zeros) + value.toString();
        if (digits.length > 40) return;
        const typed = around(digits);
        expect(parseOrderId(typed), typed).toEqual({ ok: true, orderId: value.toString() });
        expect(parseCommand(`renew ${typed}`), typed).toEqual({ verb: 'renew', orderId: value.toString() });
      }),
    );
  });

  test('typed in full-width digits is the same', () => {
    fc.assert(
      fc.property(
        id.chain((value) => fc.tuple(fc.constant(value), typedAs(value.toString()))),
        ([value, typed]) => {
          expect(parseOrderId(typed)).toEqual({ ok: true, orderId: value.toString() });
        },
      ),
    );
  });

  test('of a link that points elsewhere is refused', () => {
    fc.assert(
      fc.property(id, id, (shown, target) => {
        fc.pre(shown !== target);
        expect(parseOrderId(`<https://vendor.example/orders/${target}|${shown}>`).ok).toBe(false);
        expect(parseOrderId(`<tel:${target}|${shown}>`).ok).toBe(false);
      }),
    );
  });

  test('of anything else than digits is refused', () => {
    const near = fc
      .tuple(fc.stringMatching(/^[1-9][0-9]{0,8}$/), fc.constantFrom('.', ',', 'e3', '.0', '-', 'x', '٣', ' 1', '²'))
      .map((parts) => parts.join(''));
    fc.assert(fc.property(near, (text) => !parseOrderId(text).ok));
  });
});
