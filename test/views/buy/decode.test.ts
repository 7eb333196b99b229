import { describe, expect, test } from 'vitest';
import { decodeBuy } from '../../../views/buy/decode.ts';
import { type BuyDraft, newBuyDraft } from '../../../views/buy/draft.ts';
import { buyForm, pasteText } from '../../../views/buy/form.ts';
import { blockIds, MONTHLY, POLICY, rowIds, YEARLY } from '../fixture.ts';

function draftOf(rows: [string, string][], overrides: Partial<BuyDraft> = {}): BuyDraft {
  return {
    ...newBuyDraft(POLICY.plans, { basket: [] }, rowIds()),
    reason: 'crawler',
    rows: rows.map(([country, quantity], index) => ({ id: `${index}`, country, quantity })),
    ...overrides,
  };
}

const errorsOf = (draft: BuyDraft, policy = POLICY) => {
  const decoded = decodeBuy(draft, policy);
  const errors = decoded.ok ? {} : decoded.errors;
  // Slack shows an error only at an input of the submitted view (a single plan has none: the form is drawn anew); any other key is a failure of the whole view.
  const view = buyForm('d', draft, {
    plans: policy.plans,
    maxPerOrder: policy.limits.ipsPerOrder,
    approvals: policy.approvals,
  });
  for (const key of Object.keys(errors)) expect(['plan', ...blockIds(view)]).toContain(key);
  return errors;
};

describe('what would be bought', () => {
  test('is each country once, summed, in the order of the rows; empty rows are ignored', () => {
    const decoded = decodeBuy(
      draftOf([
        ['US', '10'],
        ['', ''],
        ['DE', '5'],
        ['US', ' 3 '],
        ['', ''],
      ]),
      POLICY,
    );
    expect(decoded).toEqual({
      ok: true,
      content: {
        kind: 'buy',
        plan: MONTHLY,
        basket: [
          { country: 'US', quantity: 13 },
          { country: 'DE', quantity: 5 },
        ],
      },
    });
  });
});

describe('what is wrong stands at its field', () => {
  test.each([
    ['a country without a quantity', [['US', '']], { 'row:0:quantity': 'Enter how many IPs.' }],
    ['a quantity without a country', [['', '5']], { 'row:0:country': 'Choose a country.' }],
    [
      'nothing at all',
      [
        ['', ''],
        ['', ''],
      ],
      { 'row:0:country': 'Choose a country.', 'row:0:quantity': 'Enter how many IPs.' },
    ],
    ['a country that is none', [['XX', '5']], { 'row:0:country': 'Choose a country from the list.' }],
    ['an inherited word', [['constructor', '5']], { 'row:0:country': 'Choose a country from the list.' }],
    ['zero', [['US', '0']], { 'row:0:quantity': 'At least 1.' }],
    ['too many digits', [['US', '99999999999999999999']], { 'row:0:quantity': 'That is too many.' }],
    ...['1e3', '10.5', '-1', '+5', '0x10', '10abc', '1,000', '½', '05'].map(
      (quantity): [string, [string, string][], object] => [
        quantity,
        [['US', quantity]],
        { 'row:0:quantity': 'Enter a whole number in plain digits.' },
      ],
    ),
    [
      'one wrong row of two',
      [
        ['US', '5'],
        ['DE', 'x'],
      ],
      { 'row:1:quantity': 'Enter a whole number in plain digits.' },
    ],
    [
      'a total above the limit',
      [
        ['US', '300'],
        ['DE', '201'],
        ['', ''],
      ],
      { 'row:1:quantity': 'That makes 501 IPs in all, and one order may have at most 500.' },
    ],
  ] as [string, [string, string][], object][])('%s', (_, rows, errors) => {
    expect(errorsOf(draftOf(rows))).toEqual(errors);
  });

  test('exactly the limit is enough', () => {
    expect(
      decodeBuy(
        draftOf([
          ['US', '300'],
          ['DE', '200'],
        ]),
        POLICY,
      ).ok,
    ).toBe(true);
  });

  test('a reason may be left out', () => {
    expect(errorsOf(draftOf([['US', '5']], { reason: '' }))).toEqual({});
  });

  test('a reason of 500 characters will do, one of 501 will not; an emoji is one', () => {
    expect(errorsOf(draftOf([['US', '5']], { reason: '👍'.repeat(500) }))).toEqual({});
    expect(errorsOf(draftOf([['US', '5']], { reason: 'x'.repeat(501) }))).toEqual({
      reason: 'At most 500 characters.',
    });
  });

  test('a plan that was not chosen, or is gone', () => {
    const two = { ...POLICY, plans: [MONTHLY, YEARLY] };
    expect(errorsOf(draftOf([['US', '5']], { plan: '' }), two)).toEqual({ plan: 'Choose a plan.' });
    expect(errorsOf(draftOf([['US', '5']], { plan: 'old' }), two)['plan']).toMatch(/no longer offered/);
    expect(errorsOf(draftOf([['US', '5']], { plan: 'old' }))['plan']).toMatch(
      /no longer offered: .*is the only one now/,
    );
  });
});

describe('a pasted list', () => {
  const read = (value: string) => pasteText({ paste: { paste_text: { value } } });

  test('is read like one that is typed', () => {
    expect(read('US 10\r\nDE 5, us 3')).toEqual({
      ok: true,
      content: {
        basket: [
          { country: 'US', quantity: 13 },
          { country: 'DE', quantity: 5 },
        ],
        unclear: [],
      },
    });
  });

  test.each([
    ['', /at least one country/],
    ['US 5\nFoo 5', /^Line 2: “Foo” is not a country\.$/],
    ['US 5\n\nFoo 5\nDE', /^Line 3: “Foo” is not a country\.\nLine 4: How many for “DE”\?/],
    ['US 1,000', /without marks between the digits/],
    ['Nowhere 5', /^“Nowhere” is not a country\.$/],
    ['aa 1\nbc 1\nxx 1\nyy 1\nzz 1\nqq 1\nww 1', /And 2 more\./],
  ])('%j says what is wrong at its field', (text, words) => {
    const reading = read(text);
    expect(reading.ok).toBe(false);
    if (!reading.ok) expect(reading.errors['paste']).toMatch(words);
  });

  test('a field that is not there is an empty one', () => {
    expect(pasteText({}).ok).toBe(false);
  });
});
