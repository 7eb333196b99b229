import { describe, expect, test } from 'vitest';
import type { FoundOwner, ImportRow, LineFault, ListedOrder, ListedOwner } from '../../src/purchasing/model/import.ts';
import type { ImportedOrder, OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { decideImport, ordersNamed, reviewImport } from '../../src/purchasing/rules/importing.ts';
import type { Allowed } from '../../src/purchasing/rules/rights.ts';
import { MONTHLY, purchase, YEARLY } from '../views/fixture.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const ANN = 'U0ANN';
const BEN = 'U0BEN';
const ID = '77' as OrderId;

const listed = (over: Partial<ListedOrder> = {}): ListedOrder => ({
  line: 2,
  orderId: ID,
  productId: MONTHLY.productId,
  basket: [
    { country: 'US', quantity: 10 },
    { country: 'DE', quantity: 5 },
  ],
  boughtAt: Date.UTC(2026, 0, 1),
  owner: { user: ANN },
  note: 'ours',
  ...over,
});
const { basket = [], boughtAt = null } = listed();
const ORDER: ImportedOrder = { plan: MONTHLY, basket, boughtAt, owner: ANN, note: 'ours' };
const ROW: ImportRow = { line: 2, orderId: ID, order: ORDER };

const seen = (over: Partial<OrderFacts> = {}): OrderFacts => ({
  orderId: ID,
  bought: null,
  renewals: [],
  entries: [],
  ...over,
});
const imported = (over: Partial<ImportedOrder> = {}) =>
  seen({ entries: [{ seq: 1, at: 5, by: BEN, detail: { kind: 'order_imported', ...ORDER, ...over } }] });
const asIs = (owner: ListedOwner): FoundOwner =>
  'user' in owner ? { found: 'user', user: owner.user } : { found: 'user', user: `U0${owner.email}` };

const review = (lines: readonly ListedOrder[], orders: readonly OrderFacts[] = [], ownerOf = asIs) =>
  reviewImport(lines, [], { facts: { now: NOW, orders }, plans: [MONTHLY, YEARLY], ownerOf });
const faults = (over: Partial<ListedOrder>, order = seen(), ownerOf = asIs): readonly LineFault[] =>
  review([listed(over)], [order], ownerOf).problems.map(({ fault }) => fault);

describe('what a list of orders would add', () => {
  test('an order that the ledger has never seen, with the plan of the policy', () => {
    expect(review([listed()], [seen()])).toEqual({ add: [ROW], there: 0, problems: [] });
  });

  test('with nothing where nothing is known', () => {
    const { add } = review([listed({ boughtAt: null, owner: null, note: null })]);
    expect(add).toMatchObject([{ order: { boughtAt: null, owner: null, note: null } }]);
  });

  test('by the id that Slack knows the owner’s address by', () => {
    expect(review([listed({ owner: { email: 'x' } })]).add).toMatchObject([{ order: { owner: 'U0x' } }]);
  });

  test('nothing for a line that is there already, whatever has been done with the order since', () => {
    const renewed = { renewals: [purchase({ kind: 'renew', state: 'completed' })] };
    const note = { seq: 2, at: 6, by: ANN, detail: { kind: 'order_note', note: 'another' } } as const;
    for (const order of [
      imported(),
      { ...imported(), ...renewed },
      { ...imported(), bought: purchase() },
      { ...imported(), entries: [...imported().entries, note] },
      imported({ basket: basket.toReversed() }),
      imported({ plan: { ...MONTHLY, name: 'renamed', term: null } }),
    ])
      expect(review([listed()], [order])).toEqual({ add: [], there: 1, problems: [] });
  });

  test.each<[string, Partial<ListedOrder>, string]>([
    ['productId', { productId: YEARLY.productId }, 'product_id'],
    ['basket', { basket: [{ country: 'US', quantity: 11 }] }, 'countries'],
    ['boughtAt', { boughtAt: null }, 'bought_on'],
    ['owner', { owner: { user: BEN } }, 'owner'],
    ['note', { note: null }, 'note'],
  ])('refused: imported before with another %s, by whom and when', (_, over, column) => {
    expect(faults(over, imported())).toEqual([{ fault: 'imported_otherwise', by: BEN, at: 5, differs: [column] }]);
  });

  test.each<[string, Partial<OrderFacts>, object]>([
    ['bought', { bought: purchase({ id: 'P-BUY', requester: ANN }) }, { purchase: 'P-BUY', kind: 'buy', by: ANN }],
    [
      'renewed alone',
      { renewals: [purchase({ id: 'P-1', kind: 'renew', requester: BEN }), purchase({ id: 'P-2', kind: 'renew' })] },
      { purchase: 'P-1', kind: 'renew', by: BEN },
    ],
  ])('refused: the ledger holds it as %s, and the purchase is named', (_, over, fault) => {
    expect(faults({}, seen(over))).toMatchObject([{ fault: 'held', ...fault }]);
  });

  test.each<[string, Partial<ListedOrder>, object]>([
    [
      'a plan that the policy does not have',
      { productId: 'x' },
      { fault: 'plan_unknown', productId: 'x', known: ['lt-monthly', 'lt-yearly'] },
    ],
    ['the name of an object', { productId: '__proto__' }, { fault: 'plan_unknown' }],
    ['a day that has not begun', { boughtAt: Date.UTC(2026, 1, 1) }, { fault: 'day_to_come' }],
  ])('refused: %s', (_, over, fault) => {
    expect(faults(over)).toMatchObject([fault]);
  });

  test('today has begun', () => {
    expect(faults({ boughtAt: Date.UTC(2026, 0, 31) })).toEqual([]);
  });

  test.each<FoundOwner>([
    { found: 'nobody' },
    { found: 'no_slack' },
    { found: 'scope_missing' },
    { found: 'unreadable', retryAfterSeconds: 5 },
  ])('refused: an owner who is %j', (why) => {
    expect(faults({ owner: { email: 'a@b.c' } }, seen(), () => why)).toEqual([
      { fault: 'owner_not_found', owner: 'a@b.c', why },
    ]);
  });

  test('all that is wrong at once, by line, also of lines that could not be read whole', () => {
    const unread = { line: 3, column: 'countries', fault: { fault: 'unreadable', words: 'x' } } as const;
    const lines = [
      listed({ line: 4, orderId: '78' as OrderId, productId: 'x', boughtAt: NOW + 1 }),
      listed({ line: 3, basket: undefined }),
    ];
    const { problems, add } = reviewImport(lines, [unread], {
      facts: { now: NOW, orders: [seen({ bought: purchase() })] },
      plans: [MONTHLY],
      ownerOf: asIs,
    });
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '3 order_id',
      '3 countries',
      '4 product_id',
      '4 bought_on',
    ]);
    expect(add).toEqual([]);
  });

  test('asks for each order once', () => {
    expect(ordersNamed([listed(), listed({ orderId: undefined }), listed({ orderId: '8' as OrderId })])).toEqual([
      '77',
      '8',
    ]);
  });
});

