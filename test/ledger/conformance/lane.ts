import { describe, expect, test } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import type { Database } from '../../../src/ledger/sql.ts';
import type { Vendor } from '../../../src/purchasing/ports/vendor.ts';
import type { Setup } from '../conformance.ts';
import { stateOf } from '../fixture.ts';
import { approvedOne, countingVendor, laneOn, standing } from '../lanes.ts';

/** Once, after the first statement of a read, `meanwhile` happens. */
function interrupted(database: Database, meanwhile: () => Promise<unknown>): Database {
  let happened = false;
  return {
    ...database,
    read: (work) =>
      database.read((sql) =>
        work({
          ...sql,
          async all(statement, params) {
            const rows = await sql.all(statement, params);
            if (!happened) {
              happened = true;
              await meanwhile();
            }
            return rows;
          },
        }),
      ),
  };
}

export function describeLane(setup: Setup): void {
  describe('the lane of two processes', () => {
    test('takes no balance for its own that was read while another purchase was being sent', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      const clock = standing(opened.clock);
      const first = await approvedOne(other);
      const second = await approvedOne(other);

      // The other process enters `sending` in the middle of the first look, and is done when the balance has been read.
      const entered = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      const theirs = countingVendor();
      const slow: Vendor = {
        ...theirs.vendor,
        async send(order, guard) {
          entered.resolve();
          await answered.promise;
          return theirs.vendor.send(order, guard);
        },
      };
      const them = laneOn(other, slow, { clock });
      let sending: Promise<unknown> = Promise.resolve();
      const ledger = createLedger(
        interrupted(opened.database, async () => {
          sending = them.send();
          await entered.promise;
        }),
      );
      const ours = countingVendor();
      const vendor: Vendor = {
        ...ours.vendor,
        async readBalance() {
          const reading = await ours.vendor.readBalance();
          answered.resolve();
          await sending;
          await them.read();
          return reading;
        },
      };
      const us = laneOn({ ...opened, ledger }, vendor, { clock });
      await us.send();
      answered.resolve();
      await sending;
      expect(theirs.seen.sent).toHaveLength(1);
      expect(ours.seen.sent).toEqual([]);
      expect([await stateOf(other.ledger, first), await stateOf(other.ledger, second)]).toEqual([
        'completed',
        'approved',
      ]);
      await them.read();
      await us.send();
      expect(ours.seen.sent).toHaveLength(1);
    });
  });
}
