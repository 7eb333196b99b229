import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import { AT_ONCE } from '../../../src/ledger/sql.ts';
import { awaitingPosts } from '../../../src/purchasing/awaiting-posts.ts';
import type { Notice } from '../../../src/purchasing/model/outbox.ts';
import { alert, owedAtFiling, saidOf } from '../../../src/purchasing/model/outbox.ts';
import type { Outbox } from '../../../src/purchasing/ports/outbox.ts';
import { movableClock } from '../../support/clock.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, BEN, filed, HOUR, START, setFreeze, WAY_TO, walked } from '../fixture.ts';

const LEASE = 30_000;
const PLACE = { channel: 'C0LEADS', ts: '1700000000.000100' };

const kinds = (notices: readonly Notice[]) => notices.map(({ kind }) => kind);
const audiences = (notices: readonly Notice[]) => notices.map(({ audience }) => audience);
const withNotices = (id: string) => aPurchase({ id, notices: owedAtFiling({ id, state: 'requested', batch: null }) });

async function leaseOne(outbox: Outbox): Promise<Notice> {
  const [notice] = await outbox.leaseNotices(1, LEASE);
  if (!notice) throw new Error('nothing to lease');
  return notice;
}

async function leaseTwo(outbox: Outbox): Promise<[Notice, Notice]> {
  const [first, second] = await outbox.leaseNotices(2, LEASE);
  if (!first || !second) throw new Error('too little to lease');
  return [first, second];
}

/** All that is due is leased, of which there is one card. */
async function leaseCard(outbox: Outbox): Promise<Notice> {
  const card = (await outbox.leaseNotices(10, LEASE)).find(({ kind }) => kind === 'card');
  if (!card) throw new Error('no card to lease');
  return card;
}

/** The card of a request, as it was leased; nothing else is told of it any more. */
async function shownCard({ ledger, outbox }: Pick<OpenLedger, 'ledger' | 'outbox'>): Promise<Notice> {
  await filed(ledger, withNotices('shown'));
  const [status, card] = await leaseTwo(outbox);
  await outbox.noticeFailed(status.id, 'nobody there', null);
  await outbox.noticeShown(card, PLACE, 1, false, 'drawn');
  return card;
}