describe('an import writes exactly what was reviewed, once for a click', () => {
  const lead: Allowed = { person: BEN, ids: new Set([BEN]), rights: new Set(['approve']) };
  const decide = (
    orders: readonly OrderFacts[],
    allowed: Allowed = lead,
    deliveredBefore: 'done' | 'refused' | null = null,
  ) => decideImport({ now: NOW, orders, keptRenewals: [], deliveredBefore }, { user: BEN, allowed }, [ROW]);

  test('in the name of whoever imports', () => {
    expect(decide([seen()])).toEqual({
      result: { imported: 1 },
      entries: [{ orderId: ID, by: BEN, detail: { kind: 'order_imported', ...ORDER } }],
      click: 'done',
    });
  });

  test.each<[string, readonly OrderFacts[], Allowed, string]>([
    ['nothing without the right', [seen()], { refused: 'not_in_group', right: 'approve' }, 'not_in_group'],
    ['nothing where one order was bought meanwhile', [seen({ bought: purchase() })], lead, 'review_outdated'],
    ['nothing where one order was imported meanwhile', [imported()], lead, 'review_outdated'],
  ])('%s', (_, orders, allowed, refused) => {
    expect(decide(orders, allowed)).toEqual({ result: expect.objectContaining({ refused }), click: 'refused' });
  });

  test('nothing more when it is delivered again', () => {
    expect(decide([imported()], lead, 'done')).toEqual({ result: { imported: 1 } });
    expect(decide([seen()], lead, 'refused')).toEqual({ result: { refused: 'delivered_again' } });
  });
});
