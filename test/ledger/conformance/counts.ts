import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import { COUNTED_ANEW } from '../../../src/ledger/status.ts';
import { OPEN_STATES, STATES } from '../../../src/purchasing/model/purchase.ts';
import type { Setup } from '../conformance.ts';
import { filed, WAY_TO, walked } from '../fixture.ts';

export function describeCounts(setup: Setup): void {
  describe('purchases by state and kind', () => {
    test('are kept as somebody would count them, through every change of state', async () => {
      const opened = await setup();
      const { ledger, clock } = opened;
      // What is being sent stands in the way of the next, so it comes last.
      for (const state of [...STATES.filter((one) => one !== 'sending'), 'sending'] as const)
        for (const kind of state === 'sending' ? (['buy'] as const) : (['buy', 'renew', 'renew'] as const)) {
          const id = await filed(ledger, { kind, orderId: kind === 'renew' ? '7' : null } as object);
          for (const to of WAY_TO[state]) {
            clock.now += 1;
            await walked(ledger, id, to);
            expect(await keptCounts(opened)).toEqual(await countedAnew(opened));
          }
        }
      expect(await keptCounts(opened)).toContainEqual(['completed', 'renew', 2, null]);
    });

    test('is the same where a change is undone', async () => {
      const opened = await setup();
      const id = await filed(opened.ledger);
      const before = await keptCounts(opened);
      const undone = opened.ledger.change(id, () => ({ result: null, by: 'U0LEAD', to: 'completed' }));
      await expect(undone).rejects.toThrow('no such transition');
      expect(await keptCounts(opened)).toEqual(before);
    });
  });
}

type Line = readonly [state: string, kind: string, count: number, since: number | null];

export async function keptCounts({ status }: OpenLedger): Promise<readonly Line[]> {
  const { purchases } = await status.counts();
  return purchases.map(({ state, kind, count, since }): Line => [state, kind, count, since]).toSorted(byName);
}

export async function countedAnew({ database }: OpenLedger): Promise<readonly Line[]> {
  const rows = await database.read((sql) => sql.all(COUNTED_ANEW));
  return rows
    .map((row): Line => {
      const isOpen = OPEN_STATES.some((state) => state === row['state']);
      return [String(row['state']), String(row['kind']), Number(row['count']), isOpen ? Number(row['since']) : null];
    })
    .toSorted(byName);
}

function byName(a: Line, b: Line): number {
  return `${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1;
}