export function describeOutbox(setup: Setup): void {
  describe('a click on a message that has just come', () => {
    const THERE = { channel: 'C0LEADS', ts: '1700000000.000200' };

    test('waits until it is written down where it stands, whichever process posts it', async () => {
      const { outbox, openAgain } = await setup();
      const { outbox: elsewhere } = await openAgain();
      await outbox.owe(alert('a', 'look'), null);
      const clicked = awaitingPosts(elsewhere, movableClock());
      const notice = await leaseOne(outbox);
      const found = clicked.noticeAt(THERE);
      expect(await Promise.race([found, clicked.isPosting()])).toBe(true);
      await outbox.noticeShown(notice, THERE, null);
      expect(await found).toMatchObject({ id: notice.id, ...THERE });
    });

    test('is not kept waiting where nothing is being posted, nor for long where it is not written down', async () => {
      const { outbox, clock } = await setup();
      await outbox.owe(alert('a', 'look'), null);
      const time = movableClock();
      const clicked = awaitingPosts(outbox, time);
      expect(await clicked.noticeAt(THERE)).toBeUndefined();
      await leaseOne(outbox);
      const found = clicked.noticeAt(THERE);
      time.advance(60_000);
      expect(await found).toBeUndefined();
      // Whoever was to post it has died.
      clock.now += LEASE;
      expect(await clicked.isPosting()).toBe(false);
    });
  });

  describe('notices', () => {
    test('come with the filing and the transition that owe them, in one transaction', async () => {
      const { ledger, outbox } = await setup();
      const id = await filed(ledger, withNotices('n1'));
      await ledger.change(id, () => ({ result: null, by: ANN, to: 'withdrawn', notices: [alert('a', 'look')] }));
      await expect(
        ledger.change(id, () => ({ result: null, by: ANN, to: 'sending', notices: [alert('b', 'never')] })),
      ).rejects.toThrow();
      const leased = await outbox.leaseNotices(10, LEASE);
      expect(kinds(leased)).toEqual(['status', 'card', 'alert']);
      expect(leased[1]).toEqual({
        id: expect.any(Number),
        key: 'n1:card::',
        purchaseId: id,
        batchId: null,
        kind: 'card',
        audience: 'approvers',
        about: null,
        text: null,
        by: null,
        channel: null,
        ts: null,
        attempts: 0,
        leasedUntil: START + LEASE,
        revision: 0,
        shown: null,
        createdAt: START,
      });
    });

    test('are begun by whoever leases them, once; then they are done, unless they certainly were not', async () => {
      const { outbox, clock } = await setup();
      await outbox.owe(alert('once', 'text'), null);
      const first = await leaseOne(outbox);
      clock.now += LEASE + 1;
      const second = await leaseOne(outbox);
      expect(await outbox.noticeBegun(first)).toBe(false);
      expect(await outbox.noticeBegun(second)).toBe(true);
      expect(await outbox.noticeBegun(second)).toBe(false);
      clock.now += 10 * LEASE;
      await outbox.redrawOpen(0);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      await outbox.noticeNotDone(second.id, 'rate limited', clock.now + 1_000);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      clock.now += 1_000;
      const third = await leaseOne(outbox);
      expect(third.attempts).toBe(1);
      expect(await outbox.noticeBegun(third)).toBe(true);
      expect(await outbox.noticeOf(third.key)).toMatchObject({ id: third.id });
      expect(await outbox.noticeOf('another')).toBeUndefined();
    });

    test('are one for one key', async () => {
      const { outbox } = await setup();
      await outbox.owe(alert('same', 'first'), null);
      await outbox.owe(alert('same', 'second'), null);
      expect(await outbox.leaseNotices(10, LEASE)).toMatchObject([{ text: 'first' }]);
    });

    test('are given to one at a time, until the lease ends', async () => {
      const { openAgain, clock, outbox } = await setup();
      const other = (await openAgain()).outbox;
      for (const key of ['a', 'b', 'c', 'd']) await outbox.owe(alert(key, key), null);
      const both = await Promise.all([outbox.leaseNotices(3, LEASE), other.leaseNotices(3, LEASE)]);
      const texts = both.flat().map(({ text }) => text);
      expect(texts).toHaveLength(4);
      expect(new Set(texts)).toEqual(new Set(['a', 'b', 'c', 'd']));
      clock.now += LEASE - 1;
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      clock.now += 1;
      expect(await outbox.leaseNotices(10, LEASE)).toHaveLength(4);
    });

    test('are not kept from everybody for an hour because the clock was set back by one', async () => {
      const { clock, outbox } = await setup();
      clock.now += HOUR;
      await outbox.owe(alert('a', 'look'), null);
      await outbox.leaseNotices(10, LEASE);
      clock.now -= HOUR;
      expect(await outbox.leaseNotices(10, LEASE)).toHaveLength(1);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
    });

    test('once shown rest until their purchase changes, and are then to be edited where they are', async () => {
      const { ledger, clock, outbox } = await setup();
      const id = await filed(ledger, withNotices('n2'));
      for (const notice of await outbox.leaseNotices(10, LEASE)) await outbox.noticeShown(notice, PLACE, 1);
      clock.now += LEASE;
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      await walked(ledger, id, 'approved');
      expect(await outbox.leaseNotices(10, LEASE)).toMatchObject([
        { kind: 'status', ...PLACE },
        { kind: 'card', ...PLACE },
      ]);
    });

    test('drawn from an older version are drawn again', async () => {
      const { ledger, outbox } = await setup();
      const id = await filed(ledger, withNotices('n3'));
      const [status, card] = await leaseTwo(outbox);
      await walked(ledger, id, 'approved');
      await outbox.noticeShown(status, PLACE, 1);
      await outbox.noticeShown(card, PLACE, 2);
      expect(kinds(await outbox.leaseNotices(10, LEASE))).toEqual(['status']);
    });

    test('that are being drawn when spending is frozen are drawn once more', async () => {
      const { ledger, outbox } = await setup();
      await filed(ledger, withNotices('n4'));
      const [status, card] = await leaseTwo(outbox);
      await outbox.noticeShown(status, PLACE, 1);
      await setFreeze(ledger, 'looking', ANN);
      await outbox.noticeShown(card, { ...PLACE, ts: '1700000000.000200' }, 1);
      const again = kinds(await outbox.leaseNotices(10, LEASE));
      expect(again).toEqual(expect.arrayContaining(['status', 'card']));
    });

    test('that two have drawn side by side, since a lease ran out, are drawn once more', async () => {
      const { clock, outbox } = await setup();
      await outbox.owe(alert('a', 'a'), null);
      const slow = await leaseOne(outbox);
      clock.now += LEASE;
      const second = await leaseOne(outbox);
      await outbox.noticeShown(slow, PLACE, 0);
      await outbox.noticeShown(second, PLACE, 0);
      await outbox.noticeShown(await leaseOne(outbox), PLACE, 0);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
    });

    test.each(['rejected', 'withdrawn', 'expired', 'declined'] as const)(
      'that show what else the same person has asked for are drawn again when some of it is %s, and nothing besides is',
      async (state) => {
        const { ledger, outbox } = await setup();
        const part = await filed(ledger);
        const other = await filed(ledger, withNotices('n12'));
        await filed(ledger, { ...withNotices('n13'), requesterPerson: BEN });
        for (const notice of await outbox.leaseNotices(10, LEASE))
          await outbox.noticeShown(notice, PLACE, 1, notice.kind === 'card');
        const way = WAY_TO[state];
        await walked(ledger, part, ...way.slice(0, -1));
        expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
        await walked(ledger, part, state);
        const again = await outbox.leaseNotices(10, LEASE);
        expect(again.map(({ purchaseId, kind }) => [purchaseId, kind])).toEqual([[other, 'card']]);
      },
    );

    test('that are being drawn when something else of the same person is rejected are drawn once more', async () => {
      const { ledger, outbox } = await setup();
      const part = await filed(ledger);
      await filed(ledger, withNotices('n14'));
      const [status, card] = await leaseTwo(outbox);
      await walked(ledger, part, 'rejected');
      await outbox.noticeShown(status, PLACE, 1, true);
      await outbox.noticeShown(card, PLACE, 1, true);
      expect(kinds(await outbox.leaseNotices(10, LEASE))).toEqual(['status', 'card']);
    });

    test('of all that was open when spending is frozen are owed in parts, and still are when the process ends between two', async () => {
      const { ledger, outbox, openAgain } = await setup();
      const ids: string[] = [];
      for (let n = 0; n < 2 * AT_ONCE + 1; n += 1) ids.push(await filed(ledger, withNotices(`part ${n}`)));
      const shown = async (of: Outbox, limit: number) => {
        const all = await of.leaseNotices(limit, LEASE);
        for (const notice of all) await of.noticeShown(notice, PLACE, 1);
        return all;
      };
      while ((await shown(outbox, AT_ONCE)).length > 0);
      await setFreeze(ledger, 'looking', ANN);
      const drawn = [...(await shown(outbox, 1))];
      const again = await openAgain();
      for (;;) {
        const all = await shown(again.outbox, AT_ONCE);
        if (all.length === 0) break;
        drawn.push(...all);
      }
      const cards = drawn.filter(({ kind }) => kind === 'card').map(({ purchaseId }) => purchaseId);
      expect(cards).toHaveLength(ids.length);
      expect(new Set(cards)).toEqual(new Set(ids));
    });

    test('that go under a card let it be drawn before, once for one key, and are left alone once said', async () => {
      const { ledger, clock, outbox } = await setup();
      const id = await filed(ledger, withNotices('n4'));
      for (const notice of await outbox.leaseNotices(10, LEASE)) await outbox.noticeShown(notice, PLACE, 1);
      clock.now += LEASE;
      const reminder = saidOf(id, 'reminder', 'thread', '1');
      await outbox.owe(reminder, id);
      await outbox.owe(reminder, id);
      const [card, said] = await leaseTwo(outbox);
      expect([card.kind, said.kind]).toEqual(['card', 'reminder']);
      await outbox.noticeShown(card, PLACE, 1);
      await outbox.noticeShown(said, { ...PLACE, ts: '9.9' }, null);
      clock.now += LEASE;
      await walked(ledger, id, 'approved');
      expect(kinds(await outbox.leaseNotices(10, LEASE))).toEqual(['status', 'card']);
      await outbox.owe(reminder, id);
      expect(kinds(await outbox.leaseNotices(10, LEASE))).toEqual([]);
    });

    test('are told of what nobody has decided for so long, oldest first', async () => {
      const { ledger, clock, outbox } = await setup();
      const first = await filed(ledger, { ...withNotices('n5'), createdAt: START });
      const second = await filed(ledger, { createdAt: START + 1 });
      await filed(ledger, { createdAt: START + HOUR });
      await walked(ledger, await filed(ledger), 'rejected');
      await outbox.owe(saidOf(first, 'reminder', 'thread', '1'), first);
      clock.now = START + HOUR;
      const { now, requests } = await outbox.undecidedFor(HOUR - 1);
      expect(now).toBe(START + HOUR);
      expect(requests.map(({ id }) => id)).toEqual([first, second]);
      expect(requests.map(({ owed }) => [...owed].filter((key) => key.includes('reminder')))).toEqual([
        [`${first}:reminder::thread:1`],
        [],
      ]);
    });

    test('that were not delivered come again at their time, and count their failures', async () => {
      const { clock, outbox } = await setup();
      await outbox.owe(alert('a', 'a'), null);
      await outbox.noticeFailed((await leaseOne(outbox)).id, 'ratelimited', START + 5000);
      clock.now = START + 4999;
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      clock.now = START + 5000;
      const again = await leaseOne(outbox);
      expect(again.attempts).toBe(1);
      await outbox.noticeShown(again, PLACE, 0);
      clock.now += LEASE;
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
    });

    test('that failed for good are left alone, whatever becomes of the purchase', async () => {
      const { ledger, clock, outbox } = await setup();
      const id = await filed(ledger, withNotices('n4'));
      for (const notice of await outbox.leaseNotices(10, LEASE))
        await outbox.noticeFailed(notice.id, 'channel_not_found', null);
      await walked(ledger, id, 'approved');
      clock.now += LEASE;
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
    });

    test('are split into one for each person, once', async () => {
      const { ledger, clock, outbox } = await setup();
      const id = await filed(ledger, withNotices('n5'));
      const [, card] = await outbox.leaseNotices(10, LEASE);
      if (!card) throw new Error('no card');
      await outbox.noticeSplit(card, ['U1', 'U2'], { open: false, version: 1 });
      await outbox.noticeSplit(card, ['U1', 'U2'], { open: false, version: 1 });
      await outbox.noticeFailed(card.id, 'a late failure of another process', clock.now);
      const parts = await outbox.leaseNotices(10, LEASE);
      expect(parts).toMatchObject([
        { kind: 'card', audience: 'user:U1', purchaseId: id },
        { kind: 'card', audience: 'user:U2', purchaseId: id },
      ]);
    });

    test('that are split while open wait for more people, until they are split for good', async () => {
      const { ledger, outbox } = await setup();
      const id = await filed(ledger, withNotices('n8'));
      const [, card] = await leaseTwo(outbox);
      await outbox.noticeSplit(card, ['U1'], { open: true, version: 1 });
      expect(audiences(await outbox.leaseNotices(10, LEASE))).toEqual(['user:U1']);
      await outbox.redrawOpen(60_000);
      const again = await leaseOne(outbox);
      expect(again).toMatchObject({ id: card.id, audience: 'approvers' });
      // Decided meanwhile: it is looked at once more.
      await walked(ledger, id, 'rejected');
      await outbox.noticeSplit(again, ['U1', 'U2'], { open: true, version: 1 });
      expect(audiences(await outbox.leaseNotices(10, LEASE))).toContain('approvers');
      await outbox.noticeSplit(again, ['U1', 'U2', 'U3'], { open: false, version: 2 });
      expect(audiences(await outbox.leaseNotices(10, LEASE))).toEqual(['user:U3']);
      await outbox.redrawOpen(0);
      expect(audiences(await outbox.leaseNotices(10, LEASE))).toEqual([]);
    });

    test('of what is open are drawn again when they have been shown for so long', async () => {
      const { ledger, clock, outbox } = await setup();
      const open = await filed(ledger, withNotices('n9'));
      for (const notice of await outbox.leaseNotices(10, LEASE)) await outbox.noticeShown(notice, PLACE, 1);
      const over = await filed(ledger, withNotices('n10'));
      await walked(ledger, over, 'rejected');
      for (const notice of await outbox.leaseNotices(10, LEASE)) await outbox.noticeShown(notice, PLACE, 2);
      clock.now += 59_999;
      await outbox.redrawOpen(60_000);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      clock.now += 1;
      await outbox.redrawOpen(60_000);
      const again = await outbox.leaseNotices(10, LEASE);
      expect(again.map(({ purchaseId }) => purchaseId)).toEqual([open, open]);
      for (const notice of again) await outbox.noticeShown(notice, PLACE, 1);
      await outbox.redrawOpen(60_000);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
    });

    test('tell the next lease alone what certainly stands there: whoever has it may edit it, and end before that is written down', async () => {
      const { ledger, clock, outbox } = await setup();
      const card = await shownCard({ ledger, outbox });
      expect(card.shown).toBeNull();
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: 'drawn' });
      await setFreeze(ledger, 'looking', ANN);
      expect(await leaseCard(outbox)).toMatchObject({ shown: 'drawn' });
      clock.now += LEASE;
      const third = await leaseCard(outbox);
      expect(third.shown).toBeNull();
      // An edit that is not answered may be taken too, even after the next.
      await outbox.noticeFailed(third.id, 'no answer', clock.now);
      const fourth = await leaseCard(outbox);
      expect(fourth.shown).toBeNull();
      await outbox.noticeShown(fourth, PLACE, 1, false, 'drawn');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: null });
    });

    test('that two have drawn side by side tell nobody what stands there', async () => {
      const { ledger, clock, outbox } = await setup();
      await shownCard({ ledger, outbox });
      await setFreeze(ledger, 'looking', ANN);
      const slow = await leaseCard(outbox);
      clock.now += LEASE;
      const second = await leaseCard(outbox);
      await outbox.noticeShown(slow, PLACE, 1, false, 'slow');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: null });
      await outbox.noticeShown(second, PLACE, 1, false, 'second');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: null });
      const third = await leaseCard(outbox);
      await outbox.noticeShown(third, PLACE, 1, false, 'third');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: 'third' });
      await outbox.noticeShown(slow, PLACE, 1, false, 'slow');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: null });
    });

    test('tell nobody what stands there where an earlier version has edited it, in its own lease or late', async () => {
      const { ledger, clock, outbox, database } = await setup();
      const card = await shownCard({ ledger, outbox });
      const earlier = (set: string) =>
        database.write((sql) => sql.run(`UPDATE notices SET ${set}, pending = 1 WHERE id = :id`, { id: card.id }));
      const recorded = `channel = '${PLACE.channel}', ts = '${PLACE.ts}', claimed_until = 0, attempts = 0, due_at = 0`;
      await earlier(`claimed_until = ${clock.now + LEASE}`);
      await earlier(recorded);
      const second = await leaseCard(outbox);
      expect(second.shown).toBeNull();
      await outbox.noticeShown(second, PLACE, 1, false, 'second');
      expect(await outbox.noticeAt(PLACE)).toMatchObject({ shown: 'second' });
      await earlier(recorded);
      expect(await leaseCard(outbox)).toMatchObject({ shown: null });
    });

    test('that show what they showed are looked for in Slack an hour after they last were, and before something goes under them', async () => {
      const { ledger, clock, outbox } = await setup();
      const card = await shownCard({ ledger, outbox });
      clock.now += HOUR - 1;
      await setFreeze(ledger, 'looking', ANN);
      await outbox.noticeShown(await leaseCard(outbox), PLACE, 1, false, 'drawn');
      await outbox.redrawOpen(HOUR);
      expect(await outbox.leaseNotices(10, LEASE)).toEqual([]);
      clock.now += 1;
      await outbox.redrawOpen(HOUR);
      const looked = await leaseCard(outbox);
      expect(looked).toMatchObject({ id: card.id, shown: null });
      await outbox.noticeShown(looked, PLACE, 1, false, 'drawn');
      await setFreeze(ledger, null, ANN);
      const drawing = await leaseCard(outbox);
      expect(drawing.shown).toBe('drawn');
      // Said while it is being drawn.
      await outbox.owe(saidOf(card.purchaseId ?? '', 'reminder', 'thread', '1'), card.purchaseId);
      await outbox.noticeShown(drawing, PLACE, 1, false, 'drawn');
      expect(await leaseCard(outbox)).toMatchObject({ shown: null });
    });

    test('whose message is lost are owed anew, as long as the lease holds', async () => {
      const { ledger, clock, outbox } = await setup();
      await filed(ledger, withNotices('n11'));
      const [status, card] = await leaseTwo(outbox);
      await outbox.noticeShown(status, PLACE, 0);
      await outbox.noticeShown(card, PLACE, 0);
      const shown = await leaseTwo(outbox);
      await outbox.noticeLost(shown[1]);
      expect(await outbox.leaseNotices(10, LEASE)).toMatchObject([{ kind: 'card', channel: null, ts: null }]);
      clock.now += LEASE;
      await outbox.leaseNotices(10, LEASE);
      await outbox.noticeLost(shown[0]);
      clock.now += LEASE;
      expect(await outbox.leaseNotices(10, LEASE)).toMatchObject([
        { kind: 'status', ...PLACE },
        { kind: 'card', ts: null },
      ]);
    });

    test('that were posted tell where, of one purchase', async () => {
      const { ledger, outbox } = await setup();
      const id = await filed(ledger, withNotices('n6'));
      await filed(ledger, withNotices('n7'));
      await outbox.noticeShown(await leaseOne(outbox), PLACE, 1);
      expect(await outbox.placesOf(id)).toMatchObject([{ kind: 'status', ...PLACE }]);
      expect(await outbox.placesOf('n7')).toEqual([]);
    });
  });
}
