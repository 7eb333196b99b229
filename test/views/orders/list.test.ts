import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/purchasing/model/order.ts';
import type { BookPage, BookQuery } from '../../../src/purchasing/order-book.ts';
import { bookMessage, ORDERS_A_PAGE, pageValue, readPageValue } from '../../../views/orders/list.ts';
import {
  accepted,
  asOrderId,
  buttonsOf,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  NOW,
  purchase,
  readsAs,
  SAM,
} from '../fixture.ts';

const DAY = 86_400_000;
const ALL: BookQuery = { which: 'running', mine: false, country: null };

function order(overrides: Partial<Order> = {}): Order {
  return {
    orderId: asOrderId('9007199254740993'),
    source: 'bought',
    plan: MONTHLY,
    basket: [
      { country: 'DE', quantity: 5 },
      { country: 'US', quantity: 10 },
    ],
    quantity: 15,
    owner: SAM,
    note: null,
    boughtAt: NOW - 28 * DAY,
    renewals: 0,
    endsAt: NOW + 3 * DAY,
    intent: null,
    remindAgain: null,
    ...overrides,
  };
}

function page(overrides: Partial<BookPage> = {}): BookPage {
  const orders = overrides.orders ?? [order()];
  return {
    orders,
    page: 0,
    pages: 1,
    total: orders.length,
    more: false,
    now: NOW,
    endingWithinMs: 7 * DAY,
    unnamed: [],
    mayImport: false,
    ...overrides,
  };
}

