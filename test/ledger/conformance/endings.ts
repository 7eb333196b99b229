import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { ReminderChange, ReminderFacts } from '../../../src/purchasing/model/end-reminder.ts';
import { keptSubmission } from '../../../src/purchasing/model/filing.ts';
import type { OrderEntryDetail } from '../../../src/purchasing/model/order.ts';
import type { OrderId } from '../../../src/purchasing/model/order-id.ts';
import { MONTHLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, filed, HOUR, owedOf, START, WAY_TO, walked } from '../fixture.ts';

const DAY = 24 * HOUR;
const LEASE = 30_000;
const PLACE = { channel: 'D1', ts: '1.000001' };
/** Of what is written down as bought on 31 December. */
const END = Date.UTC(2026, 0, 31, 12);
const ID = '77' as OrderId;
const KEY = `reminder:${ANN}:2026-01-31`;

const imported = {
  kind: 'order_imported' as const,
  plan: MONTHLY,
  basket: [{ country: 'US', quantity: 10 }],
  boughtAt: Date.UTC(2025, 11, 31, 12),
  owner: ANN,
  note: null,
} satisfies OrderEntryDetail;

const say = ({ orders }: Pick<OpenLedger, 'orders'>, detail: OrderEntryDetail, orderId = ID) =>
  orders.change([orderId], () => ({ result: null, entries: [{ orderId, by: BEN, detail }] }));

const telling =
  (rung: number, key = KEY) =>
  ({ written, orders }: ReminderFacts): ReminderChange => {
    const [order] = orders;
    if (written || !order || (order.last !== null && order.last <= rung)) return { notice: null, lines: [] };
    return {
      notice: { key, kind: 'ending', audience: `user:${ANN}`, about: null, text: key, by: null },
      lines: [{ orderId: ID, owner: ANN, endsAt: END, rung, told: true }],
    };
  };

export function describeEndings(setup: Setup): void {
  describe('orders that end', () => {
    test('are found by their end, with the rung that was reached last and the one that is asked for', async () => {
      const opened = await setup();
      const { endings } = opened;
      await say(opened, imported);
      await say(opened, { ...imported, boughtAt: START - 10 * DAY }, '78' as OrderId);
      const found = () => endings.between(END - DAY, END + DAY);
      expect(await found()).toEqual([{ orderId: ID, owner: ANN, endsAt: END, again: null, last: null }]);
      await endings.remind(KEY, [ID], telling(7));
      await endings.remind('another', [ID], telling(3, 'another'));
      await say(opened, { kind: 'order_remind_again', endsAt: END, rung: 2 });
      expect(await found()).toEqual([{ orderId: ID, owner: ANN, endsAt: END, again: 2, last: 3 }]);
    });

    test('are reminded of once for a rung and once for a key, whoever is quicker', async () => {
      const opened = await setup();
      const { endings: other } = await opened.openAgain();
      await say(opened, imported);
      for (const key of [KEY, 'another day'])
        await Promise.all(
          [opened.endings, other, opened.endings].map((endings) => endings.remind(key, [ID], telling(3, key))),
        );
      expect(await opened.outbox.leaseNotices(10, LEASE)).toMatchObject([{ key: KEY }]);
      expect(await opened.endings.rowsOf(KEY)).toMatchObject([{ orderId: ID, owner: ANN, endsAt: END, rung: 3 }]);
      expect(await opened.endings.rowsOf('another day')).toEqual([]);
      expect(await opened.endings.remind(KEY, [ID], telling(1))).toBe(false);
      expect(await opened.endings.rowsOf(KEY)).toMatchObject([{ rung: 3 }]);
      expect([await opened.endings.isWritten(KEY), await opened.endings.isWritten('another day')]).toEqual([
        true,
        false,
      ]);
    });

    test('a reminder is written with all its orders, or not at all', async () => {
      const opened = await setup();
      await say(opened, imported);
      await opened.endings.remind(KEY, [ID], telling(3));
      const twice = (): ReminderChange => ({
        ...telling(
          3,
          'x',
        )({
          now: 0,
          written: false,
          orders: [{ facts: { orderId: ID, bought: null, renewals: [], entries: [] }, last: null }],
        }),
      });
      await expect(opened.endings.remind('x', [ID], twice)).rejects.toThrow();
      expect(await opened.endings.isWritten('x')).toBe(false);
    });

    test('a reminder is drawn again when an order of its changes, also while it is being posted', async () => {
      const opened = await setup();
      const { outbox } = opened;
      await say(opened, imported);
      await say(opened, { ...imported, boughtAt: START - 10 * DAY }, '78' as OrderId);
      await opened.endings.remind(KEY, [ID], telling(3));
      const lease = async () => {
        const [notice] = await outbox.leaseNotices(10, LEASE);
        if (!notice) throw new Error('nothing is owed');
        return notice;
      };
      const posting = await lease();
      await say(opened, { kind: 'order_note', note: 'mine' });
      await outbox.noticeShown(posting, PLACE, 0);
      const again = await lease();
      await outbox.noticeShown(again, PLACE, 0);
      expect(await owedOf(opened)).toBe(0);
      await say(opened, { kind: 'order_note', note: 'another' }, '78' as OrderId);
      expect(await owedOf(opened)).toBe(0);
      const renewal = await filed(opened.ledger, { kind: 'renew', orderId: ID });
      await outbox.noticeShown(await lease(), PLACE, 0);
      expect(await opened.endings.rowsOf(KEY)).toMatchObject([{ renewal: { id: renewal, state: 'requested' } }]);
      await walked(opened.ledger, renewal, ...WAY_TO.completed);
      expect(await owedOf(opened)).toBe(1);
      expect(await opened.endings.rowsOf(KEY)).toMatchObject([
        { renewal: null, facts: { renewals: [{ id: renewal }] } },
      ]);
    });

    test('what is kept is found until a renewal is filed for that end, whatever becomes of it', async () => {
      const opened = await setup();
      await say(opened, imported);
      const kept = async (from = END - DAY, until = END) =>
        (await opened.endings.kept(from, until)).map(({ orderId }) => orderId);
      expect(await kept()).toEqual([]);
      await say(opened, { kind: 'order_intent', intent: 'keep', endsAt: END });
      expect(await kept()).toEqual([ID]);
      expect(await kept(END + 1, END + DAY)).toEqual([]);
      const id = await filed(opened.ledger, { kind: 'renew', orderId: ID, submission: keptSubmission(ID, END) });
      expect(await kept()).toEqual([]);
      await walked(opened.ledger, id, 'rejected');
      expect(await kept()).toEqual([]);
    });

    test('what is kept is not found while somebody’s renewal of it is open, unknown included', async () => {
      const opened = await setup();
      await say(opened, imported);
      await say(opened, { kind: 'order_intent', intent: 'keep', endsAt: END });
      const kept = async () => (await opened.endings.kept(END, END)).map(({ orderId }) => orderId);
      const id = await filed(opened.ledger, { kind: 'renew', orderId: ID });
      for (const state of WAY_TO.unknown) {
        expect(await kept()).toEqual([]);
        await walked(opened.ledger, id, state);
      }
      expect(await kept()).toEqual([]);
      await walked(opened.ledger, id, 'declined');
      expect(await kept()).toEqual([ID]);
    });
  });
}
