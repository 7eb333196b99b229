import { describe, expect, test } from 'vitest';
import type { Change, ChangeFacts } from '../../../src/purchasing/model/change.ts';
import type { NewPurchase } from '../../../src/purchasing/model/filing.ts';
import { saidOf } from '../../../src/purchasing/model/outbox.ts';
import type { Ledger } from '../../../src/purchasing/ports/ledger.ts';
import { aBatch, filedBatch, subjectOfBatch } from '../batches.ts';
import type { Setup } from '../conformance.ts';
import { ANN, ANSWER, BEN, filed, HOUR, owedOf, START, stateOf, WAY_TO, walked } from '../fixture.ts';

export function describeBatches(setup: Setup): void {
  const batchNotices = async ({ outbox }: Awaited<ReturnType<Setup>>) =>
    (await outbox.leaseNotices(50, 1_000)).filter(({ batchId }) => batchId !== null).map(({ kind }) => kind);

  describe('batches', () => {
    test('are kept with their rows in their order, each an ordinary purchase', async () => {
      const { ledger } = await setup();
      const batch = aBatch(3);
      await filedBatch(ledger, batch);
      const kept = await ledger.batch(batch.id);
      expect(kept).toMatchObject({ id: batch.id, requester: ANN, requesterPerson: ANN, createdAt: START });
      expect(kept?.rows.map(({ id, batch: place }) => [id, place])).toEqual(
        batch.rows.map(({ id }, place) => [id, { id: batch.id, place }]),
      );
      const [first] = batch.rows;
      const record = await ledger.record(first?.id ?? '');
      expect(record?.purchase).toEqual(kept?.rows[0]);
      expect(record?.entries).toHaveLength(1);
      expect(await ledger.batch('nobody')).toBeUndefined();
    });

    test('are filed whole or not at all', async () => {
      const { ledger } = await setup();
      const taken = await filed(ledger);
      const batch = aBatch(3);
      const [one, two, three] = batch.rows as [NewPurchase, NewPurchase, NewPurchase];
      const broken = {
        ...batch,
        rows: [one, { ...two, submission: (await ledger.record(taken))?.purchase.submission ?? '' }, three],
      };
      await expect(filedBatch(ledger, broken)).rejects.toThrow();
      expect(await ledger.batch(batch.id)).toBeUndefined();
      expect((await ledger.open()).map(({ id }) => id)).toEqual([taken]);
      await filedBatch(ledger, batch);
      expect(await ledger.open()).toHaveLength(4);
    });

    test('are filed once for one submission, however many arrive together', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const file = (from: Ledger) => {
        const batch = aBatch(2, { submission: 'V1' });
        return from.fileBatch(subjectOfBatch(batch), (facts) =>
          facts.filed ? { result: facts.filed.id } : { result: batch.id, file: batch },
        );
      };
      const ids = await Promise.all([file(ledger), file(other), file(ledger), file(other)]);
      expect(new Set(ids).size).toBe(1);
      expect(await ledger.open()).toHaveLength(2);
    });

    test('are refused for a submission that has one, even where the rule forgets to look', async () => {
      const { ledger } = await setup();
      await filedBatch(ledger, aBatch(2, { submission: 'V1' }));
      await expect(filedBatch(ledger, aBatch(2, { submission: 'V1' }))).rejects.toThrow();
      expect(await ledger.open()).toHaveLength(2);
    });

    test('have the facts of each row, as for one that is asked for alone', async () => {
      const { ledger } = await setup();
      await filed(ledger, { quantity: 4 });
      const twin = await filed(ledger, { contentKey: 'same', quantity: 1 });
      const batch = aBatch(2, { row: { contentKey: 'same' } });
      const facts = await ledger.batchFilingFacts(subjectOfBatch(batch));
      expect(facts).toMatchObject({ now: START, freeze: null, filed: null });
      expect(facts.rows.map(({ counted, twins }) => [counted, twins.map(({ id }) => id)])).toEqual([
        [5, [twin]],
        [5, [twin]],
      ]);
    });

    test('change all rows in one transaction, or none', async () => {
      const { ledger } = await setup();
      const batch = aBatch(3);
      const ids = await filedBatch(ledger, batch);
      const approve: Change<null> = {
        result: null,
        by: BEN,
        to: 'approved',
        set: { approver: BEN, sendBy: START + HOUR },
      };
      const impossible: Change<null> = { result: null, by: BEN, to: 'completed' };
      const reject: Change<null> = { result: null, by: BEN, to: 'rejected', set: { approver: BEN } };
      const [one = '', two = '', three = ''] = ids;
      const broken = ledger.changeBatch(batch.id, () => ({
        result: null,
        changes: new Map([
          [one, approve],
          [two, impossible],
        ]),
      }));
      await expect(broken).rejects.toThrow();
      expect(await stateOf(ledger, one)).toBe('requested');
      const result = await ledger.changeBatch(batch.id, (rows) => ({
        result: rows.map(({ purchase }) => purchase.id),
        changes: new Map([
          [one, approve],
          [three, reject],
        ]),
      }));
      expect(result).toEqual(ids);
      expect(await Promise.all(ids.map((id) => stateOf(ledger, id)))).toEqual(['approved', 'requested', 'rejected']);
      expect(await ledger.changeBatch('nobody', () => ({ result: 1, changes: new Map() }))).toBeUndefined();
    });

    test('count a click once, whichever rows it changes', async () => {
      const { ledger } = await setup();
      const batch = aBatch(2);
      await filedBatch(ledger, batch);
      const before: unknown[] = [];
      for (let n = 0; n < 2; n += 1)
        await ledger.changeBatch(
          batch.id,
          (rows) => {
            const seen = rows.map(({ facts }) => facts.deliveredBefore);
            before.push(seen);
            return { result: null, changes: new Map(), ...(seen[0] === null && { click: 'done' as const }) };
          },
          { click: 'one click' },
        );
      expect(before).toEqual([
        [null, null],
        ['done', 'done'],
      ]);
    });

    test('let a row see the others, and nobody else', async () => {
      const { ledger } = await setup();
      const [one = '', two = '', three = ''] = await filedBatch(ledger, aBatch(3));
      await filedBatch(ledger, aBatch(1));
      const facts = (id: string) => ledger.change<ChangeFacts>(id, (_, known) => ({ result: known, by: ANN }));
      expect((await facts(two))?.siblings.map(({ id }) => id)).toEqual([one, three]);
      expect((await facts(await filed(ledger)))?.siblings).toEqual([]);
    });

    test('keep a row from the lane while another is unknown, and let everybody else pass', async () => {
      const { ledger } = await setup();
      const [one = '', two = ''] = await filedBatch(ledger, aBatch(2));
      await walked(ledger, one, ...WAY_TO.unknown);
      await walked(ledger, two, 'approved');
      expect((await ledger.lane()).next).toBeNull();
      const other = await walked(ledger, await filed(ledger), 'approved');
      expect((await ledger.lane()).next?.id).toBe(other);
      await ledger.change(one, () => ({ result: null, by: BEN, to: 'completed' }));
      expect((await ledger.lane()).next?.id).toBe(two);
    });

    test('are told of by one message to the requester and one card, drawn again whenever a row changes', async () => {
      const opened = await setup();
      const { ledger, outbox } = opened;
      const [one = ''] = await filedBatch(ledger, aBatch(3));
      const [status, card] = await outbox.leaseNotices(10, 1_000);
      expect([status?.kind, card?.kind]).toEqual(['batch_status', 'batch_card']);
      if (!status || !card) return;
      await outbox.noticeShown(status, { channel: 'D1', ts: '1' }, 3);
      await outbox.noticeShown(card, { channel: 'C1', ts: '1' }, 3);
      expect(await owedOf(opened)).toBe(0);
      await walked(ledger, one, 'approved');
      expect(await batchNotices(opened)).toEqual(['batch_status', 'batch_card']);
      expect((await outbox.placesOf(status.batchId ?? '')).map(({ channel }) => channel)).toEqual(['D1', 'C1']);
    });

    test('are drawn once more where a row has changed while they were drawn', async () => {
      const opened = await setup();
      const { ledger, outbox } = opened;
      const [one = ''] = await filedBatch(ledger, aBatch(3));
      const leased = await outbox.leaseNotices(10, 1_000);
      await walked(ledger, one, 'approved');
      for (const notice of leased) await outbox.noticeShown(notice, { channel: 'C1', ts: String(notice.id) }, 3);
      expect(await owedOf(opened)).toBe(2);
    });

    test('owe news once when they are over, once when the first outcome is unknown, and none for each row', async () => {
      const { ledger, database } = await setup();
      const owed = (about: 'batch_id' | 'purchase_id') =>
        database.read(async (sql) =>
          (await sql.all(`SELECT kind FROM notices WHERE ${about} IS NOT NULL`)).map(({ kind }) => kind),
        );
      const [one = '', two = '', three = ''] = await filedBatch(ledger, aBatch(3, { notices: [] }));
      await walked(ledger, one, ...WAY_TO.completed);
      expect(await owed('batch_id')).toEqual([]);
      await walked(ledger, two, ...WAY_TO.unknown);
      expect(await owed('batch_id')).toEqual(['batch_outcome']);
      await walked(ledger, three, 'rejected');
      expect(await owed('batch_id')).toEqual(['batch_outcome']);
      await walked(ledger, two, 'completed');
      expect(await owed('batch_id')).toEqual(['batch_outcome', 'batch_outcome']);
      expect(await owed('purchase_id')).toEqual([]);
    });

    test('are talked about once for all rows; what is said is kept with the first, shown with the batch, and goes under its card', async () => {
      const { ledger, outbox } = await setup();
      const batch = aBatch(2);
      const [one = '', two = ''] = await filedBatch(ledger, batch);
      const [status, card] = await outbox.leaseNotices(10, 1_000);
      if (status && card) {
        await outbox.noticeShown(status, { channel: 'D1', ts: '1' }, 2);
        await outbox.noticeShown(card, { channel: 'C1', ts: '1' }, 2);
      }
      const say = (click: string) =>
        ledger.talk(
          batch.id,
          ({ rows }, { talk, deliveredBefore }) => ({
            result: [rows.length, talk.length, deliveredBefore],
            by: ANN,
            entries: [{ by: ANN, from: null, to: null, detail: { kind: 'nudge' } }],
            notices: [saidOf(batch.id, 'nudge', 'thread', click)],
            ...(deliveredBefore === null && { click: 'done' as const }),
          }),
          click,
        );
      expect(await say('first')).toEqual([2, 0, null]);
      expect(await say('first')).toEqual([2, 1, 'done']);
      expect((await ledger.batch(batch.id))?.talk.map(({ by }) => by)).toEqual([ANN, ANN]);
      expect((await ledger.record(one))?.entries).toHaveLength(3);
      expect((await ledger.record(two))?.entries).toHaveLength(1);
      expect((await outbox.leaseNotices(10, 1_000)).map(({ kind, batchId }) => [kind, batchId])).toEqual([
        ['batch_status', batch.id],
        ['batch_card', batch.id],
        ['nudge', batch.id],
      ]);
      expect(await ledger.sides(batch.id)).toEqual({ requester: ANN, keptBy: null });
      expect(await ledger.talk('nobody', () => ({ result: 1, by: ANN }), 'c')).toBeUndefined();
    });

    test('that nobody decides are told of as one, and of what is owed under their card, whichever row waits', async () => {
      const { ledger, clock, outbox } = await setup();
      const alone = await filed(ledger, { createdAt: START });
      const batch = aBatch(3);
      const [one = '', two = ''] = await filedBatch(ledger, batch);
      await outbox.owe(saidOf(batch.id, 'reminder', 'thread', '1'), null, batch.id);
      clock.now = START + HOUR;
      const found = async () =>
        (await outbox.undecidedFor(HOUR - 1)).requests.map(({ id, isBatch, createdAt, owed }) => [
          id,
          isBatch,
          createdAt,
          [...owed].filter((key) => key.includes('reminder')),
        ]);
      const expected = [
        [alone, false, START, []],
        [batch.id, true, START, [`${batch.id}:reminder::thread:1`]],
      ];
      expect(await found()).toEqual(expected);
      await walked(ledger, one, 'rejected');
      await walked(ledger, two, 'approved');
      expect(await found()).toEqual(expected);
    });

    test('say of which rows there is an answer to show', async () => {
      const { ledger } = await setup();
      const batch = aBatch(4);
      const ids = await filedBatch(ledger, batch);
      const bodies = ['{"code":200,"x":"\\"rawBody\\":\\"\\""}', '', null];
      for (const [index, rawBody] of bodies.entries()) {
        const answer = { ...ANSWER, rawBody, vendorText: 'says "rawBody":"x"' };
        const detail = { kind: 'answer', attemptId: 'a', answer, late: false } as const;
        await ledger.change(ids[index] ?? '', () => ({
          result: null,
          by: ANN,
          entries: [{ by: ANN, from: null, to: null, detail }],
        }));
      }
      expect([...((await ledger.batch(batch.id))?.answered ?? [])]).toEqual([ids[0]]);
    });

    test('cannot be changed, and no row can be moved to another', async () => {
      const { ledger, database } = await setup();
      const batch = aBatch(2);
      const [one = ''] = await filedBatch(ledger, batch);
      for (const statement of [
        `UPDATE batches SET requester = 'U0EVE'`,
        'DELETE FROM batches',
        'UPDATE purchases SET batch_id = NULL, batch_place = NULL',
        'UPDATE purchases SET batch_place = batch_place + 5',
      ])
        await expect(database.write((sql) => sql.run(statement))).rejects.toThrow();
      expect((await ledger.record(one))?.purchase.batch).toEqual({ id: batch.id, place: 0 });
    });
  });
}
