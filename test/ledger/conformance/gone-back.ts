import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { Answer } from '../../../src/purchasing/model/answer.ts';
import { alert } from '../../../src/purchasing/model/outbox.ts';
import { type Purchase, STATES } from '../../../src/purchasing/model/purchase.ts';
import { decideAnswer, type Stored } from '../../../src/purchasing/rules/answers.ts';
import type { Setup } from '../conformance.ts';
import { ANSWER, anAttempt, BEN, filed, START, setFreeze, stateOf, WAY_TO, walked } from '../fixture.ts';
import { countingVendor, laneOn, standing } from '../lanes.ts';

/** Of a process whose POST was made before the ledger went back. */
const FORGOTTEN = anAttempt({ id: 'forgotten', balanceBefore: '99.00' as never });

function answered(
  { ledger }: Pick<OpenLedger, 'ledger'>,
  id: string,
  answer: Partial<Answer> = {},
  { attempt = FORGOTTEN, lost }: { attempt?: typeof FORGOTTEN; lost?: Purchase } = {},
): Promise<Stored | undefined> {
  const whole = { ...ANSWER, ...answer };
  return ledger.change(id, (now, facts) => decideAnswer(now, facts, attempt, whole), {
    orderId: whole.orderIds[0],
    lost,
  });
}

async function unfrozen({ ledger }: Pick<OpenLedger, 'ledger'>): Promise<void> {
  expect(await setFreeze(ledger, null, BEN)).not.toBeNull();
}

const MOVED = ['requested', 'approved', 'sending', 'declined', 'rejected', 'withdrawn', 'expired'] as const;

