import { describe, expect, test } from 'vitest';
import type { Setup } from '../conformance.ts';
import { ANN, filed, HOUR, MINUTE, START, WAY_TO, walked } from '../fixture.ts';

const ids = (purchases: readonly { id: string }[]) => purchases.map(({ id }) => id);

export function describeQueues(setup: Setup): void {
  describe('the lane', () => {
    test('takes what was approved first, and nothing that is only requested', async () => {
      const { ledger, clock } = await setup();
      expect(await ledger.lane()).toEqual({
        sending: null,
        next: null,
        frozen: false,
        firstReadingDue: false,
        lastSending: 0,
      });
      const late = await filed(ledger);
      const early = await filed(ledger);
      await walked(ledger, early, 'approved');
      clock.now += 1;
      await walked(ledger, late, 'approved');
      expect((await ledger.lane()).next?.id).toBe(early);
      await walked(ledger, early, 'sending');
      expect(await ledger.lane()).toMatchObject({ sending: { id: early }, next: { id: late } });
    });

    test('leaves alone what waits for its next try, and what is too old', async () => {
      const { ledger, clock } = await setup();
      const id = await walked(ledger, await filed(ledger), 'approved');
      await ledger.change(id, () => ({ result: null, by: ANN, set: { sendAfter: START + 3000 } }));
      clock.now = START + 2999;
      expect((await ledger.lane()).next).toBeNull();
      clock.now = START + 3000;
      expect((await ledger.lane()).next?.id).toBe(id);
      clock.now = START + 15 * MINUTE;
      expect((await ledger.lane()).next).toBeNull();
    });
  });

  describe('what has run out of time', () => {
    test('is told at the very moment: undecided, unsent, and a sending past its deadline by the grace', async () => {
      const { ledger, clock } = await setup();
      const sending = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
      const approved = await walked(ledger, await filed(ledger), 'approved');
      const requested = await filed(ledger);
      await walked(ledger, await filed(ledger), 'rejected');
      const overdueAt = async (now: number) => {
        clock.now = now;
        return ids(await ledger.overdue(15_000));
      };
      expect(await overdueAt(START + 45_000 - 1)).toEqual([]);
      expect(await overdueAt(START + 45_000)).toEqual([sending]);
      expect(await overdueAt(START + 15 * MINUTE)).toEqual([sending, approved]);
      expect(await overdueAt(START + 24 * HOUR)).toEqual([sending, approved, requested]);
    });
  });

  describe('lists', () => {
    test('of open purchases are oldest first and leave out what is settled', async () => {
      const { ledger } = await setup();
      const unknown = await walked(ledger, await filed(ledger), ...WAY_TO.unknown);
      await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await walked(ledger, await filed(ledger), ...WAY_TO.declined);
      for (const state of ['rejected', 'withdrawn', 'expired'] as const)
        await walked(ledger, await filed(ledger), state);
      const sending = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
      const approved = await walked(ledger, await filed(ledger), 'approved');
      const requested = await filed(ledger);
      expect(ids(await ledger.open())).toEqual([unknown, sending, approved, requested]);
    });
  });
}
