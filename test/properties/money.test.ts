import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import './seeded.ts';
import {
  compare,
  difference,
  formatDollars,
  isPositive,
  type Money,
  parseMoney,
} from '../../src/purchasing/model/money.ts';

/** An amount as whole units of 10^-decimals: what no decimal library can get wrong. */
interface Scaled {
  readonly units: bigint;
  readonly decimals: number;
}

const amount: fc.Arbitrary<Scaled> = fc.record({
  units: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  decimals: fc.integer({ min: 0, max: 18 }),
});

function plain({ units, decimals }: Scaled): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

function scaledTo({ units, decimals }: Scaled, to: number): bigint {
  return units * 10n ** BigInt(to - decimals);
}

function money(text: string): Money {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`not money: ${text}`);
  return parsed;
}

const finer = (a: Scaled, b: Scaled) => Math.max(a.decimals, b.decimals);

describe('money agrees with arithmetic on whole units', () => {
  test('when it is read: every digit and every decimal', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseMoney(plain(value))).toBe(plain(value));
      }),
    );
  });

  test('when it is written with an exponent', () => {
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: -12, max: 12 }),
        fc.constantFrom('e', 'E', 'e+'),
        (value, exponent, letter) => {
          const sign = exponent < 0 && letter === 'e+' ? 'e' : letter;
          const read = money(`${plain(value)}${sign}${exponent}`);
          const decimals = Math.max(0, value.decimals - exponent);
          const units = value.units * 10n ** BigInt(decimals - value.decimals + exponent);
          expect(read).toBe(plain({ units, decimals }));
        },
      ),
    );
  });

  test('when it is subtracted, to the last digit', () => {
    fc.assert(
      fc.property(amount, amount, (after, before) => {
        const decimals = finer(after, before);
        const units = scaledTo(after, decimals) - scaledTo(before, decimals);
        expect(difference(money(plain(after)), money(plain(before)))).toBe(plain({ units, decimals }));
      }),
    );
  });

  test('when it is compared', () => {
    const near = amount.chain((a) =>
      fc.tuple(fc.constant(a), fc.oneof(amount, fc.constant(a), fc.constant({ ...a, units: a.units + 1n }))),
    );
    fc.assert(
      fc.property(near, ([a, b]) => {
        const decimals = finer(a, b);
        const [left, right] = [scaledTo(a, decimals), scaledTo(b, decimals)];
        const expected = left === right ? 0 : left < right ? -1 : 1;
        expect(compare(money(plain(a)), money(plain(b)))).toBe(expected);
        expect(isPositive(money(plain(a)))).toBe(a.units > 0n);
      }),
    );
  });

  test('when it is shown: the same amount, with at least two decimals', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const shown = formatDollars(money(plain(value)));
        expect(shown).toMatch(/^−?\$(?:0|[1-9][0-9]{0,2}(?:,[0-9]{3})*)\.[0-9]{2,}$/);
        const decimals = Math.max(2, value.decimals);
        expect(shown.replace('$', '').replace('−', '-').replaceAll(',', '')).toBe(
          plain({ units: scaledTo(value, decimals), decimals }),
        );
      }),
    );
  });
});

test('text is an amount only where nothing has to be guessed', () => {
  const piece = fc.constantFrom(
    '0',
    '1',
    '9',
    '12',
    '.',
    ',',
    ' ',
    '-',
    '+',
    'e',
    'E',
    '_',
    '$',
    '١',
    '\u2212',
    '\n',
    'Infinity',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: piece, maxLength: 10 }), fc.string({ unit: 'binary' })), (text) => {
      const read = parseMoney(text);
      const grammar = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
      expect(read !== undefined && !grammar).toBe(false);
      if (read !== undefined) expect(read).toMatch(/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/);
    }),
    { numRuns: 500 },
  );
});
