import { describe, expect, test } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import type { Database } from '../../../src/ledger/sql.ts';
import { THE_BOT } from '../../../src/purchasing/model/entries.ts';
import type { Directory } from '../../../src/purchasing/ports/directory.ts';
import type { Ledger } from '../../../src/purchasing/ports/ledger.ts';
import type { Vendor } from '../../../src/purchasing/ports/vendor.ts';
import { TOKEN_REFUSED } from '../../../src/purchasing/rules/freezing.ts';
import type { Setup } from '../conformance.ts';
import { ANN, ANSWER, BEN, START, stateOf } from '../fixture.ts';
import { approvedOne, countingVendor, everybodyMay, laneOn, standing } from '../lanes.ts';

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
          const reading = await ours.vendor.readBalance('before');
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

  describe('a vendor that does not accept the token (401)', () => {
    test('freezes spending with its very answer: a process that is killed then leaves nothing that another sends', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      const clock = standing(opened.clock);
      const first = await approvedOne(other);
      await approvedOne(other);
      const refusing: Vendor = {
        ...countingVendor().vendor,
        send: async () => ({ ...ANSWER, outcome: 'unknown', httpStatus: 401, orderIds: [], unauthorized: true }),
      };
      const killed = () => Promise.reject(new Error('killed'));
      await laneOn(opened, refusing, { clock, vendorRefuses: killed })
        .send()
        .catch(() => undefined);
      const theirs = countingVendor();
      const them = laneOn(other, theirs.vendor, { clock });
      await them.read();
      await them.send();
      expect(await stateOf(other.ledger, first)).toBe('unknown');
      expect(theirs.seen.sent).toEqual([]);
      expect(await other.ledger.freeze()).toMatchObject({ by: THE_BOT, reason: TOKEN_REFUSED });
    });
  });

  describe('a person whose record cannot be read', () => {
    const CY = 'U0CY';

    test('holds up what is theirs and nothing else, and is asked about again when Slack said so, by one process', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      const clock = standing(opened.clock);
      const theirs = await approvedOne(opened);
      const next = await approvedOne(opened, { requester: CY });
      const unreadable = new Map([[ANN, 30]]);
      const { directory, asked } = counted(everybodyMay(() => unreadable));
      const { vendor, seen } = countingVendor();
      const lanes = [
        laneOn(opened, vendor, { clock, directory }),
        laneOn(other, vendor, { clock, directory }),
      ] as const;
      await lanes[0].send();
      await lanes[1].send();
      expect(await stateOf(opened.ledger, next)).toBe('completed');
      await lanes[0].read();

      opened.clock.now += 29_999;
      for (const lane of lanes) expect(await lane.send()).toBe(false);
      expect(asked.filter((user) => user === ANN)).toHaveLength(1);
      unreadable.clear();
      opened.clock.now += 1;
      await lanes[1].send();
      expect(await stateOf(opened.ledger, theirs)).toBe('completed');
      expect(seen.sent).toHaveLength(2);
    });

    test.each([1, 8])('starves nobody, though %i of them cost seconds each time they are asked about', async (many) => {
      const opened = await setup();
      const unreadable = new Map<string, number>();
      for (let n = 0; n < many; n += 1) {
        unreadable.set(`U0X${n}`, 5);
        await approvedOne(opened, { requester: `U0X${n}` });
      }
      const last = await approvedOne(opened, { requester: CY });
      const found = everybodyMay(() => unreadable);
      const directory: Directory = {
        ...found,
        async standing(user, ...asked) {
          if (unreadable.has(user)) opened.clock.now += 2_000;
          return found.standing(user, ...asked);
        },
      };
      const lane = laneOn(opened, countingVendor().vendor, { clock: standing(opened.clock), directory });
      for (let pass = 0; pass <= many; pass += 1) await lane.send();
      expect(await stateOf(opened.ledger, last)).toBe('completed');
    });

    test('changes nothing that people see: their messages are not drawn again', async () => {
      const opened = await setup();
      const id = await approvedOne(opened);
      const version = async () => (await opened.ledger.record(id))?.purchase.version;
      const before = await version();
      const directory = everybodyMay(() => new Map([[BEN, 10]]));
      await laneOn(opened, countingVendor().vendor, { clock: standing(opened.clock), directory }).send();
      expect((await opened.ledger.record(id))?.purchase.sendAfter).toBe(START + 10_000);
      expect(await version()).toBe(before);
    });
  });

  describe('a balance that cannot be read', () => {
    test('holds up the whole lane: whatever were sent next would have none before it', async () => {
      const opened = await setup();
      const first = await approvedOne(opened);
      await approvedOne(opened, { requester: BEN });
      const { vendor, seen } = countingVendor();
      let readable = false;
      const readBalance: Vendor['readBalance'] = async () => {
        const reading = await vendor.readBalance('before');
        return readable ? reading : { ok: false, at: reading.at, why: 'the vendor answered with status 502' };
      };
      const clock = standing(opened.clock);
      const lane = laneOn(opened, { ...vendor, readBalance }, { clock });
      for (let pass = 0; pass < 3; pass += 1) expect(await lane.send()).toBe(false);
      expect(seen).toMatchObject({ readings: 1, sent: [] });
      readable = true;
      opened.clock.now += 5_000;
      await lane.send();
      expect(await stateOf(opened.ledger, first)).toBe('completed');
    });
  });

  describe('an answer that the ledger does not take', () => {
    test('is tried again until it is stored, and said once, not at each try', async () => {
      const opened = await setup();
      const { seen, vendor } = countingVendor();
      const id = await approvedOne(opened);
      const troubles = ['disk full', 'disk full', 'disk full', 'locked', 'locked'];
      const change: Ledger['change'] = async (...args) => {
        const trouble = seen.sent.length > 0 && troubles.shift();
        if (trouble) throw new Error(trouble);
        return opened.ledger.change(...args);
      };
      const said: string[] = [];
      const note = (level: string) => (fields: object, message: string) => {
        if ('err' in fields) said.push(`${level}: ${message}: ${String(fields.err)}`);
      };
      const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
      const ledger = { ...opened.ledger, change };
      const lane = laneOn({ ...opened, ledger }, vendor, { clock: standing(opened.clock), log });
      expect(await lane.send()).toBe(true);
      const [full = '', locked = ''] = ['disk full', 'locked'].map(
        (why) => `the answer could not be stored yet: Error: ${why}`,
      );
      expect(said.filter((line) => line.startsWith('error'))).toEqual([`error: ${full}`, `error: ${locked}`]);
      expect(said).toHaveLength(5);
      expect([await stateOf(opened.ledger, id), seen.sent.length]).toEqual(['completed', 1]);
    });
  });
}

/** Who was asked about, in order. */
function counted(directory: Directory): { readonly directory: Directory; readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    directory: {
      ...directory,
      standing(user, ...rest) {
        asked.push(user);
        return directory.standing(user, ...rest);
      },
    },
  };
}
