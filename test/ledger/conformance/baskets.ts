import { describe, expect, test } from 'vitest';
import { BASKETS_AT_MOST } from '../../../src/purchasing/ports/baskets.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN } from '../fixture.ts';

const GERMANY = { id: 'S-1', name: 'Größe "x" 🚀', basket: [{ country: 'DE', quantity: 3 }], plan: '9', by: ANN };

export function describeBaskets(setup: Setup): void {
  describe('saved baskets', () => {
    test('are kept as they were put together', async () => {
      const { baskets, clock } = await setup();
      expect(await baskets.save(GERMANY)).toBe('saved');
      expect(await baskets.all()).toEqual([{ ...GERMANY, at: clock.now }]);
    });

    test('are saved once, however often the same one comes', async () => {
      const { baskets, openAgain } = await setup();
      const other = (await openAgain()).baskets;
      const results = await Promise.all([baskets.save(GERMANY), other.save(GERMANY), baskets.save(GERMANY)]);
      expect(results).toEqual(['saved', 'saved', 'saved']);
      expect(await baskets.all()).toHaveLength(1);
    });

    test('take a name without regard to case, beyond ASCII too', async () => {
      const { baskets } = await setup();
      await baskets.save(GERMANY);
      expect(await baskets.save({ ...GERMANY, id: 'S-2', name: 'GRÖßE "X" 🚀' })).toBe('name_taken');
      expect(await baskets.all()).toHaveLength(1);
    });

    test('are so many at most', async () => {
      const { baskets } = await setup();
      for (let n = 0; n < BASKETS_AT_MOST; n++) await baskets.save({ ...GERMANY, id: `S-${n}`, name: `n ${n}` });
      expect(await baskets.save({ ...GERMANY, id: 'S-x', name: 'one more' })).toBe('too_many');
      expect(await baskets.all()).toHaveLength(BASKETS_AT_MOST);
    });

    test('are removed only by whom the rule lets, and once', async () => {
      const { baskets } = await setup();
      await baskets.save(GERMANY);
      expect(await baskets.remove(GERMANY.id, ({ by }) => by === BEN)).toBeUndefined();
      expect(await baskets.remove(GERMANY.id, ({ by }) => by === ANN)).toMatchObject(GERMANY);
      expect(await baskets.remove(GERMANY.id, () => true)).toBeUndefined();
      expect(await baskets.all()).toEqual([]);
    });
  });
}
