import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/purchasing/notices.ts';
import { alert, owedAtFiling } from '../../../src/purchasing/notices.ts';
import type { Ledger } from '../../../src/purchasing/ports.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, filed, START, walked } from '../fixture.ts';

const LEASE = 30_000;
const PLACE = { channel: 'C0LEADS', ts: '1700000000.000100' };

const kinds = (notices: readonly Notice[]) => notices.map(({ kind }) => kind);
const withNotices = (id: string) => aPurchase({ id, notices: owedAtFiling({ id, state: 'requested' }) });

async function claimOne(ledger: Ledger): Promise<Notice> {
  const [notice] = await ledger.claimNotices(1, LEASE);
  if (!notice) throw new Error('nothing to claim');
  return notice;
}

async function claimTwo(ledger: Ledger): Promise<[Notice, Notice]> {
  const [first, second] = await ledger.claimNotices(2, LEASE);
  if (!first || !second) throw new Error('too little to claim');
  return [first, second];
}

export function describeNotices(setup: Setup): void {
  describe('notices', () => {
    test('come with the filing and the transition that owe them, in one transaction', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger, withNotices('n1'));
      await ledger.change(id, () => ({ result: null, by: ANN, to: 'withdrawn', notices: [alert('a', 'look')] }));
      await expect(
        ledger.change(id, () => ({ result: null, by: ANN, to: 'sending', notices: [alert('b', 'never')] })),
      ).rejects.toThrow();
      const claimed = await ledger.claimNotices(10, LEASE);
      expect(kinds(claimed)).toEqual(['status', 'card', 'alert']);
      expect(claimed[1]).toEqual({
        id: expect.any(Number),
        key: 'n1:card::',
        purchaseId: id,
        kind: 'card',
        audience: 'approvers',
        about: null,
        text: null,
        by: null,
        channel: null,
        ts: null,
        attempts: 0,
        claimedUntil: START + LEASE,
        createdAt: START,
      });
    });

    test('are one for one key', async () => {
      const { ledger } = await setup();
      await ledger.owe(alert('same', 'first'), null);
      await ledger.owe(alert('same', 'second'), null);
      expect(await ledger.claimNotices(10, LEASE)).toMatchObject([{ text: 'first' }]);
    });

    test('are given to one at a time, until the lease ends', async () => {
      const { ledger, openAgain, clock } = await setup();
      const other = (await openAgain()).ledger;
      for (const key of ['a', 'b', 'c', 'd']) await ledger.owe(alert(key, key), null);
      const both = await Promise.all([ledger.claimNotices(3, LEASE), other.claimNotices(3, LEASE)]);
      const texts = both.flat().map(({ text }) => text);
      expect(texts).toHaveLength(4);
      expect(new Set(texts)).toEqual(new Set(['a', 'b', 'c', 'd']));
      clock.now += LEASE - 1;
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
      clock.now += 1;
      expect(await ledger.claimNotices(10, LEASE)).toHaveLength(4);
    });

    test('once shown rest until their purchase changes, and are then to be edited where they are', async () => {
      const { ledger, clock } = await setup();
      const id = await filed(ledger, withNotices('n2'));
      for (const notice of await ledger.claimNotices(10, LEASE)) await ledger.noticeShown(notice, PLACE, 1);
      clock.now += LEASE;
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
      await walked(ledger, id, 'approved');
      expect(await ledger.claimNotices(10, LEASE)).toMatchObject([
        { kind: 'status', ...PLACE },
        { kind: 'card', ...PLACE },
      ]);
    });

    test('drawn from an older version are drawn again', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger, withNotices('n3'));
      const [status, card] = await claimTwo(ledger);
      await walked(ledger, id, 'approved');
      await ledger.noticeShown(status, PLACE, 1);
      await ledger.noticeShown(card, PLACE, 2);
      expect(kinds(await ledger.claimNotices(10, LEASE))).toEqual(['status']);
    });

    test('that two have drawn side by side, since a lease ran out, are drawn once more', async () => {
      const { ledger, clock } = await setup();
      await ledger.owe(alert('a', 'a'), null);
      const slow = await claimOne(ledger);
      clock.now += LEASE;
      const second = await claimOne(ledger);
      await ledger.noticeShown(slow, PLACE, 0);
      await ledger.noticeShown(second, PLACE, 0);
      await ledger.noticeShown(await claimOne(ledger), PLACE, 0);
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
    });

    test('that were not delivered come again at their time, and count their failures', async () => {
      const { ledger, clock } = await setup();
      await ledger.owe(alert('a', 'a'), null);
      await ledger.noticeFailed((await claimOne(ledger)).id, 'ratelimited', START + 5000);
      clock.now = START + 4999;
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
      clock.now = START + 5000;
      const again = await claimOne(ledger);
      expect(again.attempts).toBe(1);
      await ledger.noticeShown(again, PLACE, 0);
      clock.now += LEASE;
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
    });

    test('that failed for good are left alone, whatever becomes of the purchase', async () => {
      const { ledger, clock } = await setup();
      const id = await filed(ledger, withNotices('n4'));
      for (const notice of await ledger.claimNotices(10, LEASE))
        await ledger.noticeFailed(notice.id, 'channel_not_found', null);
      await walked(ledger, id, 'approved');
      clock.now += LEASE;
      expect(await ledger.claimNotices(10, LEASE)).toEqual([]);
    });

    test('are split into one for each person, once', async () => {
      const { ledger, clock } = await setup();
      const id = await filed(ledger, withNotices('n5'));
      const [, card] = await ledger.claimNotices(10, LEASE);
      if (!card) throw new Error('no card');
      await ledger.noticeSplit(card, ['U1', 'U2']);
      await ledger.noticeSplit(card, ['U1', 'U2']);
      await ledger.noticeFailed(card.id, 'a late failure of another process', clock.now);
      const parts = await ledger.claimNotices(10, LEASE);
      expect(parts).toMatchObject([
        { kind: 'card', audience: 'user:U1', purchaseId: id },
        { kind: 'card', audience: 'user:U2', purchaseId: id },
      ]);
    });

    test('that were posted tell where, of one purchase', async () => {
      const { ledger } = await setup();
      const id = await filed(ledger, withNotices('n6'));
      await filed(ledger, withNotices('n7'));
      await ledger.noticeShown(await claimOne(ledger), PLACE, 1);
      expect(await ledger.placesOf(id)).toMatchObject([{ kind: 'status', ...PLACE }]);
      expect(await ledger.placesOf('n7')).toEqual([]);
    });
  });
}