export function describeGoneBack(setup: Setup): void {
  const noticesOf = async ({ outbox }: OpenLedger) =>
    (await outbox.leaseNotices(99, 1)).map(({ kind, about }) => (about === null ? kind : `${kind} ${about}`));

  describe('an answer for an attempt that the ledger has forgotten', () => {
    test.each(MOVED)('makes a purchase unknown that is %s, freezes spending, and tells people', async (state) => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), ...WAY_TO[state]);
      expect(await answered(opened, id)).toBe('forgotten');
      const { purchase, entries = [] } = (await opened.ledger.record(id)) ?? {};
      expect(purchase).toMatchObject({
        state: 'unknown',
        declinedHow: null,
        why: "the ledger had forgotten that it was sent; the vendor's answer: the vendor accepted it, order 9007199254740993",
      });
      // Another attempt that is under way is still to be known by its own answer.
      expect(purchase?.attempt).toMatchObject(
        state === 'sending' ? { id: 'attempt 1' } : { ...FORGOTTEN, forgotten: true },
      );
      expect(entries.slice(-2)).toMatchObject([
        { detail: { kind: 'answer', attemptId: 'forgotten', answer: ANSWER, late: false } },
        { from: state, to: 'unknown' },
      ]);
      expect(await opened.ledger.freeze()).toMatchObject({
        by: 'desk',
        reason: `the ledger has forgotten that ${id} was sent, and may have forgotten more: compare it with the vendor's console first`,
      });
      expect(await noticesOf(opened)).toEqual(['frozen', 'outcome unknown', 'unknown_card unknown']);
    });

    test.each([
      ['that another attempt has completed', [...WAY_TO.completed], {}],
      ['that is unknown already', [...WAY_TO.unknown], {}],
      [
        'that a person has settled as not placed',
        [...WAY_TO.unknown, 'declined'] as const,
        { declinedHow: 'settled' } as const,
      ],
    ])('is kept for a purchase %s, whose state stands; spending is frozen and people are told', async (_, way, set) => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), ...way);
      await opened.ledger.change(id, () => ({ result: null, by: BEN, set }));
      const state = await stateOf(opened.ledger, id);
      expect(await answered(opened, id)).toBe('forgotten');
      const { purchase, entries = [] } = (await opened.ledger.record(id)) ?? {};
      expect(purchase?.state).toBe(state);
      expect(entries.at(-1)).toMatchObject({ detail: { kind: 'answer', answer: ANSWER, late: true } });
      expect(await opened.ledger.freeze()).not.toBeNull();
      const notices = await opened.outbox.leaseNotices(9, 1);
      expect(notices.map(({ kind }) => kind)).toEqual(['frozen', 'alert']);
      expect(notices[1]?.text).toContain(`${id}, which is ${state}: the ledger had forgotten that it was sent`);
    });

    test.each(STATES)('moves and freezes nothing when nothing ever left, in whatever state: %s', async (state) => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), ...WAY_TO[state]);
      expect(await answered(opened, id, { outcome: 'not_sent', orderIds: [], startedAt: null })).toBe('late');
      expect(await stateOf(opened.ledger, id)).toBe(state);
      expect(await opened.ledger.freeze()).toBeNull();
    });

    test.each(['completed', 'declined', 'unknown'] as const)(
      'and says %s: it is sent once, also after a person has unfrozen spending',
      async (outcome) => {
        const opened = await setup();
        const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
        await answered(opened, id, { outcome });
        await unfrozen(opened);
        const { seen, vendor } = countingVendor();
        const lane = laneOn(opened, vendor, { clock: standing(opened.clock) });
        await lane.read();
        expect(await lane.send()).toBe(false);
        expect(seen.sent).toEqual([]);
        expect(await stateOf(opened.ledger, id)).toBe('unknown');
      },
    );

    test('calls all else unknown that was open: it may have been sent as well', async () => {
      const opened = await setup();
      const { ledger } = opened;
      const id = await walked(ledger, await filed(ledger), 'approved');
      const open = {
        requested: await filed(ledger),
        approved: await walked(ledger, await filed(ledger), 'approved'),
        sending: await walked(ledger, await filed(ledger), ...WAY_TO.sending),
      };
      await answered(opened, id);
      for (const other of Object.values(open)) expect(await stateOf(ledger, other)).toBe('unknown');

      // What is filed from here on is of this ledger, whatever comes in yet of what was forgotten.
      const since = await filed(ledger);
      await answered(opened, id, {}, { attempt: { ...FORGOTTEN, id: 'forgotten too' } });
      expect(await stateOf(ledger, since)).toBe('requested');
    });

    test('leaves nobody sure of what stands in Slack: that may be of what was forgotten', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
      await opened.outbox.owe(alert('a', 'a'), null);
      const place = { channel: 'C1', ts: '1' };
      for (const notice of await opened.outbox.leaseNotices(9, 1))
        await opened.outbox.noticeShown(notice, place, 1, false, 'drawn');
      expect(await opened.outbox.noticeAt(place)).toMatchObject({ shown: 'drawn' });
      await answered(opened, id);
      expect(await opened.outbox.noticeAt(place)).toMatchObject({ shown: null });
    });

    test('that is stored again, since nobody knew whether it was, changes and tells nothing more', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
      await answered(opened, id);
      await noticesOf(opened);
      opened.clock.now += 60_000;
      await answered(opened, id);
      expect(await stateOf(opened.ledger, id)).toBe('unknown');
      expect(new Set(await noticesOf(opened))).toEqual(new Set(['outcome unknown', 'unknown_card unknown', 'frozen']));
    });

    test('does not keep the attempt that is under way from being known: its answer is evidence, and no surprise', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), ...WAY_TO.sending);
      await answered(opened, id);
      expect(await answered(opened, id, {}, { attempt: anAttempt() })).toBe('late');
      expect(await stateOf(opened.ledger, id)).toBe('unknown');
    });

    test('is followed by readings that claim no difference: what else was sent meanwhile, nobody knows', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
      await answered(opened, id);
      await laneOn(opened, countingVendor().vendor, { clock: standing(opened.clock) }).read();
      const { entries = [] } = (await opened.ledger.record(id)) ?? {};
      expect(entries.at(-1)?.detail).toMatchObject({ kind: 'reading', balance: '100.00', alone: false });
    });
  });

  describe('a purchase that the ledger has forgotten altogether', () => {
    /** As a process has it in memory that has sent it, on a ledger that has never heard of it. */
    async function lostOne() {
      const before = await setup();
      const id = await walked(before.ledger, await filed(before.ledger), 'approved');
      const lost = (await before.ledger.record(id))?.purchase;
      if (!lost) throw new Error('not filed');
      return { lost, opened: await setup() };
    }

    test('is put back by its answer: unknown, with all that was asked for, so that the same is not bought again', async () => {
      const { lost, opened } = await lostOne();
      expect(await answered(opened, lost.id, {}, { lost })).toBe('forgotten');
      const { purchase, entries = [] } = (await opened.ledger.record(lost.id)) ?? {};
      expect(purchase).toMatchObject({
        ...lost,
        state: 'unknown',
        version: expect.any(Number),
        changedAt: START,
        attempt: { ...FORGOTTEN, forgotten: true },
        why: expect.stringContaining('the ledger had forgotten'),
      });
      expect(entries.map(({ by, from, to }) => [by, from, to])).toEqual([
        ['desk', null, 'approved'],
        ['desk', null, null],
        ['desk', 'approved', 'unknown'],
      ]);
      expect(await noticesOf(opened)).toEqual(['status', 'frozen', 'outcome unknown', 'unknown_card unknown']);
      const { requester, contentKey } = lost;
      const facts = await opened.ledger.filingFacts({
        submission: 'x',
        contentKey,
        requesterIds: [requester],
        orderId: null,
        priced: { kind: 'buy', productId: lost.plan.productId, basket: lost.basket },
        dollars: null,
      });
      expect(facts.twins).toMatchObject([{ id: lost.id, state: 'unknown' }]);
      expect(facts.counted).toBe(lost.quantity);
    });

    test('is put back beside the one that its form has filed again since', async () => {
      const { lost, opened } = await lostOne();
      const again = await filed(opened.ledger, { submission: lost.submission });
      await answered(opened, lost.id, {}, { lost });
      expect(await stateOf(opened.ledger, lost.id)).toBe('unknown');
      expect(await stateOf(opened.ledger, again)).toBe('unknown');
    });

    test('is left forgotten when nothing left', async () => {
      const { lost, opened } = await lostOne();
      expect(await answered(opened, lost.id, { outcome: 'not_sent' })).toBeUndefined();
      expect(await opened.ledger.freeze()).toBeNull();
    });
  });
}
