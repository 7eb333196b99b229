import { describe, expect, test } from 'vitest';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, HOUR } from '../fixture.ts';

interface Rows {
  rows: string[];
}

export function describeDrafts(setup: Setup): void {
  describe('drafts', () => {
    test('are kept as they were put together, for their owner only', async () => {
      const { drafts } = await setup();
      const content = { rows: ['DE 1', '🚀 "x"'] };
      const draft = await drafts.create(ANN, content);
      expect(draft).toEqual({ id: expect.any(String), user: ANN, revision: 1, content });
      expect(await drafts.read(draft.id, ANN)).toEqual(draft);
      expect(await drafts.read(draft.id, BEN)).toBeUndefined();
      expect(await drafts.update(draft.id, BEN, () => ({ rows: [] }))).toBeUndefined();
      expect(await drafts.read('nothing', ANN)).toBeUndefined();
      expect(await drafts.read(draft.id, ANN)).toEqual(draft);
    });

    test('lose no change when several processes change one together', async () => {
      const { drafts, openAgain } = await setup();
      const other = (await openAgain()).drafts;
      const { id } = await drafts.create<Rows>(ANN, { rows: [] });
      const add = (n: number) =>
        (n % 2 ? drafts : other).update<Rows>(id, ANN, ({ rows }) => ({ rows: [...rows, String(n)] }));
      await Promise.all([1, 2, 3, 4, 5, 6].map(add));
      const draft = await drafts.read<Rows>(id, ANN);
      expect(draft?.content.rows.toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
      expect(draft?.revision).toBe(7);
    });

    test('stay as they were when a change throws', async () => {
      const { drafts } = await setup();
      const draft = await drafts.create<Rows>(ANN, { rows: ['DE 1'] });
      const change = drafts.update<Rows>(draft.id, ANN, () => {
        throw new Error('a bug');
      });
      await expect(change).rejects.toThrow('a bug');
      expect(await drafts.read(draft.id, ANN)).toEqual(draft);
    });

    test('are pruned a day after their last change', async () => {
      const { drafts, clock } = await setup();
      const abandoned = await drafts.create<Rows>(ANN, { rows: [] });
      const used = await drafts.create<Rows>(ANN, { rows: [] });
      clock.now += HOUR;
      await drafts.update<Rows>(used.id, ANN, (content) => content);
      clock.now += 23 * HOUR + 1;
      await drafts.create<Rows>(BEN, { rows: [] });
      expect(await drafts.read(abandoned.id, ANN)).toBeUndefined();
      expect(await drafts.read(used.id, ANN)).toBeDefined();
    });
  });
}
