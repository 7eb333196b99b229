import { describe, expect, test } from 'vitest';
import type { ChangeFacts } from '../../../src/purchasing/model/change.ts';
import type { NewEntry } from '../../../src/purchasing/model/entries.ts';
import type { OrderId } from '../../../src/purchasing/model/order-id.ts';
import { LISTED_TRANSITIONS, type PurchaseChange, STATES, type State } from '../../../src/purchasing/model/purchase.ts';
import { YEARLY } from '../../support/plan.ts';
import type { Setup } from '../conformance.ts';
import { ANN, anAttempt, aPurchase, BEN, filed, HOUR, START, stateOf, subjectOf, WAY_TO, walked } from '../fixture.ts';

export function describeChanges(setup: Setup): void {
  const facts = async (ledger: Awaited<ReturnType<Setup>>['ledger'], id: string, orderId?: OrderId) => {
    const found = await ledger.change<ChangeFacts>(id, (_, read) => ({ result: read, by: ANN }), { orderId });
    if (!found) throw new Error('no such purchase');
    return found;
  };

  describe('changing a purchase', () => {
    test.each(STATES)('from %s, goes only where the table of transitions leads', async (from) => {
      const { ledger } = await setup();
      const possible: string[] = [];
      for (const to of STATES) {
        const id = await walked(ledger, await filed(ledger), ...WAY_TO[from]);
        const moved = await walked(ledger, id, to).then(
          () => true,
          () => false,
        );
        if (moved) possible.push(to);
        expect(await stateOf(ledger, id)).toBe(moved ? to : from);
        // The lane is left free for the next.
        if ((await stateOf(ledger, id)) === 'sending') await walked(ledger, id, 'unknown');
      }
      expect(new Set(possible)).toEqual(new Set(LISTED_TRANSITIONS[from]));
    });

    test('is won once when several decide together, and the others see what was decided', async () => {
      const { ledger, openAgain } = await setup();
      const other = (await openAgain()).ledger;
      const id = await filed(ledger);
      const approve = (from: typeof ledger, by: string) =>
        from.change(id, ({ state, approver }) =>
          state === 'requested'
            ? { result: 'won', by, to: 'approved', set: { approver: by, sendBy: START + HOUR } }
            : { result: `${state} by ${approver}`, by },
        );
      const results = await Promise.all([approve(ledger, BEN), approve(other, 'U0CY'), approve(ledger, 'U0DEE')]);
      const winner = (await ledger.record(id))?.purchase.approver;
      expect(results.filter((result) => result === 'won')).toHaveLength(1);
      expect(results.filter((result) => result === `approved by ${winner}`)).toHaveLength(2);
    });

    test('answers nothing for a purchase that is not there', async () => {
      const { ledger } = await setup();
      expect(await ledger.change('nobody', () => ({ result: 1, by: ANN }))).toBeUndefined();
      expect(await ledger.record('nobody')).toBeUndefined();
    });

    test('raises the version with everything that people see, and only with that', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const version = async () => (await ledger.record(id))?.purchase.version;
      const refused = { kind: 'refused', action: 'approve', refused: 'own_purchase' } as const;
      await ledger.change(id, () => ({ result: null, by: ANN }));
      await ledger.change(id, () => ({
        result: null,
        by: ANN,
        entries: [{ by: ANN, from: null, to: null, detail: refused }],
      }));
      expect(await version()).toBe(1);
      await walked(ledger, id, 'approved');
      expect(await version()).toBe(2);
      await ledger.change(id, () => ({ result: null, by: ANN, set: { why: 'so' } }));
      expect(await version()).toBe(3);
      const reading = { kind: 'reading', nth: 0, balance: null, readAt: START, why: 'no', alone: true } as const;
      await ledger.change(id, () => ({
        result: null,
        by: ANN,
        entries: [{ by: ANN, from: null, to: null, detail: reading }],
      }));
      expect(await version()).toBe(4);
    });

    test('remembers when the present state was entered, and what may change keeps until it is changed again', async () => {
      const { ledger, clock } = await setup();
      const id = await walked(ledger, await filed(ledger), 'approved');
      clock.now += 1000;
      const set = { sendAfter: START + 5, why: 'the request never left', attempt: anAttempt({ refused: true }) };
      await ledger.change(id, () => ({ result: null, by: ANN, set }));
      const expected = { ...set, state: 'approved', approver: BEN, sendBy: START + 15 * 60_000, changedAt: START };
      expect((await ledger.record(id))?.purchase).toMatchObject(expected);
      await ledger.change(id, () => ({ result: null, by: ANN, set: { why: null } }));
      expect((await ledger.record(id))?.purchase).toMatchObject({ ...expected, why: null });
    });

    test('writes all of a change or nothing', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const before = await ledger.record(id);
      const impossible = ledger.change(id, () => ({
        result: null,
        by: ANN,
        entries: [{ by: ANN, from: null, to: null, detail: { kind: 'answer_opened' } }],
        set: { why: 'x' },
        to: 'completed',
      }));
      await expect(impossible).rejects.toThrow();
      expect(await ledger.record(id)).toEqual(before);
    });

    test('lets only one purchase at a time be sent', async () => {
      const { ledger } = await setup();
      const first = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
      const second = await walked(ledger, await filed(ledger), 'approved');
      expect((await facts(ledger, second)).laneBusy).toBe(true);
      await expect(walked(ledger, second, 'sending')).rejects.toThrow();
      expect(await stateOf(ledger, second)).toBe('approved');
      await walked(ledger, first, 'completed');
      expect((await facts(ledger, second)).laneBusy).toBe(false);
      await walked(ledger, second, 'sending');
    });

    test('tells of a twin that is being sent or unknown, and of no other', async () => {
      const { ledger } = await setup();
      const contentKey = 'same';
      const id = await walked(ledger, await filed(ledger, { contentKey }), 'approved');
      await filed(ledger, { contentKey });
      await walked(ledger, await filed(ledger, { contentKey }), ...WAY_TO.completed);
      await walked(ledger, await filed(ledger), ...WAY_TO.unknown);
      expect((await facts(ledger, id)).twin).toBeNull();
      const twin = await walked(ledger, await filed(ledger, { contentKey }), ...WAY_TO.sending);
      expect((await facts(ledger, id)).twin).toMatchObject({ id: twin, state: 'sending' });
      await walked(ledger, twin, 'unknown');
      expect((await facts(ledger, id)).twin).toMatchObject({ id: twin, state: 'unknown' });
    });

    test('counts before it only what that person filed earlier', async () => {
      const { ledger, clock } = await setup();
      await walked(ledger, await filed(ledger, { quantity: 1 }), ...WAY_TO.completed);
      await filed(ledger, { quantity: 2 });
      await filed(ledger, { quantity: 4, requesterPerson: BEN });
      const id = await filed(ledger, { quantity: 8 });
      await filed(ledger, { quantity: 16 });
      expect((await facts(ledger, id)).countedBefore).toBe(3);
      clock.now += 24 * HOUR;
      expect((await facts(ledger, id)).countedBefore).toBe(2);
    });

    test('tells of that person’s other purchases, on which plan, before and after it, by whatever id', async () => {
      const { ledger } = await setup();
      const plan = YEARLY;
      await walked(ledger, await filed(ledger, { quantity: 1 }), 'rejected');
      await walked(ledger, await filed(ledger, { quantity: 2, plan }), ...WAY_TO.completed);
      await filed(ledger, { quantity: 4, requesterPerson: 'W0ANN' });
      const id = await filed(ledger, { quantity: 8 });
      await filed(ledger, { quantity: 16, plan });
      await filed(ledger, { quantity: 32, requesterPerson: BEN });
      const others = [
        { plan, quantity: 2, cost: null, before: true },
        { plan, quantity: 16, cost: null, before: false },
      ];
      expect((await facts(ledger, id)).others).toEqual(others);
      const purchase = (await ledger.record(id))?.purchase;
      expect(purchase && (await ledger.others(purchase, false)).others).toEqual(others);
      const byBoth = { requesterIds: [ANN, 'W0ANN'] };
      const found = await ledger.change(id, (_, read) => ({ result: read, by: ANN }), byBoth);
      expect(found).toMatchObject({ countedBefore: 6, others: [{ quantity: 2 }, { quantity: 4 }, { quantity: 16 }] });
    });

    test('tells what was said about it, to whoever says more', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const detail = { kind: 'question', question: `${id}.1`, text: 'Zürich?\n"why"' } as const;
      const say = (by: string, what: NewEntry['detail']) =>
        ledger.change(id, () => ({ result: null, by, entries: [{ by, from: null, to: null, detail: what }] }));
      await say(BEN, detail);
      await say(ANN, { kind: 'answer_opened' });
      await say(ANN, { kind: 'nudge' });
      const found = await ledger.talk(id, (_, read) => ({ result: read.talk, by: ANN }), 'a click');
      expect(found).toMatchObject([
        { by: BEN, detail },
        { by: ANN, detail: { kind: 'nudge' } },
      ]);
      expect((await ledger.record(id))?.purchase.version).toBe(3);
    });

    test('keeps who said yes first, and that nobody is both of two, nor the requester one', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger);
      const set = (change: PurchaseChange, to?: State) =>
        ledger.change(id, () => ({ result: null, by: BEN, set: change, ...(to ? { to } : {}) }));
      expect(await ledger.firstApprover(id)).toBeNull();
      await expect(set({ firstApprover: ANN })).rejects.toThrow();
      await set({ firstApprover: BEN });
      expect(await ledger.firstApprover(id)).toBe(BEN);
      await expect(set({ approver: BEN, sendBy: START + HOUR }, 'approved')).rejects.toThrow();
      expect(await stateOf(ledger, id)).toBe('requested');
      await set({ approver: 'U0CY', sendBy: START + HOUR }, 'approved');
      expect((await ledger.record(id))?.purchase).toMatchObject({ firstApprover: BEN, approver: 'U0CY' });
    });

    test('knows that something was sent since, even when the clock stood still or was set back', async () => {
      const { ledger, clock } = await setup();
      const never = await filed(ledger);
      const first = await walked(ledger, await filed(ledger), ...WAY_TO.declined);
      expect((await facts(ledger, first)).sentSince).toBe(false);
      clock.now -= HOUR;
      const second = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      expect((await facts(ledger, first)).sentSince).toBe(true);
      expect((await facts(ledger, second)).sentSince).toBe(false);
      expect((await facts(ledger, never)).sentSince).toBe(false);
    });

    test('counts from the latest attempt what was sent since', async () => {
      const { ledger } = await setup();
      const retried = await walked(ledger, await filed(ledger), ...WAY_TO.sending, 'approved');
      await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      expect((await facts(ledger, retried)).sentSince).toBe(true);
      await walked(ledger, retried, 'sending');
      expect((await facts(ledger, retried)).sentSince).toBe(false);
    });

    test('gives an order id to one buy only, and tells who holds it', async () => {
      const { ledger } = await setup();
      const orderId = '42';
      const holder = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(holder, () => ({ result: null, by: ANN, set: { orderId } }));
      const other = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await filed(ledger, { kind: 'renew', orderId: orderId as OrderId });
      expect((await facts(ledger, other, orderId)).orderIdHolder).toBe(holder);
      expect((await facts(ledger, other, '43')).orderIdHolder).toBeNull();
      expect((await facts(ledger, other)).orderIdHolder).toBeNull();
      await expect(ledger.change(other, () => ({ result: null, by: ANN, set: { orderId } }))).rejects.toThrow();
      expect((await ledger.record(other))?.purchase.orderId).toBeNull();
    });

    test.each(['9007199254740993', '1234567890123456789012345678901234567890', '0'])(
      'keeps every digit of the order id %s',
      async (orderId) => {
        const { ledger } = await setup();
        const id = await filed(ledger, { kind: 'renew', orderId: orderId as OrderId });
        expect((await ledger.record(id))?.purchase.orderId).toBe(orderId);
      },
    );

    test.each(['', '12a', '-1', '1 2', '１２'])('refuses %j as an order id', async (orderId) => {
      const { ledger } = await setup();
      await expect(filed(ledger, { kind: 'renew', orderId: orderId as OrderId })).rejects.toThrow();
    });

    test('refuses a state without what must be known in it', async () => {
      const { ledger } = await setup();
      await expect(filed(ledger, { kind: 'renew', orderId: null })).rejects.toThrow();
      await expect(filed(ledger, { state: 'approved', sendBy: null })).rejects.toThrow();
      const id = await walked(ledger, await filed(ledger), 'approved');
      await expect(ledger.change(id, () => ({ result: null, by: ANN, to: 'sending' }))).rejects.toThrow();
      await expect(ledger.change(id, () => ({ result: null, by: ANN, to: 'declined' }))).rejects.toThrow();
    });

    test('reads freeze and time in the transaction that decides', async () => {
      const { ledger, clock } = await setup();
      const id = await filed(ledger);
      expect(await facts(ledger, id)).toMatchObject({ now: START, freeze: null });
      clock.now += 7;
      expect(await ledger.now()).toBe(START + 7);
      expect((await ledger.filingFacts(subjectOf(aPurchase()))).now).toBe(START + 7);
    });
  });
}
