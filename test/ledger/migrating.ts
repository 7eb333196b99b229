import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../src/ledger/cli/filter.ts';
import { selectPurchases } from '../../src/ledger/cli/select.ts';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { readRecord } from '../../src/ledger/records.ts';
import { decideAnswer } from '../../src/purchasing/rules/answers.ts';
import { closedAmiss } from './conformance/closed.ts';
import { countedAnew, keptCounts } from './conformance/counts.ts';
import { ANSWER, anAttempt, BEN, EVERY_VERSION, START, stateOf, walked } from './fixture.ts';
import { countingVendor, laneOn, standing } from './lanes.ts';
import { BACKED_UP, STATES_OF_SCHEMA_2 } from './written-by.ts';

/** @param written opens a ledger that a bot of schema 2 has written, and done `more` to. */
export function describeMigrating(written: (now: () => number, more?: string) => Promise<OpenLedger>): void {
  describe('a ledger of the version before', () => {
    const clock = { now: START + 600_000 };
    const states = async ({ database }: OpenLedger) =>
      Object.fromEntries(
        (await database.read((sql) => Array.fromAsync(selectPurchases(sql, EVERYTHING))))
          .flat()
          .map(({ id, state }) => [id, state]),
      );

    test('is opened with all that it holds', async () => {
      const opened = await written(() => clock.now);
      expect(await states(opened)).toEqual(STATES_OF_SCHEMA_2);
      for (const id of Object.keys(STATES_OF_SCHEMA_2)) {
        const record = await opened.database.read((sql) => readRecord(sql, id));
        expect(record?.entries[0]?.to).toMatch(/^(?:requested|approved)$/);
        expect(record?.purchase.plan).toMatchObject({ productId: 'lt-monthly', term: { amount: 1, unit: 'month' } });
      }
      expect(
        await opened.database.read((sql) => sql.all('SELECT MAX(version) AS version FROM schema_migrations')),
      ).toEqual([{ version: EVERY_VERSION.length }]);
      expect(await keptCounts(opened)).toEqual(await countedAnew(opened));
      expect(await closedAmiss(opened)).toEqual([]);
    });

    test.each([
      ['', ''],
      [
        ', though a clock was once ahead',
        `UPDATE purchases SET changed_at = changed_at + 40000000000 WHERE id = 'P-1'`,
      ],
    ])('counts what was bought lately for the limits in dollars%s', async (_, more) => {
      const { database } = await written(() => clock.now, more);
      const bought = await database.read((sql) =>
        sql.all(`SELECT id FROM purchases WHERE state = 'completed' ORDER BY id`),
      );
      const marked = await database.read((sql) =>
        sql.all('SELECT purchase_id AS id FROM stale_costs ORDER BY purchase_id'),
      );
      expect(bought.length).toBeGreaterThan(0);
      expect(marked).toEqual(bought);
    });

    test('goes on where it was: what was being sent is unknown, what never left is too old, what is decided now is sent', async () => {
      const opened = await written(() => clock.now);
      const { ledger } = opened;
      const { seen, vendor } = countingVendor();
      const lane = laneOn(opened, vendor, { clock: standing(clock) });
      await lane.sweep();
      expect(await stateOf(ledger, 'P-9')).toBe('unknown');
      await lane.read();
      await walked(ledger, 'P-8', 'approved');
      await ledger.change('P-8', () => ({ result: null, by: BEN, set: { sendBy: clock.now + 60_000 } }));
      while (await lane.send());
      expect(await stateOf(ledger, 'P-7')).toBe('declined');
      expect(await stateOf(ledger, 'P-8')).toBe('completed');
      expect(seen.sent).toHaveLength(1);
    });

    test('knows the new ways to unknown', async () => {
      const opened = await written(() => clock.now);
      for (const id of ['P-5', 'P-6', 'P-7'])
        await opened.ledger.change(id, (now, facts) =>
          decideAnswer(now, facts, anAttempt({ id: `forgotten ${id}` }), ANSWER),
        );
      expect(await states(opened)).toMatchObject({ 'P-5': 'unknown', 'P-6': 'unknown', 'P-7': 'unknown' });
    });

    test('that is its backup is not trusted either: what was open is unknown', async () => {
      const opened = await written(() => clock.now, BACKED_UP);
      expect(await states(opened)).toMatchObject({
        'P-6': 'unknown',
        'P-7': 'unknown',
        'P-8': 'unknown',
        'P-9': 'unknown',
      });
      expect(await opened.ledger.freeze()).toMatchObject({
        reason: 'restored from the backup of 2026-01-31T12:10:00.000Z',
      });
    });
  });
}
