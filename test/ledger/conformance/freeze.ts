import { describe, expect, test } from 'vitest';
import { freezeNotice } from '../../../src/purchasing/model/outbox.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, BEN, filed, START, subjectOf } from '../fixture.ts';

export function describeFreeze(setup: Setup): void {
  describe('freezing', () => {
    test('holds for every reader, and is told, until it is ended', async () => {
      const { ledger, openAgain, outbox } = await setup();
      const other = (await openAgain()).ledger;
      const id = await filed(ledger);
      expect(await ledger.freeze()).toBeNull();
      expect(await ledger.setFreeze('too dear', BEN, freezeNotice('1', 'too dear', BEN))).toBeNull();

      const freeze = { by: BEN, reason: 'too dear', at: START };
      expect(await other.freeze()).toEqual(freeze);
      expect(await other.lane()).toMatchObject({ frozen: true });
      expect(await other.change(id, (_, facts) => ({ result: facts.freeze, by: ANN }))).toEqual(freeze);
      expect((await other.filingFacts(subjectOf(aPurchase()))).freeze).toEqual(freeze);
      expect(await outbox.claimNotices(9, 1)).toMatchObject([
        { kind: 'frozen', text: 'too dear', by: BEN, purchaseId: null },
      ]);

      expect(await other.setFreeze(null, ANN, freezeNotice('2', null, ANN))).toEqual(freeze);
      expect(await ledger.freeze()).toBeNull();
    });

    test('is done once when two freeze together: one entry, one notice, the first reason', async () => {
      const { ledger, openAgain, database, outbox } = await setup();
      const other = (await openAgain()).ledger;
      const results = await Promise.all([
        ledger.setFreeze('one', ANN, freezeNotice('1', 'one', ANN)),
        other.setFreeze('two', BEN, freezeNotice('2', 'two', BEN)),
      ]);
      const freeze = await ledger.freeze();
      expect(results.filter((was) => was === null)).toHaveLength(1);
      expect(results.filter((was) => was !== null)).toEqual([freeze]);
      expect(await outbox.claimNotices(9, 1)).toHaveLength(1);
      const entries = await database.read((sql) =>
        sql.all(`SELECT by, kind, detail FROM entries WHERE purchase_id IS NULL`),
      );
      expect(entries).toEqual([{ by: freeze?.by, kind: 'frozen', detail: JSON.stringify({ reason: freeze?.reason }) }]);
    });

    test('writes nothing when what is asked for holds already', async () => {
      const { ledger, database, outbox } = await setup();
      expect(await ledger.setFreeze(null, ANN, freezeNotice('1', null, ANN))).toBeNull();
      expect(await database.read((sql) => sql.all('SELECT * FROM entries'))).toEqual([]);
      expect(await outbox.claimNotices(9, 1)).toEqual([]);
    });

    test('and its end are entries: who and why', async () => {
      const { ledger, database, clock } = await setup();
      await ledger.setFreeze('lost token', BEN, freezeNotice('1', 'lost token', BEN));
      clock.now += 1;
      await ledger.setFreeze(null, ANN, freezeNotice('2', null, ANN));
      const entries = await database.read((sql) => sql.all('SELECT at, by, kind, detail FROM entries ORDER BY seq'));
      expect(entries).toEqual([
        { at: START, by: BEN, kind: 'frozen', detail: '{"reason":"lost token"}' },
        { at: START + 1, by: ANN, kind: 'unfrozen', detail: '{}' },
      ]);
    });
  });
}
