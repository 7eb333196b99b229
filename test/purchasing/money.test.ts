import { describe, expect, test } from 'vitest';
import { compare, difference, formatDollars, isPositive, parseMoney } from '../../src/purchasing/model/money.ts';
import { money } from './fixture.ts';

describe('an amount keeps every digit it was given', () => {
  test.each([
    ['12.5', '12.5'],
    ['12.50', '12.50'],
    ['-3.2', '-3.2'],
    ['0', '0'],
    ['1.234', '1.234'],
    ['1e21', '1000000000000000000000'],
    ['1E+2', '100'],
    ['1.50e1', '15.0'],
    ['25e-3', '0.025'],
    ['9999997590000000', '9999997590000000'],
    ['9007199254740993', '9007199254740993'],
    ['0.30000000000000004', '0.30000000000000004'],
  ])('%s is %s', (text, expected) => {
    expect(parseMoney(text)).toBe(expected);
  });
});

test.each([
  ['-0', '0'],
  ['-0.00', '0.00'],
  ['-0e5', '0'],
])('there is no minus zero: %s is %s', (text, expected) => {
  expect(parseMoney(text)).toBe(expected);
});

describe('what would have to be guessed is no amount', () => {
  test.each([
    '1,234.50',
    '1.234,50',
    '1 234',
    "1'234",
    '',
    ' ',
    ' 1',
    '1\n',
    'N/A',
    'NaN',
    'Infinity',
    'true',
    'null',
    '{}',
    '+5',
    '.5',
    '5.',
    '007',
    '--1',
    '0x10',
    '1_000',
    '$5',
    '١٢',
    '\uff11\uff12',
    '1e',
    '1e999999999',
    '1e-999999999',
    '1e61',
    '9'.repeat(61),
  ])('%j', (text) => {
    expect(parseMoney(text)).toBeUndefined();
  });
});

describe('shown with a dollar sign, at least two decimals, and the minus in front', () => {
  test.each([
    ['12.5', '$12.50'],
    ['12.50', '$12.50'],
    ['12', '$12.00'],
    ['0', '$0.00'],
    ['-0.00', '$0.00'],
    ['-3.2', '−$3.20'],
    ['-0.001', '−$0.001'],
    ['1.234', '$1.234'],
    ['0.30000000000000004', '$0.30000000000000004'],
    ['1000100.01', '$1,000,100.01'],
    ['1e21', '$1,000,000,000,000,000,000,000.00'],
  ])('%s is %s', (text, expected) => {
    expect(formatDollars(money(text))).toBe(expected);
  });
});

test.each([
  ['0.3', '0.1', '0.2'],
  ['0.30000000000000004', '0.3', '0.00000000000000004'],
  ['990.40', '1000.00', '-9.60'],
  ['12.5', '12.50', '0.00'],
  ['9007199254740993', '9007199254740992', '1'],
])('the difference is exact: %s − %s = %s', (after, before, expected) => {
  expect(difference(money(after), money(before))).toBe(expected);
});

test.each([
  ['12.5', '12.50', 0],
  ['3.3', '3.30000000000000030000', -1],
  ['9007199254740993', '9007199254740992', 1],
  ['-1', '0', -1],
] as const)('amounts are compared exactly: %s to %s', (a, b, expected) => {
  expect(compare(money(a), money(b))).toBe(expected);
});

test.each([
  ['0.01', true],
  ['0.00', false],
  ['-0', false],
  ['-3.2', false],
])('%s is positive: %s', (text, expected) => {
  expect(isPositive(money(text))).toBe(expected);
});
