import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { readRecord } from '../../src/ledger/records.ts';
import { orderOf } from '../../src/purchasing/rules/orders.ts';
import { stateOf } from './fixture.ts';
import { countingVendor, laneOn, standing } from './lanes.ts';
import { STATES_OF_SCHEMA_5 } from './written-by.ts';

/** When the last of it was written. */
const WRITTEN_AT = Date.UTC(2027, 1, 1, 12, 10);
const BOUGHT = '9007199254740993';

/** @param written opens a ledger that a bot of the last version before the order book has written. */
export function describeMigratingOrders(written: (now: () => number) => Promise<OpenLedger>): void {
  describe('a ledger of the version before the order book', () => {
    const clock = { now: WRITTEN_AT };
    const opened = async () => {
      const ledger = await written(() => clock.now);
      while (await ledger.orders.refresh());
      return ledger;
    };
    const count = ({ database }: OpenLedger, table: string) =>
      database.read(async (sql) => Number((await sql.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n']));
    const book = async ({ orders }: OpenLedger) =>
      (await orders.page({ which: 'all', endingWithinMs: 0 }, 0, 10)).orders.map(orderOf);

    test('is opened with all that it holds: purchases, entries, messages, clicks and the freeze', async () => {
      const ledger = await opened();
      for (const [id, state] of Object.entries(STATES_OF_SCHEMA_5)) {
        const record = await ledger.database.read((sql) => readRecord(sql, id));
        expect(record?.purchase, id).toMatchObject({ state, firstApprover: null, batch: null });
        expect(record?.entries.filter(({ to }) => to !== null).at(-1)?.to, id).toBe(state);
      }
      expect(await Promise.all(['purchases', 'entries', 'notices', 'clicks'].map((of) => count(ledger, of)))).toEqual([
        13, 70, 40, 13,
      ]);
      expect(await ledger.ledger.freeze()).toMatchObject({ by: 'U0LEAD', reason: 'the bill is odd' });
    });

    test('has its orders in the book: what was bought, renewed and settled, and a buy whose id nobody has entered', async () => {
      const ledger = await opened();
      expect(await book(ledger)).toMatchObject([
        {
          orderId: BOUGHT,
          source: 'bought',
          owner: 'U0BUYER',
          renewals: 1,
          quantity: 2,
          endsAt: expect.any(Number),
          intent: null,
        },
        { orderId: '12345', source: 'bought', renewals: 0, quantity: 10 },
      ]);
      const [renewed, settled] = (await book(ledger)).map((order) => new Date(order?.endsAt ?? 0).toISOString());
      expect([renewed?.slice(0, 10), settled?.slice(0, 10)]).toEqual(['2027-04-01', '2027-03-01']);
      expect((await ledger.orders.unnamed(5)).map(({ id }) => id)).toEqual(['P-51BDF6TZ']);
    });

    test('still owes what it owed, and goes on where it was: what was being sent is unknown, and nothing is sent', async () => {
      const ledger = await opened();
      const owed = await ledger.outbox.leaseNotices(10, 1_000);
      expect(owed.map(({ kind, purchaseId }) => `${kind} ${purchaseId}`).sort()).toEqual([
        'card P-0EHE00R0',
        'status P-0EHE00R0',
      ]);
      const { seen, vendor } = countingVendor();
      const lane = laneOn(ledger, vendor, { clock: standing(clock) });
      await lane.sweep();
      while (await lane.send());
      expect(await stateOf(ledger.ledger, 'P-KYGHRQ4Y')).toBe('unknown');
      expect(seen.sent).toHaveLength(0);
    });

    test('is written on by a bot of that version, which is still there: what it says is in the book', async () => {
      const ledger = await opened();
      await ledger.database.write(async (sql) => {
        await sql.run(
          `UPDATE purchases SET order_id = '777', version = version + 1, changed_by = 'U0BUYER', evidence = '{}' WHERE id = 'P-51BDF6TZ'`,
          {},
        );
        await sql.run(
          `UPDATE purchases SET state = 'withdrawn', version = version + 1, changed_by = 'U0BUYER', evidence = '{}' WHERE id = 'P-0EHE00R0'`,
          {},
        );
      });
      while (await ledger.orders.refresh());
      expect((await book(ledger)).map((order) => order?.orderId)).toContain('777');
      expect(await ledger.orders.unnamed(5)).toEqual([]);
      expect(await stateOf(ledger.ledger, 'P-0EHE00R0')).toBe('withdrawn');
    });
  });
}