describe('a page of the order book', () => {
  test('tells of each order its id, content, plan, owner, state, and its end as computed', () => {
    expect(readsAs(bookMessage(page(), ALL))).toMatch(
      /Orders: 1\nOrder 9007199254740993 · 15 IPs \(DE 5, US 10\)\nending · ends about 2026-01-08, in 3 days, computed by us\n@U0SAM · Static residential, monthly\s+\[Open\]/,
    );
  });

  test.each([
    [page({ mayImport: true }), true],
    [page({ mayImport: true, orders: [] }), true],
    [page(), false],
  ])('offers Import to those who may, also where the book is empty', (found, offered) => {
    expect(readsAs(bookMessage(found, ALL)).includes('[Import]')).toBe(offered);
  });

  test.each([
    [{ endsAt: NOW + 20 * DAY }, /active · ends about 2026-01-25, in 20 days, computed by us/],
    [{ endsAt: NOW + 2.9 * DAY }, /ending · ends about .*, in 3 days/],
    [{ endsAt: NOW + 30 * 3_600_000 }, /ending · ends about .*, in 30 h/],
    [{ endsAt: NOW + 60_000 }, /ending · ends about .*, within the hour/],
    [{ endsAt: NOW - 3 * DAY }, /ended · ended about 2026-01-02, 3 days ago, computed by us/],
    [{ endsAt: null }, /\nend not known\n/],
    [{ quantity: null, basket: [] }, /Order 9007199254740993 · what is in it is not known/],
    [{ owner: null }, /nobody owns it · Static/],
    [{ note: 'for <!here> *now*' }, /“for <!here> ＊now＊”/],
    [{ intent: 'keep' }, /kept: to be renewed before it ends/],
    [{ intent: 'let_end' }, /to be let end/],
  ] satisfies [Partial<Order>, RegExp][])('%j reads so', (overrides, words) => {
    const message = bookMessage(page({ orders: [order(overrides)] }), ALL);
    expect(readsAs(message)).toMatch(words);
  });

  test.each<[Partial<BookQuery>, string]>([
    [{}, 'Orders: 1'],
    [{ mine: true }, 'Your orders: 1'],
    [{ which: 'all', mine: true }, 'All your orders: 1'],
    [{ which: 'ending', country: 'DE' }, 'Orders in 🇩🇪 Germany that end within 7 days: 1'],
    [{ which: 'ended', mine: true }, 'Your orders that have ended: 1'],
  ])('says of what it is the list: %j', (query, title) => {
    expect(bookMessage(page(), { ...ALL, ...query }).text).toBe(title);
  });

  test.each<[Partial<BookQuery>, RegExp]>([
    [{}, /There is no order that still runs\.\n\/proxy orders all: .*\n\/proxy buy: buy some/],
    [
      { mine: true },
      /There is no order of yours that still runs\.\n\/proxy orders: everybody’s\n\/proxy orders mine all/,
    ],
    [
      { which: 'ending', country: 'DE' },
      /There is no order in 🇩🇪 Germany that ends within 7 days\.\n\/proxy orders: in any country/,
    ],
    [{ which: 'all' }, /There is no order\.\n\/proxy buy/],
  ])('an empty one says what to do next: %j', (query, words) => {
    expect(readsAs(bookMessage(page({ orders: [] }), { ...ALL, ...query }))).toMatch(words);
  });

  test('offers the pages that there are', () => {
    const buttons = (at: number, pages = 3) => buttonsOf(bookMessage(page({ page: at, pages }), ALL)).slice(2);
    expect([buttons(0), buttons(1), buttons(2), buttons(0, 1)]).toEqual([
      ['Next'],
      ['Previous', 'Next'],
      ['Previous'],
      [],
    ]);
    expect(readsAs(bookMessage(page({ page: 1, pages: 3 }), ALL))).toMatch(/Page 2 of 3, the soonest end first/);
    expect(readsAs(bookMessage(page({ total: 1_000, more: true, pages: 100 }), ALL))).toMatch(
      /Orders: 1000 or more.*Page 1 of 100 or more, the soonest end first; fewer with a country, or mine/s,
    );
  });

  test('buys without an order id stand at the top, with the buttons for whoever may enter it, and buy it again', () => {
    const unnamed = Array.from({ length: 7 }, (_, index) => ({
      purchase: purchase({ id: `P-${index}`, state: 'completed' }),
      theirs: index < 2,
      own: index === 1,
    }));
    const message = bookMessage(page({ unnamed }), ALL);
    expect(readsAs(message)).toMatch(
      /^Bought, but under which order id\?.*Order id not known: 15 IPs.*\[Enter order id\].*\[Enter order id\] \[Buy again\].*and 2 more without an order id.*Order 9007/s,
    );
    expect(buttonsOf(message)).toEqual(['Enter order id', 'Enter order id', 'Buy again', 'Open', 'Renew several']);
    expect(buttonsOf(bookMessage(page({ orders: [], unnamed }), ALL))).toEqual([
      'Enter order id',
      'Enter order id',
      'Buy again',
    ]);
  });

  test('at its fullest is one that Slack takes, and nothing in it is live', () => {
    const foreign = '<!channel> https://evil.example @here ';
    const full = order({
      orderId: asOrderId('9'.repeat(40)),
      basket: LONGEST_BASKET,
      quantity: 12_500,
      plan: { ...LONGEST_PLAN, name: foreign.repeat(2).padEnd(75, '&').slice(0, 75) },
      note: foreign.repeat(20).slice(0, 500),
      intent: 'keep',
    });
    const bought = purchase({ id: 'P'.repeat(60), state: 'completed', basket: LONGEST_BASKET });
    const found = page({
      orders: Array.from({ length: ORDERS_A_PAGE }, () => full),
      unnamed: Array.from({ length: 100 }, () => ({ purchase: bought, theirs: true, own: true })),
      total: 1_000,
      more: true,
      pages: 100,
      page: 50,
    });
    const message = accepted(bookMessage(found, { which: 'running', mine: true, country: 'GS' }));
    expect(liveTokens(message).filter((token) => token !== `<@${SAM}>`)).toEqual([]);
    expect(JSON.stringify(message.blocks).length).toBeLessThan(20_000);
  });
});

describe('what a page’s button carries', () => {
  test.each([
    [ALL, 1],
    [{ which: 'ended', mine: true, country: 'DE' }, 99],
    [{ which: 'all', mine: false, country: 'US' }, 1_000],
  ] as const)('is read back as it was written: %j', (query, at) => {
    expect(readPageValue(pageValue(query, at))).toEqual({ query, page: at });
  });

  test.each([
    '',
    'running',
    'running 1000000',
    'running -1',
    'running 01',
    'running 1 ',
    ' running 1',
    'RUNNING 1',
    'running XX 1',
    'running de 1',
    'running mine mine 1',
    'running DE mine 1',
    'constructor 1',
    'running 1\n',
    'running 1; DROP TABLE orders',
  ])('and nothing else is: %j', (value) => {
    expect(readPageValue(value)).toBeUndefined();
  });
});
