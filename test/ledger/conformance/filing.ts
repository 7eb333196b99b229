import { describe, expect, test } from 'vitest';
import type { NewPurchase } from '../../../src/purchasing/model/filing.ts';
import { STATES } from '../../../src/purchasing/model/purchase.ts';
import { MONTHLY, YEARLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, BEN, filed, HOUR, START, stateOf, subjectOf, WAY_TO, walked } from '../fixture.ts';

export function describeFiling(setup: Setup): void {
  describe('filing', () => {
    test('keeps a purchase exactly as it was filed', async () => {
      const { ledger } = await setup();
      const {
        filedBy: _,
        notices: __,
        evidence: ___,
        ...purchase
      } = aPurchase({
        reason: 'a "quote", a \\ and\nZürich 東京 🚀',
        quantity: 3,
        state: 'approved',
      });
      await filed(ledger, purchase);
      expect((await ledger.record(purchase.id))?.purchase).toEqual({
        ...purchase,
        version: 1,
        changedAt: START,
        approver: null,
        firstApprover: null,
        attempt: null,
        declinedHow: null,
        sendAfter: null,
      });
    });

    test('files once for one submission, however many arrive together', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const file = (from: typeof ledger) => {
        const purchase = aPurchase({ submission: 'V1', contentKey: 'same' });
        return from.file(subjectOf(purchase), (facts) =>
          facts.filed ? { result: facts.filed.id } : { result: purchase.id, file: purchase },
        );
      };
      const ids = await Promise.all([file(ledger), file(other), file(ledger), file(other)]);
      expect(new Set(ids).size).toBe(1);
      expect(await ledger.open()).toHaveLength(1);
    });

    test('tells of a submit that was refused, or broke, when it is delivered again, alone or for a batch', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const file = (from: typeof ledger, click: string) =>
        from.file({ ...subjectOf(aPurchase()), click }, ({ deliveredBefore }) => ({
          result: deliveredBefore,
          ...(deliveredBefore === null ? { click: 'refused' as const } : {}),
        }));
      expect(await file(ledger, 'submit 1')).toBeNull();
      expect(await file(other, 'submit 1')).toBe('refused');
      await ledger.refuseClick('submit 2');
      expect(await file(other, 'submit 2')).toBe('refused');
      const subject = { submission: 'V9', rows: [], click: 'submit 2' };
      expect(await other.fileBatch(subject, ({ deliveredBefore }) => ({ result: deliveredBefore }))).toBe('refused');
      expect(await file(other, 'submit 3')).toBeNull();
    });

    test('lets a click that has counted stay as it is, however it broke later', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const click = { click: 'click 1' };
      await ledger.change(id, () => ({ result: null, by: BEN, click: 'done' }), click);
      for (const _ of [1, 2]) await ledger.refuseClick('click 1');
      expect(await ledger.change(id, (_, facts) => ({ result: facts.deliveredBefore, by: BEN }), click)).toBe('done');
    });

    test('refuses a second row for a submission even where the rule forgets to look', async () => {
      const { ledger } = await setup();
      await filed(ledger, { submission: 'V1' });
      await expect(filed(ledger, { submission: 'V1' })).rejects.toThrow();
      expect(await ledger.open()).toHaveLength(1);
    });

    test.each(STATES.filter((state) => state !== 'requested' && state !== 'approved'))(
      'files nothing as %s',
      async (state) => {
        const { ledger } = await setup();
        await expect(filed(ledger, { state, sendBy: START })).rejects.toThrow();
      },
    );

    test('writes nothing when the rule files nothing, or throws', async () => {
      const { ledger } = await setup();
      const purchase = aPurchase();
      expect(await ledger.file(subjectOf(purchase), () => ({ result: 'no' }))).toBe('no');
      const broken = ledger.file(subjectOf(purchase), () => {
        throw new Error('a bug');
      });
      await expect(broken).rejects.toThrow('a bug');
      expect(await ledger.record(purchase.id)).toBeUndefined();
      await filed(ledger);
    });

    test('tells of purchases of the same content that are open or changed in the last 24 h, newest first', async () => {
      const { ledger, clock } = await setup();
      const contentKey = 'same';
      const open = await filed(ledger, { contentKey });
      const old = await walked(ledger, await filed(ledger, { contentKey }), ...WAY_TO.completed);
      clock.now += 1;
      const declined = await walked(ledger, await filed(ledger, { contentKey, requester: BEN }), ...WAY_TO.declined);
      await filed(ledger);
      clock.now = START + 24 * HOUR;

      const { twins } = await ledger.filingFacts(subjectOf(aPurchase({ contentKey })));
      expect(twins.map(({ id }) => id)).toEqual([declined, open]);
      expect(twins[0]).toEqual({
        id: declined,
        state: 'declined',
        requester: BEN,
        changedAt: START + 1,
        declinedByVendor: true,
      });
      expect(await stateOf(ledger, old)).toBe('completed');
    });

    test('counts as declined by the vendor only what the vendor declined', async () => {
      const { ledger } = await setup();
      const id = await walked(ledger, await filed(ledger, { contentKey: 'same' }), 'approved');
      await ledger.change(id, () => ({ result: null, by: BEN, to: 'declined', set: { declinedHow: 'not_sent' } }));
      const { twins } = await ledger.filingFacts(subjectOf(aPurchase({ contentKey: 'same' })));
      expect(twins).toMatchObject([{ state: 'declined', declinedByVendor: false }]);
    });

    test('does not take a submission for its own twin', async () => {
      const { ledger } = await setup();
      const purchase = aPurchase();
      await filed(ledger, purchase);
      const facts = await ledger.filingFacts(subjectOf(purchase));
      expect(facts.twins).toEqual([]);
      expect(facts.filed?.id).toBe(purchase.id);
    });

    test('counts the IPs of what was, may have been or may yet be spent: open ones at any age, completed ones for 24 h', async () => {
      const { ledger, clock } = await setup();
      let bit = 1;
      const expected: Record<string, number> = {};
      for (const state of STATES) {
        // The lane has room for one: what is being sent comes last.
        if (state === 'sending') continue;
        await walked(ledger, await filed(ledger, { quantity: bit }), ...WAY_TO[state]);
        expected[state] = bit;
        bit *= 2;
      }
      await walked(ledger, await filed(ledger, { quantity: bit }), ...WAY_TO.sending);
      await filed(ledger, { requester: BEN, requesterPerson: BEN });
      const { requested = 0, approved = 0, completed = 0, unknown = 0 } = expected;
      const open = requested + approved + unknown + bit;

      const subject = subjectOf(aPurchase());
      clock.now = START + 24 * HOUR - 1;
      expect((await ledger.filingFacts(subject)).counted).toBe(open + completed);
      clock.now = START + 24 * HOUR;
      expect((await ledger.filingFacts(subject)).counted).toBe(open);
    });

    test('knows of a buyer, by any of their ids, what counts and the plan of the latest request to buy', async () => {
      const { ledger } = await setup();
      expect(await ledger.buyerFacts([ANN])).toEqual({ counted: 0, lastPlan: null });

      await filed(ledger, { quantity: 2 });
      await filed(ledger, { quantity: 3, plan: YEARLY, requesterPerson: 'W0ANN' });
      await filed(ledger, { kind: 'renew', orderId: '7', quantity: null, basket: [] });
      await filed(ledger, { requester: BEN, requesterPerson: BEN });
      expect(await ledger.buyerFacts([ANN, 'W0ANN'])).toEqual({ counted: 5, lastPlan: YEARLY });
      expect(await ledger.buyerFacts([ANN])).toEqual({ counted: 2, lastPlan: MONTHLY });
    });

    test('keeps with a filing which completed purchase it repeats', async () => {
      const { ledger } = await setup();
      const repeats = { id: 'p0', state: 'completed', requester: BEN, changedAt: START } as const;
      const id = await filed(ledger, { evidence: { repeats } });
      expect((await ledger.record(id))?.entries[0]?.detail).toEqual({ kind: 'transition', evidence: { repeats } });
    });

    test('counts by the human, not by the id they used, and nothing for an unknown size', async () => {
      const { ledger } = await setup();
      await filed(ledger, { requester: 'W0ANN', requesterPerson: ANN, quantity: 5 });
      await filed(ledger, { kind: 'renew', orderId: '7', quantity: null, basket: [] });
      expect((await ledger.filingFacts(subjectOf(aPurchase()))).counted).toBe(5);
    });

    test('serialises filings: two that together break a limit do not both fit', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const within = (from: typeof ledger, purchase: NewPurchase) =>
        from.file(subjectOf(purchase), ({ counted }) =>
          counted + 3 <= 10 ? { result: true, file: purchase } : { result: false },
        );
      const fits = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => within(n % 2 ? ledger : other, aPurchase())));
      expect(fits.filter(Boolean)).toHaveLength(3);
    });

    test('knows of an order the completed buy and the completed renewals, oldest first', async () => {
      const { ledger } = await setup();
      const orderId = '9007199254740993';
      expect(await ledger.order(orderId)).toEqual({ orderId, bought: null, renewals: [], entries: [] });
      const buy = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(buy, () => ({ result: null, by: ANN, set: { orderId } }));
      const renewal = () => filed(ledger, { kind: 'renew', orderId });
      const first = await walked(ledger, await renewal(), ...WAY_TO.completed);
      const second = await walked(ledger, await renewal(), ...WAY_TO.completed);
      await walked(ledger, await renewal(), ...WAY_TO.unknown);

      const { order } = await ledger.filingFacts(subjectOf(aPurchase({ kind: 'renew', orderId })));
      expect(order?.bought?.id).toBe(buy);
      expect(order?.renewals.map(({ id }) => id)).toEqual([first, second]);
      expect(await ledger.order(orderId)).toEqual(order);
    });
  });
}
