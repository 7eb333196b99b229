import { describe, expect, test } from 'vitest';
import {
  among,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  recordOf,
  type Shape,
  text,
  yes,
  yesOrNo,
} from '../../src/ledger/shapes.ts';

const kept = object({ id: text, term: nullable(object({ unit: among(['day', 'month']) })) }, { short: yes });
const either = oneOf(object({ amount: number }), object({ missing: listOf(text) }));

describe('what a JSON column holds', () => {
  test.each<[string, Shape<unknown>, unknown]>([
    ['with nothing that may be left out', kept, { id: 'a', term: null }],
    ['with what may be left out', kept, { id: 'a', term: { unit: 'day' }, short: true }],
    ['with fields of a newer version', kept, { id: 'a', term: { unit: 'day', added: 1 }, added: {} }],
    ['in its first form', either, { amount: 0 }],
    ['in its other form', either, { missing: ['US', ''] }],
    ['as an empty list', listOf(text), []],
    ['as a record of any names', recordOf(number), JSON.parse('{"__proto__":1,"constructor":2}')],
  ])('fits %s', (_, shape, value) => {
    expect(shape.fault(value)).toBeNull();
  });

  test.each<[string, Shape<unknown>, unknown, string, string]>([
    ['no object', kept, null, '', 'not an object'],
    ['a list', kept, [], '', 'not an object'],
    ['without a field', kept, { term: null }, 'id', 'not a text'],
    ['with a field that every object has', object({ constructor: text }), {}, 'constructor', 'not a text'],
    ['with an unknown word', kept, { id: 'a', term: { unit: 'year' } }, 'term.unit', 'none of those that are known'],
    ['with null for what may only be left out', kept, { id: 'a', term: null, short: null }, 'short', 'not true'],
    ['with a wrong entry', listOf(object({ at: number })), [{ at: 1 }, { at: '1' }], '1.at', 'not a number'],
    ['no list', listOf(text), { length: 0 }, '', 'not a list'],
    [
      'with a wrong value under its own name',
      recordOf(number),
      JSON.parse('{"__proto__":"x"}'),
      '__proto__',
      'not a number',
    ],
    ['a number without end', number, Number.POSITIVE_INFINITY, '', 'not a number'],
    ['a number for a yes', yesOrNo, 1, '', 'neither true nor false'],
    ['in neither form', either, { missing: [1] }, 'missing.0', 'not a text'],
  ])('does not fit: %s', (_, shape, value, place, what) => {
    const fault = shape.fault(value);
    expect([fault?.path.join('.'), fault?.what]).toEqual([place, what]);
  });
});
