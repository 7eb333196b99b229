import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { WatchRule } from '../../../src/purchasing/model/alerts.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import { decideAlerts, decideFreezingFor, decideKnowing } from '../../../src/purchasing/rules/alerts.ts';
import { NO_INTERVAL } from '../../support/policy.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, HOUR, MINUTE } from '../fixture.ts';

const DAY = 24 * HOUR;

const POLICY = { ...NO_INTERVAL, warnBelow: '100' as Money, freezeOnUnexplainedAbove: '40' as Money };
const rule: WatchRule = (facts) => decideAlerts(facts, POLICY);

async function read({ account }: OpenLedger, balance: string): Promise<void> {
  const taken = { process: 'one', ms: 0 };
  await account.keep(await account.ticket(), { balance: balance as Money, asker: 'command', taken });
}

async function keys({ database }: OpenLedger): Promise<readonly unknown[]> {
  const rows = await database.read((sql) => sql.all('SELECT key FROM notices ORDER BY id'));
  return rows.map(({ key }) => key);
}

const approver = (user: string) => ({
  user,
  allowed: { person: user, ids: new Set([user]), rights: new Set(['approve'] as const) },
});

/** $48 have left. */
async function fallen(opened: OpenLedger): Promise<number> {
  await read(opened, '1000');
  await read(opened, '952');
  await opened.alerts.watch(rule);
  const [fall] = await opened.account.movementsAfter(0);
  return fall?.seq ?? 0;
}

export function describeAlerts(setup: Setup): void {
  describe('what is told of the balance', () => {
    test('is told once by processes that look at the same moment, and later, and anew', async () => {
      const opened = await setup();
      const others = [await opened.openAgain(), await opened.openAgain()];
      await read(opened, '1000');
      await read(opened, '952');
      await read(opened, '1100');
      await read(opened, '99');
      const all = [opened, ...others];
      const looks = await Promise.all(all.map(({ alerts }) => alerts.watch(rule)));
      expect(looks.filter(Boolean)).toHaveLength(1);
      const told = await keys(opened);
      expect(told).toHaveLength(5);
      expect(told.map((key) => String(key).replace(/\d+/, '#'))).toEqual([
        'fall:#',
        'fall:#',
        'top_up:#',
        'alert:low:#',
        'frozen:fall #',
      ]);
      for (const { alerts } of [...all, await opened.openAgain()]) expect(await alerts.watch(rule)).toBe(false);
      expect(await keys(opened)).toEqual(told);
    });

    test('freezes spending in the one transaction in which it is told, and not again after somebody has unfrozen', async () => {
      const opened = await setup();
      await read(opened, '1000');
      await read(opened, '952');
      const before = await opened.ledger.freeze();
      await opened.alerts.watch(rule);
      expect([before, await opened.ledger.freeze()]).toEqual([null, expect.objectContaining({ by: 'desk' })]);
      await opened.ledger.changeFreeze(() => ({ result: null, by: ANN, to: null }));
      opened.clock.now -= 60 * MINUTE;
      await read(opened, '952');
      await (await opened.openAgain()).alerts.watch(rule);
      expect(await opened.ledger.freeze()).toBeNull();
    });

    test('does not begin with the first reading, nor with what was before', async () => {
      const opened = await setup();
      await read(opened, '1000');
      expect(await opened.alerts.watch(rule)).toBe(false);
      expect(await keys(opened)).toEqual([]);
    });

    test('counts on what has left in the last 30 days, by whomever, and tells once for how few days it is enough', async () => {
      const opened = await setup();
      const days: WatchRule = (facts) => decideAlerts(facts, { ...NO_INTERVAL, warnDays: 7 });
      await read(opened, '5000');
      opened.clock.now += 40 * DAY;
      // What was spent before is no part of the pace, nor is a top-up.
      await read(opened, '400');
      opened.clock.now += 31 * DAY;
      await read(opened, '100');
      await read(opened, '360');
      opened.clock.now += 20 * DAY;
      await opened.alerts.watch(days);
      expect((await keys(opened)).filter((key) => String(key).startsWith('alert:'))).toEqual([]);
      await read(opened, '60');
      await opened.alerts.watch(days);
      await read(opened, '59');
      await (await opened.openAgain()).alerts.watch(days);
      const rows = await opened.database.read((sql) => sql.all(`SELECT text FROM notices WHERE kind = 'alert'`));
      expect(rows).toEqual([
        { text: expect.stringMatching(/The balance was \$60\.00 .+: enough for about 3 days, fewer than 7/) },
      ]);
      expect(rows[0]?.['text']).toContain('Observed: $600.00 left the account in the last 30 days');
    });

    test('is known by whoever says so first, with a note, also at the same moment; and drawn anew', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      const seq = await fallen(opened);
      const revision = async () =>
        opened.database.read((sql) => sql.all(`SELECT revision FROM notices WHERE kind = 'fall'`));
      const [was] = await revision();
      await Promise.all([
        opened.alerts.change(seq, (facts) => decideKnowing(facts, approver(ANN), 'mine'), 'one'),
        other.alerts.change(seq, (facts) => decideKnowing(facts, approver(BEN), 'no, mine'), 'two'),
      ]);
      const known = (await opened.alerts.told(seq))?.movement.known;
      expect([`${ANN} mine`, `${BEN} no, mine`]).toContain(`${known?.by} ${known?.note}`);
      expect((await opened.account.movementsAfter(seq - 1))[0]?.known).toEqual(known);
      expect(Number((await revision())[0]?.['revision'])).toBe(Number(was?.['revision']) + 1);
      const entries = await opened.database.read((sql) =>
        sql.all('SELECT kind FROM entries WHERE reading = :seq ORDER BY kind', { seq }),
      );
      expect(entries).toEqual([{ kind: 'fall_known' }, { kind: 'refused' }]);
    });

    test('freezes at a click once, however often it is delivered', async () => {
      const opened = await setup();
      const seq = await fallen(opened);
      await opened.ledger.changeFreeze(() => ({ result: null, by: ANN, to: null }));
      const click = () => opened.alerts.change(seq, (facts) => decideFreezingFor(facts, approver(ANN)), 'click');
      await click();
      expect(await opened.ledger.freeze()).toMatchObject({ by: ANN });
      await opened.ledger.changeFreeze(() => ({ result: null, by: ANN, to: null }));
      await click();
      expect(await opened.ledger.freeze()).toBeNull();
    });

    test.each([0, 99, Number.NaN, 1.5, 2 ** 60])('knows of no change %d', async (seq) => {
      const opened = await setup();
      await fallen(opened);
      expect(await opened.alerts.told(seq)).toBeUndefined();
      expect(await opened.alerts.change(seq, () => ({ result: 1 }), 'c')).toBeUndefined();
    });
  });
}
