import { describe, expect, test } from 'vitest';
import { decodeBasket } from '../../../views/buy/decode.ts';
import {
  addRow,
  type BuyDraft,
  chooseSaved,
  MAX_ROWS,
  newBuyDraft,
  pasteRows,
  planBlock,
  removeRow,
  tooManyCountries,
  totalSoFar,
  unfinishedRows,
  withTyped,
} from '../../../views/buy/draft.ts';
import { LONGEST_BASKET, MONTHLY, rowIds, YEARLY } from '../fixture.ts';

const US = { country: 'US', quantity: 10 };
const DE = { country: 'DE', quantity: 5 };
const KOREA = { word: 'korea', codes: ['KR', 'KP'], quantity: 5 };

function draftOf(rows: BuyDraft['rows']): BuyDraft {
  return { ...newBuyDraft([MONTHLY], { basket: [] }, rowIds()), rows };
}

function shown({ rows }: BuyDraft): string[] {
  return rows.map(({ id, country, quantity }) => `${id} ${country || '-'} ${quantity || '-'}`);
}

describe('a new draft', () => {
  test('has an empty row where nothing was typed, else the rows typed', () => {
    expect(shown(newBuyDraft([MONTHLY], { basket: [] }, rowIds()))).toEqual(['r1 - -']);
    expect(shown(newBuyDraft([MONTHLY], { basket: [US, DE] }, rowIds()))).toEqual(['r1 US 10', 'r2 DE 5']);
  });

  test.each([
    ['the only one', [MONTHLY], undefined, 'lt-monthly'],
    ['none where there is a choice', [MONTHLY, YEARLY], undefined, ''],
    ['the one used last', [MONTHLY, YEARLY], 'lt-yearly', 'lt-yearly'],
    ['none where the one used last is gone', [MONTHLY, YEARLY], 'gone', ''],
  ] as const)('presets %s', (_, plans, plan, preset) => {
    expect(newBuyDraft(plans, { basket: [], plan }, rowIds()).plan).toBe(preset);
  });

  test('keeps what was unclear as a row without a country, to be chosen', () => {
    const draft = newBuyDraft([MONTHLY], { basket: [US], unclear: [KOREA], reason: 'again' }, rowIds());
    expect(shown(draft)).toEqual(['r1 US 10', 'r2 - 5']);
    expect(draft.rows[1]?.unclear).toEqual({ word: 'korea', codes: ['KR', 'KP'] });
    expect(draft.unreported).toEqual(['plan', 'reason', 'row:r1:country', 'row:r1:quantity', 'row:r2:quantity']);
  });

  test('never drops a country: more than fit are refused with a reason', () => {
    expect(tooManyCountries(MAX_ROWS)).toBeUndefined();
    expect(tooManyCountries(26)).toMatch(/26 countries.*at most 25/);
    expect(() => newBuyDraft([MONTHLY], { basket: Array.from({ length: 26 }, () => US) }, rowIds())).toThrow(
      RangeError,
    );
  });
});

describe('what is typed', () => {
  const draft = draftOf([
    { id: 'a', country: 'US', quantity: '10' },
    { id: 'b', country: 'DE', quantity: '5' },
  ]);

  test('replaces the draft; what the state does not know keeps it', () => {
    const typed = withTyped(draft, {
      'row:a:country': { country: { selected_option: { value: 'FR' } } },
      'row:a:quantity': { quantity: { value: '7' } },
      reason: { reason: { value: 'R&amp;D &amp;lt;' } },
    });
    expect(shown(typed)).toEqual(['a FR 7', 'b DE 5']);
    expect(typed.reason).toBe('R&D &lt;');
  });

  test('an emptied field is empty, whether it comes as null or without a value', () => {
    const typed = withTyped(draft, {
      'row:a:country': { country: { selected_option: null } },
      'row:a:quantity': { quantity: {} },
      'row:b:quantity': { quantity: { value: null } },
    });
    expect(shown(typed)).toEqual(['a - -', 'b DE -']);
  });

  test('inherited names are no fields', () => {
    expect(withTyped(draftOf([{ id: 'constructor', country: '', quantity: '' }]), {}).rows).toHaveLength(1);
  });
});

describe('rows', () => {
  test('removing one leaves the others under their own ids', () => {
    const draft = newBuyDraft([MONTHLY], { basket: [US, DE, { country: 'FR', quantity: 1 }] }, rowIds());
    expect(shown(removeRow(draft, 'r2', rowIds()))).toEqual(['r1 US 10', 'r3 FR 1']);
  });

  test('removing the last empties it, under a new id', () => {
    const ids = rowIds();
    expect(shown(removeRow(newBuyDraft([MONTHLY], { basket: [US] }, ids), 'r1', ids))).toEqual(['r2 - -']);
  });

  test('there are never more than 25', () => {
    const ids = rowIds();
    let draft = newBuyDraft([MONTHLY], { basket: [] }, ids);
    for (let count = 0; count < 40; count += 1) draft = addRow(draft, ids);
    expect(draft.rows).toHaveLength(MAX_ROWS);
  });

  test('the total is of what can be read', () => {
    expect(
      totalSoFar(
        draftOf([
          { id: 'a', country: '', quantity: '7' },
          { id: 'b', country: 'US', quantity: '1e3' },
        ]),
      ),
    ).toBe(7);
  });
});

