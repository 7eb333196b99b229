import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import { OPEN_STATES, STATES } from '../../../src/purchasing/model/purchase.ts';
import type { Setup } from '../conformance.ts';
import { filed, WAY_TO, walked } from '../fixture.ts';

export function describeClosed(setup: Setup): void {
  describe('since when a purchase is closed', () => {
    test('is when it came into its state, and unknown of what is open, through every change of state', async () => {
      const opened = await setup();
      const { ledger, clock } = opened;
      const step = async (id: string, to: (typeof STATES)[number]) => {
        clock.now += 1;
        await walked(ledger, id, to);
        expect(await closedAmiss(opened)).toEqual([]);
      };
      for (const state of [...STATES.filter((one) => one !== 'sending'), 'sending'] as const) {
        const id = await filed(ledger);
        for (const to of WAY_TO[state]) await step(id, to);
        // What was over is doubted, and is over once more.
        if (state === 'declined') for (const to of ['unknown', 'declined'] as const) await step(id, to);
      }
      expect(await closedIn(opened)).toHaveLength(STATES.length - OPEN_STATES.length);
    });

    test('is kept as well by a version that does not know of it', async () => {
      const opened = await setup();
      const id = await filed(opened.ledger);
      await opened.database.write((sql) =>
        sql.run(`UPDATE purchases SET state = 'withdrawn', changed_at = changed_at + 7 WHERE id = :id`, { id }),
      );
      expect(await closedIn(opened)).toEqual([id]);
      expect(await closedAmiss(opened)).toEqual([]);
      await opened.database.write((sql) => sql.run('UPDATE purchases SET changed_at = changed_at + 7'));
      expect(await closedAmiss(opened)).toEqual([]);
    });
  });
}

async function closedIn({ database }: OpenLedger): Promise<readonly unknown[]> {
  const rows = await database.read((sql) => sql.all('SELECT id FROM purchases WHERE closed_at IS NOT NULL'));
  return rows.map(({ id }) => id);
}

/** @returns the purchases of which something else is kept than their state and its time say. */
export async function closedAmiss({ database }: OpenLedger): Promise<readonly unknown[]> {
  const rows = await database.read((sql) => sql.all('SELECT id, state, changed_at, closed_at FROM purchases'));
  return rows.filter((row) => {
    const isOpen = OPEN_STATES.some((state) => state === row['state']);
    return row['closed_at'] !== (isOpen ? null : row['changed_at']);
  });
}
