import { describe, expect, test } from 'vitest';
import { BASKETS_AT_MOST } from '../../../src/purchasing/model/saved-basket.ts';
import type { Baskets } from '../../../src/purchasing/ports/baskets.ts';
import type { Clicker } from '../../../src/purchasing/rules/rights.ts';
import { decideRemoving, decideRenaming, decideSaving } from '../../../src/purchasing/rules/saved-baskets.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN } from '../fixture.ts';

const GERMANY = { id: 'S-1', typed: 'Größe "x" 🚀', basket: [{ country: 'DE', quantity: 3 }], plan: '9' };
const KEPT = { id: 'S-1', name: 'Größe "x" 🚀', basket: GERMANY.basket, plan: '9', by: ANN };

const who = (user: string): Clicker => ({
  user,
  allowed: { person: user, ids: new Set([user]), rights: new Set(['buy']) },
});
const save = (baskets: Baskets, over: Partial<typeof GERMANY> = {}, click?: string) =>
  baskets.change((facts) => decideSaving(facts, who(ANN), { ...GERMANY, ...over }), click);
const rename = (baskets: Baskets, typed: string, click?: string) =>
  baskets.change((facts) => decideRenaming(facts, who(ANN), 'S-1', typed), click);
const remove = (baskets: Baskets, by = ANN, click?: string) =>
  baskets.change((facts) => decideRemoving(facts, who(by), 'S-1'), click);

export function describeBaskets(setup: Setup): void {
  describe('saved baskets', () => {
    test('are kept as they were put together, in the order of their names', async () => {
      const { baskets, clock } = await setup();
      const first = { id: 'S-2', typed: 'ämter', basket: [{ country: 'US', quantity: 1 }], plan: null };
      await save(baskets);
      await baskets.change((facts) => decideSaving(facts, who(ANN), first));
      await save(baskets, { id: 'S-3', typed: 'Abc' });
      expect((await baskets.all()).map(({ name }) => name)).toEqual(['Abc', 'Größe "x" 🚀', 'ämter']);
      expect((await baskets.all())[1]).toEqual({ ...KEPT, at: clock.now });
      expect((await baskets.all())[2]?.plan).toBeNull();
    });

    test('leave an entry of each thing that was done, by whom and when; a removed one stays there', async () => {
      const { baskets, clock, database } = await setup();
      const at = clock.now;
      await save(baskets, {}, 'click 1');
      clock.now += 5;
      await rename(baskets, 'Small', 'click 2');
      clock.now += 5;
      await remove(baskets, BEN, 'click 3');
      await remove(baskets, ANN, 'click 4');
      const rows = await database.read((sql) => sql.all('SELECT at, by, kind, detail FROM entries ORDER BY seq'));
      expect(rows.map(({ detail, ...row }) => ({ ...row, ...JSON.parse(String(detail)) }))).toEqual([
        { at, by: ANN, kind: 'basket_saved', id: 'S-1', name: KEPT.name, basket: GERMANY.basket, plan: '9' },
        { at: at + 5, by: ANN, kind: 'basket_renamed', id: 'S-1', name: 'Small', before: KEPT.name },
        { at: at + 10, by: ANN, kind: 'basket_removed', id: 'S-1', name: 'Small' },
      ]);
      expect(await baskets.all()).toEqual([]);
    });

    test('are saved once when the same click comes to two processes at the same moment', async () => {
      const { baskets, database, openAgain } = await setup();
      const other = (await openAgain()).baskets;
      const results = await Promise.all([save(baskets, {}, 'c'), save(other, {}, 'c'), save(baskets, {}, 'c')]);
      expect(results).toEqual([
        expect.objectContaining(KEPT),
        expect.objectContaining(KEPT),
        expect.objectContaining(KEPT),
      ]);
      expect(await baskets.all()).toHaveLength(1);
      expect(await database.read((sql) => sql.all('SELECT kind FROM entries'))).toEqual([{ kind: 'basket_saved' }]);
    });

    test('are renamed and removed once for a click, whatever was done since', async () => {
      const { baskets } = await setup();
      await save(baskets);
      await rename(baskets, 'One', 'r');
      await rename(baskets, 'Two', 's');
      expect(await rename(baskets, 'One', 'r')).toMatchObject({ name: 'Two' });
      await remove(baskets, ANN, 'x');
      await save(baskets);
      expect(await remove(baskets, ANN, 'x')).toEqual({ id: 'S-1' });
      expect(await baskets.all()).toHaveLength(1);
    });

    test('of one name are one, beyond ASCII too, when two processes save them at the same moment', async () => {
      const { baskets, openAgain } = await setup();
      const other = (await openAgain()).baskets;
      const names = ['Größe', 'GRÖSSE', ' gro\u0308\u200bße '];
      const results = await Promise.all(
        names.map((typed, n) => save(n === 1 ? other : baskets, { id: `S-${n}`, typed }, `click ${n}`)),
      );
      expect(results.filter((result) => 'refused' in result)).toEqual([
        { refused: 'basket_name_taken' },
        { refused: 'basket_name_taken' },
      ]);
      expect(await baskets.all()).toHaveLength(1);
    });

    test('may have a name again that was removed or given up', async () => {
      const { baskets } = await setup();
      await save(baskets);
      await rename(baskets, 'Other');
      expect(await save(baskets, { id: 'S-2' })).toMatchObject({ id: 'S-2' });
      await remove(baskets);
      expect(await save(baskets, { id: 'S-3', typed: 'Other' })).toMatchObject({ id: 'S-3' });
    });

    test('are so many at most, when the last ones are saved at the same moment', async () => {
      const { baskets, openAgain } = await setup();
      const other = (await openAgain()).baskets;
      for (let n = 1; n < BASKETS_AT_MOST; n++) await save(baskets, { id: `S-${n}`, typed: `n ${n}` });
      const last = await Promise.all([
        save(baskets, { id: 'S-x', typed: 'x' }),
        save(other, { id: 'S-y', typed: 'y' }),
      ]);
      expect(last.filter((result) => 'refused' in result)).toEqual([
        { refused: 'too_many_baskets', limit: BASKETS_AT_MOST },
      ]);
      expect(await baskets.all()).toHaveLength(BASKETS_AT_MOST);
    });
  });
}
