import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { OrderEntryDetail } from '../../../src/purchasing/model/order.ts';
import type { OrderId } from '../../../src/purchasing/model/order-id.ts';
import type { OrderQuery } from '../../../src/purchasing/ports/orders.ts';
import { orderOf } from '../../../src/purchasing/rules/orders.ts';
import { MONTHLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, filed, HOUR, START, WAY_TO, walked } from '../fixture.ts';

const DAY = 24 * HOUR;
const id = (text: string) => text as OrderId;
const QUERY: OrderQuery = { which: 'running', endingWithinMs: 7 * DAY };

/** Written down as bought so many days before the tests begin. */
function imported(orderId: string, daysAgo: number | null, over: object = {}) {
  const detail: OrderEntryDetail = {
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 10 }],
    boughtAt: daysAgo === null ? null : START - daysAgo * DAY,
    owner: ANN,
    note: null,
    ...over,
  };
  return { orderId: id(orderId), by: BEN, detail };
}

export function describeOrders(setup: Setup): void {
  describe('the order book', () => {
    const found = async ({ orders }: OpenLedger, query: Partial<OrderQuery> = {}, offset = 0, limit = 10) => {
      const page = await orders.page({ ...QUERY, ...query }, offset, limit);
      return { ids: page.orders.map(({ orderId }) => orderId), total: page.total };
    };
    const write = ({ orders }: OpenLedger, ...entries: ReturnType<typeof imported>[]) =>
      orders.change(
        entries.map(({ orderId }) => orderId),
        () => ({ result: null, entries }),
      );

    test('finds orders by end, owner and country, the soonest end first, page by page', async () => {
      const opened = await setup();
      await write(
        opened,
        imported('1', 20),
        imported('2', 28, { owner: BEN }),
        imported('3', null),
        imported('4', 40, {
          basket: [
            { country: 'DE', quantity: 1 },
            { country: 'US', quantity: 1 },
          ],
        }),
        imported('5', 5, { basket: [{ country: 'DE', quantity: 1 }] }),
      );
      expect(await found(opened)).toEqual({ ids: ['2', '1', '5', '3'], total: 4 });
      expect(await found(opened, {}, 2, 1)).toEqual({ ids: ['5'], total: 4 });
      expect(await found(opened, { which: 'ending' })).toEqual({ ids: ['2'], total: 1 });
      expect(await found(opened, { which: 'ended' })).toEqual({ ids: ['4'], total: 1 });
      expect(await found(opened, { which: 'all' })).toEqual({ ids: ['3', '5', '1', '2', '4'], total: 5 });
      expect(await found(opened, { owners: [BEN, 'W0BEN'] })).toEqual({ ids: ['2'], total: 1 });
      expect(await found(opened, { owners: [] })).toEqual({ ids: [], total: 0 });
      expect(await found(opened, { country: 'DE' })).toEqual({ ids: ['5'], total: 1 });
      expect(await found(opened, { country: 'DE', which: 'all', owners: [ANN] })).toEqual({
        ids: ['5', '4'],
        total: 2,
      });
    });

    test('has all of a long list in the transaction that writes it, and reads it back in one look', async () => {
      const opened = await setup();
      const many = Array.from({ length: 765 }, (_, nth) => imported(String(nth + 1), nth % 40));
      await write(opened, ...many);
      expect(await found(opened, { which: 'all' }, 0, 1)).toMatchObject({ total: 765 });
      expect(await opened.orders.refresh()).toBe(false);
      const { now, orders } = await opened.orders.look(['765', '9999', '1'].map(id));
      expect(now).toBe(START);
      expect(orders.map(({ orderId, entries }) => [orderId, entries.length])).toEqual([
        ['765', 1],
        ['9999', 0],
        ['1', 1],
      ]);
    });

    test('an order moves with time alone', async () => {
      const opened = await setup();
      await write(opened, imported('1', 20));
      opened.clock.now = START + 9 * DAY;
      expect(await found(opened, { which: 'ending' })).toMatchObject({ ids: ['1'] });
      opened.clock.now = START + 12 * DAY;
      expect(await found(opened, { which: 'ended' })).toMatchObject({ ids: ['1'] });
    });

    test('has what is bought as soon as it is completed, and by its order id as soon as that is known', async () => {
      const opened = await setup();
      const { ledger, orders } = opened;
      const bought = await filed(ledger, { orderId: null });
      await walked(ledger, bought, ...WAY_TO.completed);
      expect((await orders.unnamed(10)).map((purchase) => purchase.id)).toEqual([bought]);
      expect((await found(opened, { which: 'all' })).ids).toEqual([]);
      await ledger.change(bought, () => ({ result: null, by: ANN, set: { orderId: id('77') } }));
      expect(await orders.unnamed(10)).toEqual([]);
      expect((await found(opened, { which: 'all' })).ids).toEqual(['77']);
      await ledger.change(bought, () => ({ result: null, by: ANN, set: { orderId: id('78') } }));
      expect((await found(opened, { which: 'all' })).ids).toEqual(['78']);
      expect((await found(opened, { which: 'all', country: 'DE' })).ids).toEqual(['78']);
    });

    test('a renewal moves the end in the transaction that completes it', async () => {
      const opened = await setup();
      await write(opened, imported('77', 29));
      expect(await found(opened, { which: 'ending' })).toMatchObject({ ids: ['77'] });
      await walked(
        opened.ledger,
        await filed(opened.ledger, { kind: 'renew', orderId: id('77'), state: 'requested' }),
        ...WAY_TO.completed,
      );
      expect(await found(opened, { which: 'ending' })).toMatchObject({ ids: [] });
    });

    test('what is said of an order is read back as it was said, by whom and when', async () => {
      const opened = await setup();
      const entry = imported('9007199254740993', 20, { note: 'ends\u202e' });
      await write(opened, entry);
      const { entries, ...facts } = await opened.ledger.order(id('9007199254740993'));
      expect(facts).toEqual({ orderId: '9007199254740993', bought: null, renewals: [] });
      expect(entries).toEqual([{ seq: expect.any(Number), at: START, by: BEN, detail: entry.detail }]);
      expect(orderOf({ ...facts, entries })).toMatchObject({ owner: ANN, note: 'ends\u202e' });
    });

    test('decides on what is true in the transaction that writes, and once for a click', async () => {
      const opened = await setup();
      const { orders } = opened;
      const seen: (number | string | null)[] = [];
      const say = () =>
        orders.change(
          [id('5')],
          ({ orders: [order], deliveredBefore }) => {
            seen.push(order?.entries.length ?? null, deliveredBefore);
            return deliveredBefore ? { result: null } : { result: null, entries: [imported('5', 1)], click: 'done' };
          },
          'click 1',
        );
      await say();
      await say();
      expect(seen).toEqual([0, null, 1, 'done']);
    });

    test('what an earlier version has written without it is found once it is brought up to date', async () => {
      const opened = await setup();
      await opened.database.write((sql) =>
        sql.run(
          `INSERT INTO entries (purchase_id, order_id, at, by, kind, detail) VALUES (NULL, '5', 1, 'U0BEN', 'order_imported', :detail)`,
          { detail: JSON.stringify(imported('5', 1).detail) },
        ),
      );
      expect((await found(opened)).ids).toEqual([]);
      expect(await opened.orders.refresh()).toBe(true);
      expect(await opened.orders.refresh()).toBe(false);
      expect((await found(opened)).ids).toEqual(['5']);
    });
  });
}