describe('a pasted list', () => {
  test.each([
    ['replaces empty rows', [['a', '', '']], [US], ['r1 US 10']],
    ['joins filled ones', [['a', 'FR', '1']], [DE], ['a FR 1', 'r1 DE 5']],
    [
      'sums a country that is there, under a new id',
      [
        ['a', 'US', '3'],
        ['b', 'FR', '1'],
      ],
      [US],
      ['r1 US 13', 'b FR 1'],
    ],
    ['fills in a quantity that is missing', [['a', 'US', '']], [US], ['r1 US 10']],
    ['keeps a row that has to be mended', [['a', 'US', '1e3']], [US], ['a US 1e3', 'r1 US 10']],
    ['keeps a half-filled row', [['a', '', '4']], [US], ['a - 4', 'r1 US 10']],
  ] as [string, [string, string, string][], (typeof US)[], string[]][])('%s', (_, rows, pasted, expected) => {
    const draft = draftOf(rows.map(([id, country, quantity]) => ({ id, country, quantity })));
    const joined = pasteRows(draft, { basket: pasted, unclear: [] }, rowIds());
    if (!joined.ok) throw new Error('refused');
    expect(shown(joined.content)).toEqual(expected);
  });

  test('that is unclear about a country joins as a row to be chosen', () => {
    const joined = pasteRows(
      draftOf([{ id: 'a', country: '', quantity: '' }]),
      { basket: [US], unclear: [KOREA] },
      rowIds(),
    );
    if (!joined.ok) throw new Error('refused');
    expect(shown(joined.content)).toEqual(['r1 US 10', 'r2 - 5']);
    expect(withTyped(joined.content, {}).rows[1]?.unclear?.word).toBe('korea');
  });

  test('that makes more than 25 rows is refused, and nothing is added', () => {
    const draft = newBuyDraft([MONTHLY], { basket: [{ country: 'NO', quantity: 1 }] }, rowIds());
    const others = LONGEST_BASKET.filter(({ country }) => country !== 'NO');
    expect(pasteRows(draft, { basket: others.slice(0, 24), unclear: [] }, rowIds()).ok).toBe(true);
    expect(
      pasteRows(draft, { basket: [...others.slice(0, 24), { country: 'SE', quantity: 1 }], unclear: [] }, rowIds()),
    ).toEqual({
      ok: false,
      errors: { paste: 'That makes 26 countries, and one order takes at most 25. Nothing was added.' },
    });
  });
});

describe('a saved basket that is chosen', () => {
  const EU = { name: 'EU', basket: [DE], plan: YEARLY.productId };
  const both = [MONTHLY, YEARLY];
  const choose = (over: Partial<typeof EU> | { plan: null }, plans = both, from: Partial<BuyDraft> = {}) =>
    chooseSaved({ ...draftOf([]), plan: MONTHLY.productId, ...from }, { ...EU, ...over }, plans, rowIds());

  test.each([
    ['comes with its plan', choose({}), YEARLY.productId, 'plan:1', 'added'],
    [
      'leaves the plan where it is that already',
      choose({ plan: MONTHLY.productId }),
      MONTHLY.productId,
      'plan',
      'added',
    ],
    ['leaves the plan where it has none', choose({ plan: null }), MONTHLY.productId, 'plan', 'added'],
    ['leaves the plan where its own is gone, and says so', choose({}, [MONTHLY]), MONTHLY.productId, 'plan', 'problem'],
    ['sets it once more in a field of its own', choose({}, both, { planSet: 1 }), YEARLY.productId, 'plan:2', 'added'],
  ])('%s', (_, draft, plan, block, how) => {
    expect(draft.plan).toBe(plan);
    expect(planBlock(draft)).toBe(block);
    expect(draft.said?.how).toBe(how);
    expect(shown(draft)).toEqual(['r1 DE 5']);
    expect(draft.unreported.includes(block)).toBe(plan === YEARLY.productId || block === 'plan');
  });

  test('joins the rows as a pasted list does', () => {
    const rows = [
      { id: 'a', country: 'DE', quantity: '2' },
      { id: 'b', country: '', quantity: '' },
      { id: 'c', country: 'FR', quantity: 'x' },
    ];
    expect(shown(choose({}, both, { rows }))).toEqual(['r1 DE 7', 'c FR x']);
  });

  test('that does not fit changes neither rows nor plan, and says why', () => {
    const rows = LONGEST_BASKET.map(({ country, quantity }, n) => ({ id: `${n}`, country, quantity: `${quantity}` }));
    const absent = { basket: [{ country: 'AX', quantity: 1 }] };
    const draft = choose(absent, both, { rows });
    expect(draft).toMatchObject({ rows, plan: MONTHLY.productId });
    expect(draft.said).toEqual({ how: 'problem', text: expect.stringMatching(/26 countries.*Nothing was added/) });
  });
});

describe('rows that are not finished', () => {
  test('are told one by one, in plain words', () => {
    const rows = [
      { id: 'a', country: 'US', quantity: '1' },
      { id: 'b', country: '', quantity: 'x' },
      { id: 'c', country: 'FR', quantity: '' },
    ];
    const draft = draftOf(rows);
    const decoded = decodeBasket(draft);
    expect(decoded.ok ? '' : unfinishedRows(draft, decoded.errors)).toBe(
      'Something is still missing in the form. Nothing was saved.\n' +
        '• Row 2: Choose a country. Enter a whole number in plain digits.\n• Row 3: Enter how many IPs.',
    );
  });
});
