import { describe, expect, test } from 'vitest';
import { loading, sentenceView } from '../../../views/blocks.ts';
import { addRow, type BuyDraft, newBuyDraft } from '../../../views/buy/draft.ts';
import { buyForm, countryOption, countryOptions, pasteView } from '../../../views/buy/form.ts';
import {
  accepted,
  blockIds,
  blocksOf,
  buttonsOf,
  LONGEST_BASKET,
  MONTHLY,
  money,
  NOW,
  POLICY,
  readsAs,
  rowIds,
  YEARLY,
} from '../fixture.ts';

const CONTEXT = { plans: [MONTHLY], maxPerOrder: 500, approvals: POLICY.approvals };

function draftWith(rows: number, overrides: Partial<BuyDraft> = {}): BuyDraft {
  const ids = rowIds();
  let draft = newBuyDraft([MONTHLY], { basket: [] }, ids);
  while (draft.rows.length < rows) draft = addRow(draft, ids);
  return { ...draft, ...overrides };
}

describe('the form', () => {
  test('has the labels and buttons of the contract', () => {
    const view = buyForm('d1', draftWith(1), CONTEXT);
    expect(view).toMatchObject({
      callback_id: 'buy',
      private_metadata: 'd1',
      title: { text: 'Buy proxies' },
      submit: { text: 'Review' },
    });
    expect(buttonsOf(view)).toEqual(['Remove', 'Add country', 'Paste a list', 'Save this basket']);
    expect(view.blocks.flatMap((block) => ('label' in block ? [block.label.text] : []))).toEqual([
      'Country',
      'Quantity',
      'Reason',
    ]);
  });

  test('asks for the plan only where there are several', () => {
    expect(blockIds(buyForm('d', draftWith(1), CONTEXT))).not.toContain('plan');
    expect(readsAs(buyForm('d', draftWith(1), CONTEXT))).toContain('Plan: Static residential, monthly');
    expect(blockIds(buyForm('d', draftWith(1, { plan: '' }), { ...CONTEXT, plans: [MONTHLY, YEARLY] }))).toContain(
      'plan',
    );
  });

  test('only an empty row among others is optional; what must be filled in is not called so', () => {
    const optional = (draft: BuyDraft) =>
      blocksOf(buyForm('d', draft, CONTEXT)).flatMap((block) =>
        block.type === 'input' && block.block_id?.startsWith('row:') ? [block.optional] : [],
      );
    expect(optional(draftWith(1))).toEqual([false, false]);
    expect(optional(draftWith(2))).toEqual([true, true, true, true]);
    const rows = [
      { id: 'a', country: 'US', quantity: '10' },
      { id: 'b', country: '', quantity: '' },
      { id: 'c', country: '', quantity: '5' },
    ];
    expect(optional(draftWith(1, { rows }))).toEqual([false, false, true, true, false, false]);
  });

  test('rows are numbered, each with its Remove beside the number', () => {
    const text = readsAs(buyForm('d', draftWith(2), CONTEXT));
    expect(text).toMatch(/Row 1.*\[Remove\].*Country.*Quantity.*Row 2.*\[Remove\].*Country.*Quantity/s);
  });

  test('a word that may mean several countries is named at the top and at its row, until one is chosen', () => {
    const unclear = { word: 'korea', codes: ['KR', 'KP'] };
    const row = { id: 'a', country: '', quantity: '5', unclear };
    const open = readsAs(buyForm('d', draftWith(1, { rows: [row] }), CONTEXT));
    expect(open).toMatch(/“korea” may mean South Korea or North Korea: choose the country in row 1/);
    expect(open).toMatch(/You typed “korea”/);
    expect(readsAs(buyForm('d', draftWith(1, { rows: [{ ...row, country: 'KR' }] }), CONTEXT))).not.toMatch(/may mean/);
  });

  test('more than an order may have is said at once', () => {
    const rows = [{ id: 'a', country: 'US', quantity: '600' }];
    expect(readsAs(buyForm('d', draftWith(1, { rows }), CONTEXT))).toMatch(
      /600 IPs are over the limit of 500 in one order/,
    );
    expect(readsAs(buyForm('d', draftWith(1), CONTEXT))).not.toMatch(/over the limit/);
  });

  test.each([
    [5, 0, '5 of 5 free IPs left today'],
    [5, 2, '3 of 5 free IPs left today'],
    [5, 15, '0 of 5 free IPs left today'],
    [0, 0, 'Every purchase needs approval'],
  ])('of %i free IPs and %i counted it says "%s"', (freeUpTo, counted, words) => {
    if (POLICY.approvals.mode === 'off') throw new Error('the policy has approvals');
    const approvals = { ...POLICY.approvals, freeUpTo };
    expect(readsAs(buyForm('d', draftWith(1, { counted }), { ...CONTEXT, approvals }))).toContain(words);
  });

  test('where nothing needs approval it says nothing of it', () => {
    const approvals = { mode: 'off', expireAfterMs: 1, sendWithinMs: 1 } as const;
    expect(readsAs(buyForm('d', draftWith(1), { ...CONTEXT, approvals }))).not.toMatch(/free|approval/);
  });

  test('says that only one more row fits before the last is added, and then offers none', () => {
    expect(readsAs(buyForm('d', draftWith(23), CONTEXT))).not.toMatch(/at most 25/);
    expect(readsAs(buyForm('d', draftWith(24), CONTEXT))).toMatch(/One more fits: an order has at most 25 countries/);
    const full = buyForm('d', draftWith(25), CONTEXT);
    expect(buttonsOf(full)).not.toContain('Add country');
    expect(readsAs(full)).toMatch(/25 countries in one order/);
  });

  test.each([
    [null, /Balance: reading the balance…/],
    [{ ok: true, balance: money('12.50'), at: NOW }, /Balance: \$12\.50, read 14:03 UTC/],
    [{ ok: true, balance: money('-3.20'), at: NOW }, /−\$3\.20, read .*nothing can be bought/],
    [
      { ok: false, at: NOW, why: 'status 502', retryAfterSeconds: 60 },
      /could not be read \(status 502; the vendor asks to wait 60 seconds\)/,
    ],
  ] as const)('tells the balance %j', (balance, words) => {
    expect(readsAs(buyForm('d', draftWith(1, { balance }), CONTEXT))).toMatch(words);
  });

  test('tells the total as of the last button', () => {
    const draft = newBuyDraft(
      [MONTHLY],
      {
        basket: [
          { country: 'US', quantity: 10 },
          { country: 'DE', quantity: 5 },
        ],
      },
      rowIds(),
    );
    expect(readsAs(buyForm('d', draft, CONTEXT))).toContain('Total 15 IPs (as of the last button pressed)');
  });

  test('shows a typed quantity above the limit, and none that Slack would refuse', () => {
    const first = (quantity: string) =>
      JSON.stringify(accepted(buyForm('d', draftWith(1, { rows: [{ id: 'a', country: 'US', quantity }] }), CONTEXT)));
    expect(first('600')).toContain('"initial_value":"600"');
    expect(first('1e3')).not.toContain('initial_value');
    expect(first('')).not.toContain('initial_value');
  });

  test('is accepted by Slack at its largest', () => {
    const draft = newBuyDraft([MONTHLY], { basket: LONGEST_BASKET }, rowIds());
    const long = { ...MONTHLY, name: '&'.repeat(75), productId: 'x'.repeat(75), termText: '&'.repeat(40) };
    const plans = Array.from({ length: 100 }, (_, index) => ({ ...long, productId: `${index}`.padStart(75, 'x') }));
    const balance = { ok: false, at: NOW, why: '&'.repeat(2_000) } as const;
    const view = buyForm('d'.repeat(64), { ...draft, reason: '&'.repeat(500), balance }, { ...CONTEXT, plans });
    accepted(view);
    accepted(buyForm('d', { ...draft, reason: '👍'.repeat(500) }, { ...CONTEXT, plans: [long] }));
    expect(new Set(blockIds(view)).size).toBe(blockIds(view).length);
  });
});

test('the paste view asks for one text', () => {
  const view = accepted(pasteView('d1'));
  expect(view).toMatchObject({ callback_id: 'paste', private_metadata: 'd1', title: { text: 'Paste a list' } });
});

test('countries are offered by name, with the code as value, 100 at most', () => {
  expect(countryOption('US')).toMatchObject({ text: { text: '🇺🇸 United States' }, value: 'US' });
  expect(countryOptions('germ')[0]?.value).toBe('DE');
  expect(countryOptions('').length).toBeLessThanOrEqual(100);
});

test('views that only say something are accepted', () => {
  accepted(loading('Buy proxies'));
  accepted(sentenceView('Buy proxies', 'No.'));
});
