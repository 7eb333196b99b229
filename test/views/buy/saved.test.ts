import { describe, expect, test } from 'vitest';
import { BASKETS_AT_MOST, LONGEST_BASKET_NAME } from '../../../src/purchasing/model/saved-basket.ts';
import type { ListedBasket } from '../../../src/purchasing/saved-baskets.ts';
import { type BuyDraft, newBuyDraft } from '../../../views/buy/draft.ts';
import { buyForm } from '../../../views/buy/form.ts';
import { basketOption, manageView, renameView, saveView } from '../../../views/buy/saved.ts';
import {
  ANN,
  accepted,
  blocksOf,
  buttonsOf,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  NOW,
  POLICY,
  readsAs,
  rowIds,
  YEARLY,
} from '../fixture.ts';

const ID = '5b5ad1f4-6a7a-4a1d-9d0a-0123456789ab';
const LIVE = '<!channel> *x* `y` <https://e.org|l> <@U0ANN> :tada: e.org \u202eb';
const EU: ListedBasket = {
  id: ID,
  name: 'Crawler, Europe',
  basket: [
    { country: 'US', quantity: 10 },
    { country: 'DE', quantity: 5 },
  ],
  plan: MONTHLY.productId,
  by: ANN,
  at: NOW,
  mayChange: true,
};
const NAMES = [
  ['of emoji alone', '👍'.repeat(LONGEST_BASKET_NAME)],
  ['of signs that Slack counts many times', '&'.repeat(LONGEST_BASKET_NAME)],
  ['of what could be live', LIVE],
  ['of one letter', 'x'],
] as const;

describe('the form', () => {
  const form = (over: Partial<BuyDraft>, plans = [MONTHLY]) =>
    buyForm(
      ID,
      { ...newBuyDraft(plans, { basket: [] }, rowIds()), ...over },
      {
        plans,
        maxPerOrder: 500,
        approvals: POLICY.approvals,
      },
    );

  test('offers saved baskets where there are any, above the rows', () => {
    expect(readsAs(form({}))).not.toMatch(/Saved baskets|Manage/);
    expect(readsAs(form({ anySaved: true }))).toMatch(/Saved baskets.*\[Manage\].*Row 1.*\[Save this basket\]/s);
  });

  test('tells what was done where it was pressed, and what was not at the top', () => {
    const told = (how: 'done' | 'added' | 'problem') => readsAs(form({ said: { how, text: 'It is so.' } }));
    expect(told('problem')).toMatch(/⚠️ It is so.*Row 1/s);
    expect(told('added')).toMatch(/✅ It is so.*Row 1/s);
    expect(told('done')).toMatch(/Save this basket.*✅ It is so.*Reason/s);
  });

  test.each(NAMES)('shows nothing live of a name %s', (_, name) => {
    for (const how of ['done', 'added', 'problem'] as const)
      expect(
        liveTokens(form({ said: { how, text: `Saved as “${name}”.` } })).filter((token) => !token.endsWith('*Row 1*')),
      ).toEqual([]);
  });

  test('with everything in it stays within the limits of Slack', () => {
    const rows = LONGEST_BASKET.map(({ country }, n) => ({ id: `${ID}${n}`, country, quantity: '999999999' }));
    const said = { how: 'problem', text: '&'.repeat(1_000) } as const;
    const reason = '👍'.repeat(500);
    accepted(form({ rows, said, reason, anySaved: true, chosen: 99_999, planSet: 99_999 }, [LONGEST_PLAN, YEARLY]));
  });
});

describe('the view in which a basket is saved', () => {
  test('shows exactly what is saved', () => {
    expect(readsAs(saveView('d', EU.basket, MONTHLY))).toMatch(
      /Save this basket.*Name.*15 IPs\n.*United States: 10\n.*Germany: 5\nPlan\nStatic residential, monthly.*\[Back\] \[Save\]/s,
    );
    expect(readsAs(saveView('d', EU.basket, undefined))).toMatch(/Plan\nnone chosen yet/);
    accepted(saveView(ID, LONGEST_BASKET, LONGEST_PLAN));
  });
});

describe('Manage', () => {
  test('lists each basket with whose it is, and its buttons only for whom they work', () => {
    const view = manageView('d', [EU, { ...EU, name: 'Asia', plan: 'gone', mayChange: false }], [MONTHLY]);
    expect(buttonsOf(view)).toEqual(['Rename', 'Remove']);
    expect(readsAs(view)).toMatch(
      /Crawler, Europe\n15 IPs: US 10, DE 5 · Static residential, monthly · saved by .*Asia\n.*a plan that is no longer offered/s,
    );
    expect(readsAs(view)).toContain('Whoever saved a basket renames or removes it; so does whoever approves.');
  });

  test('says that there is none, and what to do', () => {
    expect(readsAs(manageView('d', [], [MONTHLY]))).toContain(
      'There are none. Put one together with /proxy buy, and press Save this basket.',
    );
  });

  test('holds as many as there can be, with the longest names', () => {
    for (const [, name] of NAMES) {
      const all = Array.from({ length: BASKETS_AT_MOST }, (_, n) => ({
        ...EU,
        id: `${ID}${n}`,
        name,
        basket: LONGEST_BASKET,
        mayChange: n > 0,
        plan: LONGEST_PLAN.productId,
      }));
      const view = accepted(manageView(ID, all, [LONGEST_PLAN], ['&'.repeat(1_000)]));
      expect(liveTokens(view).filter((token) => token !== `<@${ANN}>`)).toEqual([]);
      expect(view.private_metadata?.length).toBeLessThan(3_000);
    }
  });

  test('shows a name whole, as it was typed', () => {
    expect(readsAs(manageView('d', [{ ...EU, name: '👍'.repeat(60) }], []))).toContain('👍'.repeat(60));
    expect(readsAs(manageView('d', [{ ...EU, name: '<!here> *x* &amp;' }], []))).toContain('<!here> *x* &amp;');
  });
});

describe('a name', () => {
  test.each(NAMES)('%s is taken by Slack, and nothing is live', (_, name) => {
    const view = renameView(`${ID}/${ID}`, { ...EU, name });
    expect(liveTokens(accepted(view))).toEqual([]);
    const { text, description } = basketOption({ ...EU, name, basket: LONGEST_BASKET });
    expect(text).toMatchObject({ type: 'plain_text', emoji: false });
    expect(text.text.length).toBeLessThanOrEqual(75);
    expect(description?.text.length).toBeLessThanOrEqual(75);
    expect(blocksOf(view)[0]).toMatchObject({ block_id: `basket_name:${ID}` });
  });
});
