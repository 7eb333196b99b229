import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/purchasing/model/change.ts';
import type { Setup } from '../conformance.ts';
import { ANN, filed, START, WAY_TO, walked } from '../fixture.ts';

const READINGS = [
  { nth: 0, dueAt: START },
  { nth: 1, dueAt: START + 10_000 },
];

function taken(nth: number, by = ANN): Change<string> {
  const detail = { kind: 'reading', nth, balance: null, readAt: START, why: 'no', alone: true } as const;
  return { result: by, by, entries: [{ by, from: null, to: null, detail }], taken: nth };
}

export function describeReadings(setup: Setup): void {
  describe('balance readings', () => {
    test('are handed out when due, with their purchase', async () => {
      const { ledger, clock, leases } = await setup();
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      expect(await leases.dueReadings(0)).toMatchObject([{ nth: 0, purchase: { id, state: 'completed' } }]);
      clock.now += 10_000;
      expect((await leases.dueReadings(0)).map(({ nth }) => nth)).toEqual([0, 1]);
      await ledger.change(id, () => taken(0));
      expect((await leases.dueReadings(0)).map(({ nth }) => nth)).toEqual([1]);
    });

    test('are recorded once when two processes took the same one', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      await Promise.all([ledger.change(id, () => taken(0, 'one')), other.change(id, () => taken(0, 'two'))]);
      const { entries = [], purchase } = (await ledger.record(id)) ?? {};
      expect(entries.filter(({ detail }) => detail.kind === 'reading')).toHaveLength(1);
      expect(purchase?.version).toBe(5);
    });

    test('write nothing at all when another has recorded it: no transition either', async () => {
      const { ledger } = await setup();
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.declined);
      const result = await ledger.change(id, () => ({ ...taken(0), to: 'unknown' }));
      expect(result).toBe(ANN);
      expect((await ledger.record(id))?.purchase.state).toBe('declined');
    });

    test('keep the lane until the first one is recorded', async () => {
      const { ledger } = await setup();
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      const next = await walked(ledger, await filed(ledger), 'approved');
      const busy = () => ledger.change(next, (_, { laneBusy }) => ({ result: laneBusy, by: ANN }));
      expect(await busy()).toBe(true);
      expect(await ledger.lane()).toMatchObject({ firstReadingDue: true, next: { id: next } });
      await ledger.change(id, () => taken(0));
      expect(await busy()).toBe(false);
      expect(await ledger.lane()).toMatchObject({ firstReadingDue: false });
    });

    test('replace those that were due before', async () => {
      const { ledger, leases } = await setup();
      const id = await filed(ledger);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      await ledger.change(id, () => ({ result: null, by: ANN, readings: [{ nth: 2, dueAt: START }] }));
      expect((await leases.dueReadings(0)).map(({ nth }) => nth)).toEqual([2]);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: [] }));
      expect(await leases.dueReadings(0)).toEqual([]);
    });
  });
}
