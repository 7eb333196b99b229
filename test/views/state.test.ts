import { describe, expect, test } from 'vitest';
import { fieldsOf, planShown, type Values } from '../../views/state.ts';
import { MONTHLY, YEARLY } from './fixture.ts';

const MISSING: Values = {};
const NULL: Values = { plan: { plan: { selected_option: null } } };
const chosen = (value: string): Values => ({ plan: { plan: { selected_option: { value } } } });

describe('a field that was shown as "before"', () => {
  test.each([
    ['opened with it: missing in the state, it stands', [], MISSING, 'before', []],
    ['opened with it: null, it was emptied by hand', [], NULL, '', []],
    ['opened with it: another value, it was changed', [], chosen('after'), 'after', []],
    ['updated with it: missing, it is not reported yet and stands', ['plan'], MISSING, 'before', ['plan']],
    ['updated with it: null, it is not reported yet and stands', ['plan'], NULL, 'before', ['plan']],
    ['updated with it: a value, from then on it is reported', ['plan'], chosen('before'), 'before', []],
    ['updated with it: another value, it was changed', ['plan'], chosen('after'), 'after', []],
  ] as const)('%s', (_, unreported, values, value, left) => {
    const fields = fieldsOf(values, unreported);
    expect(fields.chosen('plan', 'plan', 'before')).toBe(value);
    expect(fields.unreported()).toEqual(left);
  });

  test('texts and numbers are read by the same rule, and one field says nothing of another', () => {
    const values: Values = { a: { x: { value: null } }, b: { x: { value: null } }, c: { x: { value: 'R&amp;D' } } };
    const fields = fieldsOf(values, ['a', 'c']);
    expect(fields.raw('a', 'x', '5')).toBe('5');
    expect(fields.raw('b', 'x', '5')).toBe('');
    expect(fields.typed('c', 'x', 'old')).toBe('R&D');
    expect(fields.unreported()).toEqual(['a']);
  });
});

test.each([
  ['is the chosen one while it is offered', 'lt-yearly', [MONTHLY, YEARLY], 'lt-yearly'],
  ['is none where the chosen one is gone and there is a choice', 'gone', [MONTHLY, YEARLY], ''],
  ['is the only one there is', 'gone', [MONTHLY], 'lt-monthly'],
  ['is the only one where none was chosen', '', [MONTHLY], 'lt-monthly'],
] as const)('the plan that a form shows %s', (_, productId, plans, shown) => {
  expect(planShown(productId, plans)).toBe(shown);
});
