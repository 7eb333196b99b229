import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { OrderEntryDetail } from '../../../src/purchasing/model/order.ts';
import type { OrderId } from '../../../src/purchasing/model/order-id.ts';
import type { HomeTab } from '../../../src/purchasing/ports/homes.ts';
import { MONTHLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, filed, HOUR, START, setFreeze, WAY_TO, walked } from '../fixture.ts';

const LEASE = 30_000;
const LEAD = 'U0LEAD';
const AS = { person: null, decides: false };

export function describeHomes(setup: Setup): void {
  describe('a Home tab', () => {
    const users = (homes: readonly HomeTab[]) => homes.map(({ user }) => user).sort();
    const stale = async ({ homes }: OpenLedger) => {
      const leased = await homes.lease(10, LEASE, 10);
      for (const home of leased) await homes.failed(home, 0);
      return users(leased);
    };
    const show = async (
      { homes }: OpenLedger,
      as: Record<string, { person: string | null; decides: boolean }> = {},
    ) => {
      for (let left = await homes.lease(10, LEASE, 10); left.length > 0; left = await homes.lease(10, LEASE, 10))
        for (const home of left) await homes.shown(home, `hash ${home.user}`, as[home.user] ?? AS);
    };

    test('is published once it was opened, by one of all that look together, and nobody else’s is', async () => {
      const opened = await setup();
      const other = (await opened.openAgain()).homes;
      expect(await stale(opened)).toEqual([]);
      await opened.homes.opened(ANN);
      const leased = await Promise.all(
        [opened.homes, other, opened.homes, other].map((homes) => homes.lease(10, LEASE, 10)),
      );
      expect(leased.flat()).toMatchObject([{ user: ANN, hash: null, recheck: false, attempts: 0 }]);
      for (const home of leased.flat()) await opened.homes.shown(home, 'h1', AS);
      expect(await stale(opened)).toEqual([]);
      await opened.homes.opened(ANN);
      expect(await opened.homes.lease(10, LEASE, 10)).toMatchObject([{ user: ANN, hash: 'h1' }]);
    });

    test('passes to another when the lease is over; the first one then writes nothing down', async () => {
      const opened = await setup();
      await opened.homes.opened(ANN);
      const [first] = await opened.homes.lease(10, LEASE, 10);
      expect(await opened.homes.lease(10, LEASE, 10)).toEqual([]);
      opened.clock.now += LEASE;
      const [second] = await opened.homes.lease(10, LEASE, 10);
      if (!first || !second) throw new Error('not leased');
      await opened.homes.shown(second, 'newer', AS);
      await opened.homes.shown(first, 'older', AS);
      await opened.homes.failed(first, HOUR);
      await opened.homes.opened(ANN);
      expect(await opened.homes.lease(10, LEASE, 10)).toMatchObject([{ hash: 'newer' }]);
    });

    test('that failed is due again after a while, without the hash that may not be the last; at once when it is opened', async () => {
      const opened = await setup();
      await opened.homes.opened(ANN);
      await show(opened);
      await opened.homes.opened(ANN);
      const [home] = await opened.homes.lease(10, LEASE, 10);
      if (!home) throw new Error('not leased');
      await opened.homes.failed(home, HOUR);
      opened.clock.now += HOUR - 1;
      expect(await opened.homes.lease(10, LEASE, 10)).toEqual([]);
      await opened.homes.opened(ANN);
      expect(await opened.homes.lease(10, LEASE, 10)).toMatchObject([{ hash: null, attempts: 1 }]);
    });

    test('that was just opened comes first, then those of people who decide; of all but the first so many as are asked for', async () => {
      const { homes, clock } = await setup();
      for (const user of [ANN, BEN, LEAD]) await homes.opened(user);
      for (const home of await homes.lease(10, LEASE, 0))
        await homes.shown(home, 'h', { person: null, decides: home.user === LEAD });
      clock.now += LEASE;
      await homes.rightsChanged();
      expect(await homes.lease(10, LEASE, 0)).toEqual([]);
      await homes.opened(BEN);
      await homes.rightsChanged();
      expect(users(await homes.lease(10, LEASE, 1))).toEqual([BEN, LEAD].sort());
      expect(users(await homes.lease(10, LEASE, 1))).toEqual([ANN]);
    });

    test('is out of date by what its person asked for, from filing on, and by nothing of others', async () => {
      const opened = await setup();
      for (const user of [ANN, BEN]) await opened.homes.opened(user);
      await show(opened);
      const id = await filed(opened.ledger);
      expect(await stale(opened)).toEqual([ANN]);
      for (const state of WAY_TO.completed) {
        await show(opened);
        await walked(opened.ledger, id, state);
        expect(await stale(opened), state).toEqual([ANN]);
      }
      await show(opened);
      await opened.ledger.change(id, () => ({ result: null, by: ANN, set: { orderId: '77' as OrderId } }));
      expect(await stale(opened)).toEqual([ANN]);
    });

    test('of who decides is so by what waits, and by what no longer does', async () => {
      const opened = await setup();
      await opened.homes.opened(LEAD);
      await show(opened, { [LEAD]: { person: LEAD, decides: true } });
      const id = await filed(opened.ledger);
      expect(await stale(opened)).toEqual([LEAD]);
      await show(opened, { [LEAD]: { person: LEAD, decides: true } });
      await walked(opened.ledger, id, 'approved');
      expect(await stale(opened)).toEqual([LEAD]);
      await show(opened, { [LEAD]: { person: LEAD, decides: true } });
      await walked(opened.ledger, id, 'sending');
      expect(await stale(opened)).toEqual([]);
      await walked(opened.ledger, id, 'unknown');
      expect(await stale(opened)).toEqual([LEAD]);
      await show(opened, { [LEAD]: { person: LEAD, decides: true } });
      await walked(opened.ledger, id, 'completed');
      expect(await stale(opened)).toEqual([LEAD]);
    });

    test('knows its person by the other id too', async () => {
      const opened = await setup();
      await opened.homes.opened('W0ANN');
      await show(opened, { W0ANN: { person: ANN, decides: false } });
      await filed(opened.ledger);
      expect(await stale(opened)).toEqual(['W0ANN']);
    });

    test('misses nothing that was written between the drawing and the note of it', async () => {
      const opened = await setup();
      await opened.homes.opened(LEAD);
      const [home] = await opened.homes.lease(10, LEASE, 10);
      if (!home) throw new Error('not leased');
      // Drawn by now; that this person decides is not yet known to the ledger.
      await filed(opened.ledger);
      await opened.homes.shown(home, 'h', { person: LEAD, decides: true });
      expect(await stale(opened)).toEqual([LEAD]);
    });

    test('of an owner is so by whatever happens to the order, and of both when it is handed over', async () => {
      const opened = await setup();
      const said = (detail: OrderEntryDetail) =>
        opened.orders.change(['5' as OrderId], () => ({
          result: null,
          entries: [{ orderId: '5' as OrderId, by: LEAD, detail }],
        }));
      for (const user of [ANN, BEN, LEAD]) await opened.homes.opened(user);
      await show(opened);
      const basket = [{ country: 'US', quantity: 10 }];
      await said({ kind: 'order_imported', plan: MONTHLY, basket, boughtAt: START, owner: ANN, note: null });
      expect(await stale(opened)).toEqual([ANN]);
      await show(opened);
      await said({ kind: 'order_note', note: 'for the crawler' });
      expect(await stale(opened)).toEqual([ANN]);
      await show(opened);
      await said({ kind: 'order_owner', owner: BEN, before: ANN });
      expect(await stale(opened)).toEqual([ANN, BEN]);
    });

    test('is so for everybody by a freeze and its end', async () => {
      const opened = await setup();
      for (const user of [ANN, BEN]) await opened.homes.opened(user);
      await show(opened);
      await setFreeze(opened.ledger, 'odd', LEAD);
      expect(await stale(opened)).toEqual([ANN, BEN]);
      await show(opened);
      await setFreeze(opened.ledger, null, LEAD);
      expect(await stale(opened)).toEqual([ANN, BEN]);
    });

    test('is so for everybody when rights may have changed, which are then asked afresh, until it was published', async () => {
      const opened = await setup();
      for (const user of [ANN, BEN]) await opened.homes.opened(user);
      await show(opened);
      await opened.homes.rightsChanged();
      const [first, second] = await opened.homes.lease(10, LEASE, 10);
      if (!first || !second) throw new Error('not leased');
      expect([first, second]).toMatchObject([{ recheck: true }, { recheck: true }]);
      await opened.homes.shown(first, 'h', AS);
      // Once more while it is drawn: what was asked may be older than that.
      await opened.homes.rightsChanged();
      await opened.homes.shown(second, 'h', AS);
      const again = await opened.homes.lease(10, LEASE, 10);
      expect(again).toMatchObject([{ recheck: true }, { recheck: true }]);
      for (const home of again) await opened.homes.shown(home, 'h', AS);
      await opened.homes.opened(ANN);
      expect(await opened.homes.lease(10, LEASE, 10)).toMatchObject([{ user: ANN, recheck: false }]);
    });

    test('that nobody has any more is left alone until it is opened', async () => {
      const opened = await setup();
      await opened.homes.opened(ANN);
      await opened.homes.forget(ANN);
      await filed(opened.ledger);
      expect(await stale(opened)).toEqual([]);
      await opened.homes.opened(ANN);
      expect(await stale(opened)).toEqual([ANN]);
    });

    test('is out of date by nothing that was undone', async () => {
      const opened = await setup();
      await opened.homes.opened(ANN);
      await show(opened);
      const id = await filed(opened.ledger);
      await show(opened);
      await expect(walked(opened.ledger, id, 'completed')).rejects.toThrow();
      expect(await stale(opened)).toEqual([]);
    });
  });

  describe('what has become of a person’s purchases', () => {
    test('is what is over, the last filed first, by any of their ids', async () => {
      const { ledger } = await setup();
      const first = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      const second = await walked(ledger, await filed(ledger, { requesterPerson: 'W0ANN' }), 'rejected');
      await filed(ledger);
      await walked(ledger, await filed(ledger, { requester: BEN, requesterPerson: BEN }), 'withdrawn');
      await walked(ledger, await filed(ledger), ...WAY_TO.unknown);
      const ids = async (of: string[], limit = 9) => (await ledger.outcomesOf(of, limit)).map(({ id }) => id);
      expect(await ids([ANN, 'W0ANN'])).toEqual([second, first]);
      expect(await ids([ANN, 'W0ANN'], 1)).toEqual([second]);
      expect(await ids([ANN])).toEqual([first]);
      expect(await ids([])).toEqual([]);
    });
  });
}
