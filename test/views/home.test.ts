import { describe, expect, test } from 'vitest';
import type { HomePage, HomeSurroundings } from '../../src/purchasing/home-pages.ts';
import { rowsOf } from '../../src/purchasing/model/batch.ts';
import type { Order } from '../../src/purchasing/model/order.ts';
import { RIGHTS } from '../../src/purchasing/model/policy.ts';
import { STATES } from '../../src/purchasing/model/purchase.ts';
import { homeView, mineMessage } from '../../views/home.ts';
import {
  ANN,
  accepted,
  asOrderId,
  buttonsOf,
  FREEZE,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  money,
  NOW,
  purchase,
  RECORDS,
  readsAs,
  SAM,
} from './fixture.ts';

const DAY = 86_400_000;
const BALANCE = { ok: true, balance: money('12.50'), at: NOW } as const;
const AROUND: HomeSurroundings = { user: SAM, now: NOW, contact: null, balance: BALANCE };

function page(over: Partial<HomePage> = {}): HomePage {
  const nothing = { waiting: [], open: [], outcomes: [], orders: [], ordersInAll: 0 };
  const rights = new Set(['balance', 'buy', 'renew'] as const);
  const theirs = new Set((over.waiting ?? []).flatMap((request) => rowsOf(request).map(({ id }) => id)));
  return { person: SAM, rights, now: NOW, freeze: null, theirs, ...nothing, ...over };
}

function order(over: Partial<Order> = {}): Order {
  return {
    orderId: asOrderId('9007199254740993'),
    source: 'bought',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 10 }],
    quantity: 10,
    owner: SAM,
    note: null,
    boughtAt: NOW,
    renewals: 0,
    endsAt: NOW + 3 * DAY,
    intent: null,
    remindAgain: null,
    ...over,
  };
}

const EVERYTHING = '*<!channel>* _x_ `y` https://evil.example :smile: \u202e'.repeat(40);

/** As much as the ledger can hold of each, with the longest texts. */
function full(): HomePage {
  const big = { basket: LONGEST_BASKET, plan: LONGEST_PLAN, id: 'p'.repeat(64), reason: EVERYTHING, why: EVERYTHING };
  const many = Array.from({ length: 10_000 }, () => purchase({ ...big, state: 'requested' }));
  return page({
    rights: new Set(RIGHTS),
    freeze: { ...FREEZE, reason: EVERYTHING },
    waiting: many,
    open: many.map((one) => ({ ...one, state: 'unknown' })),
    outcomes: (['completed', 'declined', 'rejected', 'expired', 'withdrawn'] as const).map(
      (state) => RECORDS[state](big).purchase,
    ),
    orders: Array.from({ length: 10 }, () =>
      order({ orderId: asOrderId('9'.repeat(40)), basket: LONGEST_BASKET, plan: LONGEST_PLAN, intent: 'keep' }),
    ),
    ordersInAll: 1_000,
  });
}

describe('the Home tab', () => {
  test('stays within Slack’s limits with 10,000 of each, and the longest texts', () => {
    const view = accepted(homeView(full(), AROUND));
    expect(view.blocks.length).toBeLessThanOrEqual(90);
    expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(100_000);
    expect(readsAs(view)).toMatch(/and 9990 more. See \/proxy requests[\s\S]*and many more. See \/proxy orders mine/);
  });

  test('of whoever has nothing yet offers to begin, and says that there is nothing', () => {
    const text = readsAs(homeView(page(), AROUND));
    expect(text).toMatch(/Balance: \$12\.50, read 14:03 UTC/);
    expect(text).toMatch(/None is open[\s\S]*None of yours is running/);
    expect(buttonsOf(homeView(page(), AROUND))).toEqual(['Buy', 'Renew']);
    expect(text).not.toMatch(/decision|Recently|frozen/);
  });

  test('tells when each order ends, that it is computed, and what is wished', () => {
    const endings = [
      order({ endsAt: NOW + 3 * DAY, intent: 'let_end' }),
      order({ endsAt: NOW + DAY, intent: 'keep' }),
      order({ endsAt: NOW + DAY / 2, quantity: null, basket: [] }),
      order({ endsAt: null }),
    ];
    const text = readsAs(homeView(page({ orders: endings, ordersInAll: 4 }), AROUND));
    expect(text).toMatch(/ends about 2026-01-08, in 3 days, computed by us · let end/);
    expect(text).toMatch(/ends about 2026-01-06, in 24 h, computed by us · kept/);
    expect(text).toMatch(/an unknown number of IPs\n.*in 12 h, computed by us/);
    expect(text).toContain('until when it runs is not known');
    expect(buttonsOf(homeView(page({ orders: endings, ordersInAll: 4 }), AROUND))).toEqual([
      'Buy',
      'Renew',
      ...Array(4).fill(['Open', 'Renew']).flat(),
    ]);
    const viewer = page({ orders: endings, ordersInAll: 4, rights: new Set(['balance']) });
    expect(buttonsOf(homeView(viewer, AROUND))).toEqual(Array(4).fill('Open'));
  });

  test('lets each request be decided, settled or withdrawn where that is possible', () => {
    const waiting = [purchase(), purchase({ state: 'unknown' })];
    expect(buttonsOf(homeView(page({ rights: new Set(['approve']), waiting }), AROUND))).toEqual([
      'Approve',
      'Reject',
      'It was placed',
      'It was not placed',
    ]);
    const open = (['requested', 'approved', 'sending', 'unknown'] as const).map((state) => RECORDS[state]().purchase);
    expect(buttonsOf(homeView(page({ open }), AROUND))).toEqual(['Buy', 'Renew', 'Withdraw', 'Withdraw']);
  });

  test.each(STATES)('says what has become of what is %s', (state) => {
    const { purchase: one } = RECORDS[state]();
    expect(readsAs(homeView(page({ outcomes: [one] }), AROUND))).toContain('Recently');
  });

  test('could not be read is not zero', () => {
    const balance = { ok: false, at: NOW, why: 'the vendor answered with status 502' } as const;
    expect(readsAs(homeView(page(), { ...AROUND, balance }))).toContain('Balance: could not be read (the vendor');
    expect(readsAs(homeView(page(), { ...AROUND, balance: null }))).toContain('Balance: reading the balance…');
    expect(readsAs(homeView(page(), { ...AROUND, balance: undefined }))).not.toContain('Balance');
  });

  test('shows what people typed literally', () => {
    expect(liveTokens(homeView(full(), AROUND)).filter((token) => !/^<@U0(SAM|ANN)>$/.test(token))).toEqual([]);
  });

  test('is one sentence where there is no right', () => {
    const view = homeView({ refused: 'not_in_group', right: 'balance' }, { ...AROUND, contact: ANN });
    expect(view.blocks).toHaveLength(1);
    expect(readsAs(view)).toBe(
      'You are not in a group that may use Proxy Desk. Nothing was done and no money moved. Ask @U0ANN to add you.',
    );
  });
});

test('/proxy requests mine fits into a message with the longest of everything', () => {
  expect(readsAs(mineMessage(full()))).toContain('and 9993 more');
  expect(mineMessage(page()).text).toBe('Your requests: none open');
  expect(mineMessage(page({ open: [purchase()], waiting: [purchase()] })).text).toBe(
    'Your requests: 1 open, 1 to decide',
  );
});
