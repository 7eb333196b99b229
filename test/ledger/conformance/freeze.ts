import { describe, expect, test } from 'vitest';
import type { FreezeRule } from '../../../src/purchasing/model/freeze.ts';
import { freezeNow } from '../../../src/purchasing/rules/freezing.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, BEN, filed, START, setFreeze, subjectOf } from '../fixture.ts';

export function describeFreeze(setup: Setup): void {
  describe('freezing', () => {
    test('holds for every reader, and is told, until it is ended', async () => {
      const { ledger, openAgain, outbox } = await setup();
      const other = (await openAgain()).ledger;
      const id = await filed(ledger);
      expect(await ledger.freeze()).toBeNull();
      expect(await setFreeze(ledger, 'too dear', BEN)).toBeNull();

      const freeze = { by: BEN, reason: 'too dear', at: START };
      expect(await other.freeze()).toEqual(freeze);
      expect(await other.lane()).toMatchObject({ frozen: true });
      expect(await other.change(id, (_, facts) => ({ result: facts.freeze, by: ANN }))).toEqual(freeze);
      expect((await other.filingFacts(subjectOf(aPurchase()))).freeze).toEqual(freeze);
      expect(await outbox.leaseNotices(9, 1)).toMatchObject([
        { kind: 'frozen', text: 'too dear', by: BEN, purchaseId: null },
      ]);

      expect(await setFreeze(other, null, ANN)).toEqual(freeze);
      expect(await ledger.freeze()).toBeNull();
    });

    test('is done once when two freeze together: one entry, one notice, the first reason', async () => {
      const { ledger, openAgain, database, outbox } = await setup();
      const other = (await openAgain()).ledger;
      const results = await Promise.all([
        ledger.changeFreeze((facts) => freezeNow(facts, ANN, 'one', '1')),
        other.changeFreeze((facts) => freezeNow(facts, BEN, 'two', '2')),
      ]);
      const freeze = await ledger.freeze();
      expect(results).toContainEqual(freeze);
      expect(results).toContainEqual({ refused: 'already_frozen', by: freeze?.by, reason: freeze?.reason });
      expect(await outbox.leaseNotices(9, 1)).toHaveLength(1);
      const entries = await database.read((sql) =>
        sql.all(`SELECT by, kind, detail FROM entries WHERE purchase_id IS NULL`),
      );
      expect(entries).toEqual([{ by: freeze?.by, kind: 'frozen', detail: JSON.stringify({ reason: freeze?.reason }) }]);
    });

    test('writes nothing where the rule says so', async () => {
      const { ledger, database, outbox } = await setup();
      expect(await ledger.changeFreeze(() => ({ result: 'no', by: ANN }))).toBe('no');
      expect(await database.read((sql) => sql.all('SELECT * FROM entries'))).toEqual([]);
      expect(await outbox.leaseNotices(9, 1)).toEqual([]);
    });

    test('and its end are entries: who and why', async () => {
      const { ledger, database, clock } = await setup();
      await setFreeze(ledger, 'lost token', BEN);
      clock.now += 1;
      await setFreeze(ledger, null, ANN);
      const entries = await database.read((sql) => sql.all('SELECT at, by, kind, detail FROM entries ORDER BY seq'));
      expect(entries).toEqual([
        { at: START, by: BEN, kind: 'frozen', detail: '{"reason":"lost token"}' },
        { at: START + 1, by: ANN, kind: 'unfrozen', detail: '{}' },
      ]);
    });
  });

  describe('a click', () => {
    const rule: FreezeRule<string | null> = ({ deliveredBefore }) => ({
      result: deliveredBefore,
      by: ANN,
      ...(deliveredBefore === null ? { click: 'refused' } : {}),
    });

    test('that has counted is known to every process, for freezes and for purchases alike', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const id = await filed(ledger);
      expect(await ledger.changeFreeze(rule, 'click 1')).toBeNull();
      expect(await other.changeFreeze(rule, 'click 1')).toBe('refused');
      expect(await other.changeFreeze(rule, 'click 2')).toBeNull();
      const asked = (click: string) =>
        other.change(id, (_, facts) => ({ result: facts.deliveredBefore, by: ANN, click: 'done' }), { click });
      expect(await asked('click 3')).toBeNull();
      expect(
        await ledger.change(id, (_, facts) => ({ result: facts.deliveredBefore, by: ANN }), { click: 'click 3' }),
      ).toBe('done');
      await expect(asked('click 3')).rejects.toThrow();
    });

    test('counts once where it is delivered to two processes together', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const results = await Promise.all([ledger, other].map((each) => each.changeFreeze(rule, 'click 1')));
      expect(new Set(results)).toEqual(new Set([null, 'refused']));
    });

    test('does not count where what it asked for could not be written', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const impossible = ledger.change(id, () => ({ result: null, by: ANN, to: 'completed', click: 'done' }), {
        click: 'click 1',
      });
      await expect(impossible).rejects.toThrow();
      expect(await ledger.changeFreeze(rule, 'click 1')).toBeNull();
    });
  });
}
