import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import { LONGEST_LEASE_MS } from '../../../src/purchasing/ports/leases.ts';
import type { Setup } from '../conformance.ts';
import { ANN, filed, HOUR, MINUTE, owedOf, START, WAY_TO, walked } from '../fixture.ts';

const LEASE = 10_000;
const READINGS = [{ nth: 0, dueAt: START }];

export function describeLeases(setup: Setup): void {
  describe('the head of the lane', () => {
    test('is looked after by one of all that ask together', async () => {
      const { ledger, leases, openAgain } = await setup();
      const other = (await openAgain()).leases;
      const id = await walked(ledger, await filed(ledger), 'approved');
      const asked = ['one', 'two', 'three', 'four'].map((holder, n) =>
        (n % 2 ? leases : other).takeHead(id, holder, LEASE),
      );
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    });

    test('stays with whoever has it, and passes on when the lease is over, when it is left, or when the head is another', async () => {
      const { clock, leases } = await setup();
      expect(await leases.takeHead('p', 'one', LEASE)).toBe(true);
      expect(await leases.takeHead('p', 'one', LEASE)).toBe(true);
      clock.now += LEASE - 1;
      expect(await leases.takeHead('p', 'two', LEASE)).toBe(false);
      clock.now += 1;
      expect(await leases.takeHead('p', 'two', LEASE)).toBe(true);
      expect(await leases.takeHead('q', 'one', LEASE)).toBe(true);
      expect(await leases.takeHead('q', 'two', LEASE)).toBe(false);
      await leases.leaveHead('two');
      expect(await leases.takeHead('q', 'two', LEASE)).toBe(false);
      await leases.leaveHead('one');
      expect(await leases.takeHead('q', 'two', LEASE)).toBe(true);
    });

    test('is not held for an hour because the clock was set back by one', async () => {
      const { clock, leases } = await setup();
      clock.now += HOUR;
      expect(await leases.takeHead('p', 'one', LONGEST_LEASE_MS)).toBe(true);
      expect(await leases.takeHead('p', 'two', LEASE)).toBe(false);
      clock.now -= HOUR;
      expect(await leases.takeHead('p', 'two', LEASE)).toBe(true);
      expect(await leases.takeHead('p', 'one', LEASE)).toBe(false);
    });

    test('permits nothing: who has it may not send beside another, and who has it not may', async () => {
      const { ledger, leases } = await setup();
      const first = await walked(ledger, await filed(ledger), 'approved');
      const second = await walked(ledger, await filed(ledger), 'approved');
      await leases.takeHead(second, 'one', LEASE);
      await walked(ledger, first, 'sending');
      await expect(walked(ledger, second, 'sending')).rejects.toThrow();
    });
  });

  describe('the balance reading at an interval', () => {
    const EVERY = 15 * MINUTE;
    const balance = '100' as Money;
    const read = async ({ account }: Pick<OpenLedger, 'account'>) =>
      account.keep(await account.ticket(), { balance, asker: 'command', taken: { process: 'one', ms: 0 } });

    test('is taken by one of all that ask together, and by another when the lease is over', async () => {
      const { clock, leases, openAgain } = await setup();
      const other = (await openAgain()).leases;
      const asked = [leases, other, leases, other].map((each) => each.takeInterval(EVERY, LEASE));
      expect((await Promise.all(asked)).filter((failures) => failures !== null)).toEqual([0]);
      clock.now += LEASE;
      expect(await other.takeInterval(EVERY, LEASE)).toBe(0);
      await other.endInterval(null);
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(0);
    });

    test('is due an interval after the last reading, whoever took that', async () => {
      const opened = await setup();
      const { clock, leases } = opened;
      await read(opened);
      clock.now += EVERY - 1;
      expect(await leases.takeInterval(EVERY, LEASE)).toBeNull();
      await read(opened);
      clock.now += 1;
      expect(await leases.takeInterval(EVERY, LEASE)).toBeNull();
      clock.now += EVERY - 1;
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(0);
    });

    test('waits while a purchase is being sent, and for the first reading after it', async () => {
      const { ledger, leases } = await setup();
      const id = await walked(ledger, await filed(ledger), 'approved', 'sending');
      expect(await leases.takeInterval(EVERY, LEASE)).toBeNull();
      await walked(ledger, id, 'completed');
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      expect(await leases.takeInterval(EVERY, LEASE)).toBeNull();
      await ledger.change(id, () => ({ result: null, by: ANN, readings: [{ nth: 1, dueAt: START }] }));
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(0);
    });

    test('that failed is taken again by nobody before its time, and counts how often, until it succeeds', async () => {
      const { clock, leases, openAgain } = await setup();
      const other = (await openAgain()).leases;
      for (const failures of [0, 1]) {
        expect(await leases.takeInterval(EVERY, LEASE)).toBe(failures);
        await leases.endInterval({ againAfterMs: 6 * HOUR });
        clock.now += 6 * HOUR - 1;
        expect(await other.takeInterval(EVERY, LEASE)).toBeNull();
        clock.now += 1;
      }
      expect(await other.takeInterval(EVERY, LEASE)).toBe(2);
      await other.endInterval(null);
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(0);
    });

    test('does not wait for a time of before the clock was set back', async () => {
      const opened = await setup();
      const { clock, leases } = opened;
      clock.now += 24 * HOUR;
      await read(opened);
      clock.now += EVERY;
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(0);
      await leases.endInterval({ againAfterMs: 2 * HOUR });
      clock.now -= 24 * HOUR;
      expect(await leases.takeInterval(EVERY, LEASE)).toBe(1);
    });
  });

  describe('a balance reading', () => {
    test('is given to one at a time, until the lease ends', async () => {
      const { ledger, openAgain, clock, leases } = await setup();
      const other = (await openAgain()).leases;
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      await ledger.change(id, () => ({ result: null, by: ANN, readings: READINGS }));
      const given = await Promise.all([leases.dueReadings(LEASE), other.dueReadings(LEASE)]);
      expect(given.flat()).toHaveLength(1);
      clock.now += LEASE - 1;
      expect(await other.dueReadings(LEASE)).toEqual([]);
      clock.now += 1;
      expect(await other.dueReadings(LEASE)).toHaveLength(1);
    });

    test('is given again when the clock was set back, and the first one at once: the lane waits for it', async () => {
      const { ledger, clock, leases } = await setup();
      const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
      clock.now += HOUR;
      const readings = [0, 1].map((nth) => ({ nth, dueAt: clock.now }));
      await ledger.change(id, () => ({ result: null, by: ANN, readings }));
      expect(await leases.dueReadings(LEASE)).toHaveLength(2);
      clock.now -= HOUR;
      expect(await leases.dueReadings(LEASE)).toMatchObject([{ nth: 0 }]);
      expect(await leases.dueReadings(LEASE)).toEqual([]);
    });
  });

  describe('instances', () => {
    const me = { id: 'one', version: '1', policyHash: 'p', vendorHash: 'v', policySince: 1, slack: 'connected' };

    test('see each other as long as they beat, the last started last, and not those that have left', async () => {
      const { instances, openAgain, clock } = await setup();
      const other = (await openAgain()).instances;
      await instances.beat(me, MINUTE);
      clock.now += 1;
      const second = { ...me, id: 'a-second', policyHash: 'q' };
      expect(await other.beat(second, MINUTE)).toEqual([
        { ...me, startedAt: START },
        { ...second, startedAt: START + 1 },
      ]);
      clock.now += MINUTE;
      expect(await other.beat(second, MINUTE)).toEqual([{ ...second, startedAt: START + 1 }]);
      await instances.beat(me, MINUTE);
      await other.leave('a-second');
      expect(await instances.beat(me, MINUTE)).toEqual([{ ...me, startedAt: START }]);
    });

    test('record a policy once, by the first that goes by it, and again where another was in force between', async () => {
      const { instances, database, clock } = await setup();
      await instances.beat(me, MINUTE);
      await instances.beat({ ...me, id: 'two' }, MINUTE);
      clock.now += 1;
      for (const id of ['two', 'one']) await instances.beat({ ...me, id, policyHash: 'q' }, MINUTE);
      await instances.beat({ ...me, id: 'three' }, MINUTE);
      const recorded = await database.read((sql) => sql.all('SELECT digest, at, instance FROM policies ORDER BY seq'));
      expect(recorded).toEqual([
        { digest: 'p', at: START, instance: 'one' },
        { digest: 'q', at: START + 1, instance: 'two' },
        { digest: 'p', at: START + 1, instance: 'three' },
      ]);
    });

    test('owe again what is open when one of them goes by another policy, and not when one comes', async () => {
      const opened = await setup();
      const { instances, ledger, outbox } = opened;
      const card = { kind: 'card', audience: 'approvers', about: null, text: null, by: null } as const;
      await outbox.owe({ key: 'card', ...card }, await filed(ledger));
      for (const notice of await outbox.leaseNotices(10, MINUTE))
        await outbox.noticeShown(notice, { channel: 'C1', ts: String(notice.id) }, 1);
      await instances.beat(me, MINUTE);
      expect(await owedOf(opened)).toBe(0);
      await instances.beat({ ...me, policyHash: 'q' }, MINUTE);
      expect(await outbox.leaseNotices(10, MINUTE)).toHaveLength(1);
    });
  });
}
