import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import type { ReportingRule } from '../../../src/purchasing/model/monthly-report.ts';
import { decideReport } from '../../../src/purchasing/rules/monthly-reports.ts';
import type { Setup } from '../conformance.ts';
import { HOUR } from '../fixture.ts';

const DAY = 24 * HOUR;
const rule: ReportingRule = (facts) => decideReport(facts, 'UTC');

async function read({ account }: OpenLedger): Promise<void> {
  const taken = { process: 'one', ms: 0 };
  await account.keep(await account.ticket(), { balance: '1000' as Money, asker: 'command', taken });
}

async function keys({ database }: OpenLedger): Promise<readonly unknown[]> {
  const rows = await database.read((sql) => sql.all('SELECT key FROM notices ORDER BY id'));
  return rows.map(({ key }) => key);
}

export function describeMonthlyReports(setup: Setup): void {
  describe('the report of a month', () => {
    test('is owed once, with its CSV, by processes that look at the same moment, and later, and anew', async () => {
      const opened = await setup();
      const others = [await opened.openAgain(), await opened.openAgain()];
      const all = [opened, ...others];
      await read(opened);
      expect(await Promise.all(all.map(({ reports }) => reports.look(rule)))).toEqual([false, false, false]);
      opened.clock.now = Date.UTC(2026, 1, 1, 9);
      const looks = await Promise.all(all.map(({ reports }) => reports.look(rule)));
      expect(looks.filter(Boolean)).toHaveLength(1);
      expect(await keys(opened)).toEqual(['report:2026-01', 'report csv:2026-01']);
      for (const { reports } of [...all, await opened.openAgain()]) expect(await reports.look(rule)).toBe(false);
      // The clock is set back, so that it comes to the first once more.
      opened.clock.now -= 2 * DAY;
      await opened.reports.look(rule);
      opened.clock.now += 2 * DAY;
      await opened.reports.look(rule);
      expect(await keys(opened)).toEqual(['report:2026-01', 'report csv:2026-01']);
    });

    test('is not owed where nobody has noted that month', async () => {
      const opened = await setup();
      await read(opened);
      opened.clock.now = Date.UTC(2026, 1, 1, 9);
      expect(await opened.reports.look(rule)).toBe(false);
      opened.clock.now = Date.UTC(2026, 2, 1, 9);
      expect(await opened.reports.look(rule)).toBe(true);
      expect(await keys(opened)).toEqual(['report:2026-02', 'report csv:2026-02']);
    });
  });
}
