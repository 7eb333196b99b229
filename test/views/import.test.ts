import { describe, expect, test } from 'vitest';
import type { ImportedOrder } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { importedView, importForm, importReview } from '../../views/import.ts';
import { liveTokens, MONTHLY, NOW, readsAs } from './fixture.ts';

const row = (over: Partial<ImportedOrder> = {}) => ({
  line: 2,
  orderId: '9007199254740993' as OrderId,
  order: { plan: MONTHLY, basket: [{ country: 'US', quantity: 10 }], boughtAt: null, owner: null, note: null, ...over },
});

describe('the review of an import', () => {
  test('names the day as it was written, to readers in every time zone', () => {
    const view = importReview('d/r', { add: [row({ boughtAt: Date.UTC(2026, 0, 31) })], there: 0 });
    expect(readsAs(view)).toContain('bought on 2026-01-31');
    expect(JSON.stringify(view)).not.toContain('<!date');
  });

  test('shows a note whole and not live', () => {
    const note = '&<!channel>*x*_y_`z`:tada: @here https://a.example '.repeat(9);
    const view = importReview('d/r', { add: [row({ note, owner: 'U0ANN' })], there: 0 });
    expect(liveTokens(view)).toEqual(['<@U0ANN>']);
    expect(readsAs(view)).not.toContain('…');
  });

  test.each([
    [0, 2, /There is nothing to add\.\n2 orders are in the ledger already/],
    [1, 0, /1 order is to be added, in your name:/],
    [2, 1, /2 orders are to be added, in your name:\n1 order is in the ledger already/],
  ])('%i to add, %i there: says so, and offers Import only where there is something', (count, there, words) => {
    const view = importReview('d/r', { add: Array.from({ length: count }, () => row()), there });
    expect(readsAs(view)).toMatch(words);
    expect(view.submit?.text).toBe(count === 0 ? undefined : 'Import');
  });
});

test('the form names the columns, the plans, and the way of a longer list', () => {
  const text = readsAs(importForm('d', { text: '', review: null }, [MONTHLY]));
  for (const words of [
    'order_id,product_id,countries,bought_on,owner,note',
    'lt-monthly (Static residential, monthly)',
    'at most 3000 characters',
    'npm run ledger -- import FILE',
    'It spends nothing',
  ])
    expect(text).toContain(words);
});

test('who imported an order before is named as a person, and an operator as one', () => {
  const fault = (by: string) => ({ fault: 'imported_otherwise', by, at: NOW, differs: ['note'] }) as const;
  const problems = ['U0ANN', 'operator:<!here>'].map((by) => ({
    line: 2,
    column: 'order_id' as const,
    fault: fault(by),
  }));
  const view = importForm('d', { text: 'x', review: { add: [], there: 0, problems } }, [MONTHLY]);
  expect(readsAs(view)).toMatch(/\(note\), by @U0ANN,.*by the operator <!here>,/s);
  expect(liveTokens(view)).toEqual(['<@U0ANN>']);
});

test('says how many were added', () => {
  expect(readsAs(importedView(2))).toContain('2 orders were added.');
});
