import { describe, expect, test } from 'vitest';
import { contentKey } from '../../../src/purchasing/model/purchase.ts';
import { MONTHLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, ANSWER, anAttempt, BEN, filed, START, WAY_TO, walked } from '../fixture.ts';

export function describeEntries(setup: Setup): void {
  describe('entries', () => {
    test('every transition has its entry: who, when, from, to, evidence', async () => {
      const { ledger, clock } = await setup();
      const id = await filed(ledger);
      clock.now += 5;
      const set = { approver: BEN, sendBy: START + 99 };
      await ledger.change(id, () => ({ result: null, to: 'approved', by: BEN, set, evidence: { seen: 'balance' } }));
      const { entries } = (await ledger.record(id)) ?? {};
      expect(entries).toMatchObject([
        { at: START, by: ANN, from: null, to: 'requested', detail: { kind: 'transition', evidence: {} } },
        {
          at: START + 5,
          by: BEN,
          from: 'requested',
          to: 'approved',
          detail: { kind: 'transition', evidence: { seen: 'balance' } },
        },
      ]);
      expect(Object.keys(entries?.[0] ?? {}).toSorted()).toEqual(['at', 'by', 'detail', 'from', 'seq', 'to']);
    });

    test('a transition made past the ledger has its entry too', async () => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      await database.write((sql) =>
        sql.run(`UPDATE purchases SET state = 'withdrawn', changed_by = 'sql' WHERE id = :id`, { id }),
      );
      expect((await ledger.record(id))?.entries.at(-1)).toMatchObject({
        by: 'sql',
        from: 'requested',
        to: 'withdrawn',
      });
    });

    test("keeps the vendor's answer whole, and in the order in which things happened", async () => {
      const { ledger } = await setup();
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
      const answer = { ...ANSWER, rawBody: '{"code":200,\r\n"order_id":9007199254740993}\u0000\u2028<b>"\\' };
      const detail = { kind: 'answer', attemptId: 'attempt 1', answer, late: false } as const;
      await ledger.change(id, () => ({
        result: null,
        by: 'desk',
        to: 'completed',
        entries: [{ by: 'desk', from: null, to: null, detail }],
      }));
      const { entries = [] } = (await ledger.record(id)) ?? {};
      expect(entries.at(-2)).toMatchObject({ by: 'desk', from: null, to: null, detail });
      expect(entries.at(-1)?.to).toBe('completed');
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).toSorted((a, b) => a - b));
    });

    test('keep what no text of the database holds, as near as it can be kept', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const said = 'NUL \u0000 and half a pair \ud83d';
      await ledger.change(id, () => ({ result: null, by: ANN, set: { why: said } }));
      const kept = (await ledger.record(id))?.purchase.why;
      expect(kept?.replace('\0', '\ufffd')).toBe('NUL \ufffd and half a pair \ufffd');
    });

    test.each([
      ['changed', `UPDATE entries SET by = 'somebody else'`],
      ['changed back', 'UPDATE entries SET by = by'],
      ['removed', 'DELETE FROM entries'],
    ])('are only ever added, never %s', async (_, statement) => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      const before = await ledger.record(id);
      await expect(database.write((sql) => sql.run(statement))).rejects.toThrow('append-only');
      expect(await ledger.record(id)).toEqual(before);
    });
  });

  describe('what cannot be understood', () => {
    const SECRET = 'proxy login hunter2';
    const withAttempt = (change: object) => JSON.stringify({ ...anAttempt(), why: SECRET, ...change });

    test.each([
      ['not JSON', 'not JSON', 'not JSON'],
      ['no object', '[]', 'all of it: Invalid input'],
      ['without a field', withAttempt({ deadline: undefined }), 'deadline: Invalid input'],
      ['a float for an amount', withAttempt({ balanceBefore: 12.5 }), 'balanceBefore: not an amount'],
      ['an amount that is none', withAttempt({ balanceBefore: '12,50' }), 'balanceBefore: not an amount'],
    ])('of a purchase is thrown with its place, and none of its content: %s', async (_, json, how) => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      const write = (attempt: string) =>
        database.write((sql) => sql.run('UPDATE purchases SET attempt = :attempt WHERE id = :id', { attempt, id }));
      await write(json);
      const error = await ledger.record(id).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(`Error: the ledger cannot be understood at ${id}, column attempt: ${how}`);
      expect(String(error)).not.toContain(SECRET);
      await write(withAttempt({ added: 'by a newer version' }));
      expect((await ledger.record(id))?.purchase.attempt).toMatchObject({ added: 'by a newer version' });
    });

    test('of an entry is thrown so too; a kind that a newer version has added is not', async () => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      const add = (kind: string, detail: string) =>
        database.write((sql) =>
          sql.run('INSERT INTO entries (purchase_id, at, by, kind, detail) VALUES (:id, 0, :by, :kind, :detail)', {
            id,
            by: ANN,
            kind,
            detail,
          }),
        );
      await add('of_tomorrow', '{"seen":true}');
      expect((await ledger.record(id))?.entries.at(-1)?.detail).toEqual({ kind: 'of_tomorrow', seen: true });
      await add(
        'answer',
        JSON.stringify({ attemptId: 'a', late: false, answer: { ...ANSWER, rawBody: 7, why: SECRET } }),
      );
      const error = await ledger.record(id).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(
        /^Error: the ledger cannot be understood at entry \d+, column detail: answer\.rawBody: /,
      );
      expect(String(error)).not.toContain('hunter2');
    });
  });

  describe('a purchase', () => {
    test('is never removed', async () => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      await expect(database.write((sql) => sql.run('DELETE FROM purchases'))).rejects.toThrow('kept');
      expect(await ledger.record(id)).toBeDefined();
    });

    test.each([
      ['id', 'x'],
      ['kind', 'renew'],
      ['requester', BEN],
      ['requester_person', BEN],
      ['plan', '{}'],
      ['basket', '[]'],
      ['quantity', 500],
      ['reason', 'x'],
      ['submission', 'x'],
      ['content_key', 'x'],
      ['needs_approval', 0],
      ['created_at', 0],
      ['expires_at', 0],
    ])('has its %s frozen at filing', async (column, value) => {
      const { ledger, database } = await setup();
      const id = await filed(ledger);
      const before = await ledger.record(id);
      const change = database.write((sql) => sql.run(`UPDATE purchases SET ${column} = :value`, { value }));
      await expect(change).rejects.toThrow('frozen');
      expect(await ledger.record(id)).toEqual(before);
    });

    test('of a renewal has its order frozen', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger, { kind: 'renew', orderId: '7' });
      await expect(ledger.change(id, () => ({ result: null, by: ANN, set: { orderId: '8' } }))).rejects.toThrow(
        'frozen',
      );
      await walked(ledger, id, ...WAY_TO.completed);
      expect((await ledger.record(id))?.purchase.orderId).toBe('7');
    });

    test('keeps money and attempt exactly', async () => {
      const { ledger } = await setup();
      const attempt = anAttempt({ deadline: START + 30_000 });
      const id = await walked(
        ledger,
        await filed(ledger, { contentKey: contentKey({ kind: 'buy', plan: MONTHLY, basket: [] }) }),
        ...WAY_TO.sending,
      );
      expect((await ledger.record(id))?.purchase.attempt).toEqual(attempt);
    });
  });
}
