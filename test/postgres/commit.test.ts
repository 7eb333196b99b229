import { describe, expect, test } from 'vitest';
import type { ChangeRule } from '../../src/purchasing/model/change.ts';
import { ANN, aPurchase, BEN, filed, subjectOf, walked } from '../ledger/fixture.ts';
import type { Cut } from '../support/tcp-proxy.ts';
import { behindCutter } from './fixture.ts';

const CUTS: readonly (readonly [string, Cut])[] = [
  ['before the server sees COMMIT', 'before'],
  ['before its answer to COMMIT arrives', 'after'],
  ['while COMMIT is still on its way', 'late'],
];

describe.each(CUTS)('a connection that is cut %s', (_, how) => {
  test('files once, and says what was filed', async () => {
    const { ledger, books, cutter } = await behindCutter();
    const purchase = aPurchase();
    let asked = 0;
    const cut = cutter.cutAtCommit(how);
    const result = await ledger.file(subjectOf(purchase), ({ filed: already }) => {
      asked += 1;
      return already ? { result: 'again' } : { result: purchase.id, file: purchase };
    });
    (await cut).deliver();
    expect(result).toBe(purchase.id);
    expect(asked).toBe(how === 'after' ? 1 : 2);
    expect((await books.ledger.open()).map(({ id }) => id)).toEqual([purchase.id]);
  });

  test('decides once, and says who has decided', async () => {
    const { ledger, books, cutter } = await behindCutter();
    const id = await filed(ledger);
    const approve: ChangeRule<string> = ({ state, approver }, { now }) =>
      state === 'requested'
        ? { result: 'approved now', by: BEN, to: 'approved', set: { approver: BEN, sendBy: now + 60_000 } }
        : { result: `already ${state} by ${approver}`, by: BEN };
    const cut = cutter.cutAtCommit(how);
    expect(await ledger.change(id, approve)).toBe('approved now');
    (await cut).deliver();
    expect(await ledger.change(id, approve)).toBe('already approved by U0BEN');
    const { entries = [] } = (await books.ledger.record(id)) ?? {};
    expect(entries.map(({ to }) => to)).toEqual(['requested', 'approved']);
  });

  test('loses no change of a draft and makes none twice', async () => {
    const { drafts, cutter } = await behindCutter();
    const { id } = await drafts.create(ANN, { rows: 0 });
    const cut = cutter.cutAtCommit(how);
    await drafts.update<{ rows: number }>(id, ANN, ({ rows }) => ({ rows: rows + 1 }));
    (await cut).deliver();
    expect(await drafts.read(id, ANN)).toMatchObject({ revision: 2, content: { rows: 1 } });
  });
});

describe('a commit in doubt', () => {
  test('that nobody can be asked about is thrown, never taken for done or undone', async () => {
    const { ledger, books, cutter } = await behindCutter();
    const id = await filed(ledger);
    const cut = cutter.cutAtCommit('after');
    const deciding = walked(ledger, id, 'approved').catch((error: unknown) => error);
    await cut;
    cutter.down();
    expect(await deciding).toMatchObject({ name: 'CommitInDoubt' });
    expect((await books.ledger.record(id))?.purchase.state).toBe('approved');
    await cutter.up();
    await walked(ledger, id, 'withdrawn');
    expect((await books.ledger.record(id))?.purchase.state).toBe('withdrawn');
  });

  test('is in doubt for all who share it, and none of them is made again', async () => {
    const { drafts, books, cutter } = await behindCutter();
    const { id } = await drafts.create(ANN, { rows: 0 });
    const add = () => drafts.update<{ rows: number }>(id, ANN, ({ rows }) => ({ rows: rows + 1 }));
    const cut = cutter.cutAtCommit('after');
    const adding = Promise.allSettled([add(), add(), add()]);
    await cut;
    cutter.down();
    for (const one of await adding)
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'CommitInDoubt' } });
    expect(await books.drafts.read(id, ANN)).toMatchObject({ revision: 4, content: { rows: 3 } });
  });

  test('is not mistaken for an earlier one of the same process', async () => {
    const { ledger, books, cutter } = await behindCutter();
    const first = await filed(ledger);
    const cut = cutter.cutAtCommit('before');
    const second = await filed(ledger);
    await cut;
    expect((await books.ledger.open()).map(({ id }) => id)).toEqual([first, second]);
  });

  test('is looked up before the next one of the same process is made', async () => {
    const { drafts, cutter } = await behindCutter();
    const { id } = await drafts.create(ANN, { rows: 0 });
    const add = () => drafts.update<{ rows: number }>(id, ANN, ({ rows }) => ({ rows: rows + 1 }));
    const cut = cutter.cutAtCommit('after');
    await Promise.all([add(), add(), add()]);
    await cut;
    expect(await drafts.read(id, ANN)).toMatchObject({ revision: 4, content: { rows: 3 } });
  });
});
