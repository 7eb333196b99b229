import { describe, expect, test } from 'vitest';
import { parseAllocations } from '../../src/input/allocations.ts';
import { parseOrderId, parseQuantity } from '../../src/input/fields.ts';

describe('a number field', () => {
  test.each([
    ['5', 5],
    [' 5 ', 5],
    ['５', 5],
    ['999999999', 999_999_999],
  ])('%j is %i', (text, quantity) => {
    expect(parseQuantity(text)).toEqual({ ok: true, quantity });
  });

  test.each([
    [null, 'quantity_missing'],
    [undefined, 'quantity_missing'],
    ['', 'quantity_missing'],
    [' ', 'quantity_missing'],
    ['0', 'quantity_zero'],
    ['1000000000', 'quantity_too_large'],
    ['1e3', 'quantity_not_whole'],
    ['10.5', 'quantity_not_whole'],
    ['-1', 'quantity_not_whole'],
    ['5 5', 'quantity_not_whole'],
    ['1,000', 'quantity_not_whole'],
  ])('%j is refused', (text, problem) => {
    expect(parseQuantity(text)).toMatchObject({ ok: false, problem });
  });
});

describe('a pasted list', () => {
  test('of a spreadsheet, with tabs and empty lines, is read', () => {
    expect(parseAllocations('US\t10\r\n\r\nde\t5\r\nUS\t3\r\n')).toEqual({
      basket: [
        { country: 'US', quantity: 13 },
        { country: 'DE', quantity: 5 },
      ],
      unclear: [],
      problems: [],
    });
  });

  test('of nothing is an empty basket', () => {
    expect(parseAllocations(' \n,')).toEqual({ basket: [], unclear: [], problems: [] });
  });

  test('with wrong rows names each row, its line and the word at fault', () => {
    expect(parseAllocations('US 10\nFoo 5\nFR 1,000\nDE').problems).toEqual([
      { line: 2, row: 'Foo 5', token: 'Foo', problem: 'country_unknown' },
      { line: 3, row: 'FR 1,000', token: '1,000', problem: 'digits_grouped' },
      { line: 4, row: 'DE', token: 'DE', problem: 'quantity_missing' },
    ]);
  });

  test('of 150 rows is read whole', () => {
    expect(parseAllocations('US 1\n'.repeat(150)).basket).toEqual([{ country: 'US', quantity: 150 }]);
  });
});

describe('an order id entered in a field', () => {
  test('is read as after /proxy renew', () => {
    expect(parseOrderId(' #00123 ')).toEqual({ ok: true, orderId: '123' });
    expect(parseOrderId('12 34')).toEqual({ ok: false, problem: 'order_id_not_digits', token: '12 34' });
  });
});
