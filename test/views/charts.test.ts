import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Movement } from '../../src/purchasing/model/account.ts';
import { PERIODS, type SpendQuery } from '../../src/purchasing/model/spend.ts';
import { spanOf } from '../../src/purchasing/rules/periods.ts';
import { spendOf } from '../../src/purchasing/rules/spend.ts';
import { UTC } from '../../src/purchasing/rules/zones.ts';
import type { SpendReport } from '../../src/purchasing/spending.ts';
import { chartMessage, pictureMessage } from '../../views/chart-blocks.ts';
import { balanceChart, spendChart } from '../../views/charts.ts';
import { accepted, money, NOW, readsAs } from './fixture.ts';
import { movement } from './movements.ts';

const DAY = 86_400_000;
const reading = (balance: string, at = NOW) => ({ ok: true, balance: money(balance), at }) as const;
const cents = (amount: number) => money((amount / 100).toFixed(2));

/** Amounts in cents, at these times; each begins where the one before ended. */
function history(steps: readonly (readonly [at: number, balance: number])[], before: number, from: number): Movement[] {
  return steps.map(([at, balance], nth) =>
    movement({
      seq: nth + 2,
      from: nth === 0 ? from : (steps[nth - 1]?.[0] ?? from),
      to: at,
      before: cents(nth === 0 ? before : (steps[nth - 1]?.[1] ?? before)),
      after: cents(balance),
      kind: balance > (nth === 0 ? before : (steps[nth - 1]?.[1] ?? before)) ? 'top_up' : 'ours',
    }),
  );
}

async function balanceOf(movements: readonly Movement[], balance: string, now = NOW) {
  const drawn = await balanceChart(reading(balance, now), { movements, now } as Parameters<typeof balanceChart>[1]);
  if (!drawn) throw new Error('no chart');
  return drawn;
}

async function reportOf(query: SpendQuery, movements: readonly Movement[], now = NOW): Promise<SpendReport> {
  const span = spanOf(query.period, now, UTC);
  const facts = { span, begins: null, ends: null, movements, purchases: [], costs: new Map() };
  return { query, now, timeZone: 'UTC', facts, spend: await spendOf(facts, query.by) };
}

describe('the chart of the balance', () => {
  test('tells the balance as it was known at moments that lie evenly, and what purchases took between them', async () => {
    const steps = [
      [NOW - 29 * DAY, 90_000],
      [NOW - 10 * DAY, 140_000],
      [NOW - DAY, 95_200],
    ] as const;
    const drawn = await balanceOf(history(steps, 100_000, NOW - 30 * DAY), '952.00');
    const text = readsAs(chartMessage(drawn));
    expect(text).toContain('Balance: Dec 6 1000, Dec 8 900, Dec 9 900');
    expect(text).toContain('Jan 2 1400, Jan 4 1400, Jan 5 952; Spent by purchases: Dec 6 0, Dec 8 100');
    expect(text).toContain('Jan 5 448)');
    expect(text).toContain(
      'Balance from $1,000.00 on 2025-12-06 to $952.00 on 2026-01-05 (UTC); lowest $900.00, highest $1,400.00; left: Purchases $548.00.',
    );
  });

  test('says of all that left what took it, not of purchases alone', async () => {
    const [first, second] = history(
      [
        [NOW - 2 * DAY, 90_000],
        [NOW - DAY, 87_440],
      ],
      100_000,
      NOW - 3 * DAY,
    );
    if (!first || !second) throw new Error('no history');
    const { alt } = await balanceOf([first, { ...second, kind: 'unknown' }], '874.40');
    expect(alt).toContain('left: Purchases $100.00, Unknown $25.60.');
  });

  test('tells a few days by the minute, so that no two moments read the same', async () => {
    const drawn = await balanceOf(history([[NOW - DAY, 90_000]], 100_000, NOW - 2 * DAY), '900.00');
    expect(readsAs(chartMessage(drawn))).toContain('Balance: Jan 3, 14:03 1000, Jan 3, 16:34 1000');
  });

  test('is taken by Slack, whatever the history was', async () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 30 * DAY }), fc.integer({ min: -10_000, max: 10_000_000_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: -DAY, max: DAY }),
        async (all, late) => {
          const steps = all.toSorted(([a], [b]) => a - b).map(([at, to]) => [NOW - 30 * DAY + at, to] as const);
          const first = steps[0]?.[0] ?? NOW;
          const drawn = await balanceOf(history(steps, 500, first - 1), '1.00', NOW + late);
          accepted(chartMessage(drawn));
          accepted(pictureMessage('F1', drawn));
        },
      ),
    );
  });
});

describe('the chart of what was spent', () => {
  test.each([
    ['this month', Date.UTC(2026, 0, 20, 23), 'day by day', 20],
    ['this month', Date.UTC(2026, 0, 21, 1), '2 days a bar', 11],
    ['last month', NOW, '2 days a bar', 16],
    ['90d', NOW, 'week by week', 13],
  ] as const)('%s, at %d: %s', async (period, now, each, bars) => {
    const left = movement({ from: now - 120_000, to: spanOf(period, now, UTC).to });
    const drawn = await spendChart(await reportOf({ period, by: 'person' }, [left], now));
    if (drawn?.chart.kind !== 'spend') throw new Error('no chart');
    expect(drawn.chart.title).toBe(`What left, ${period}, ${each} (UTC)`);
    expect(drawn.chart.bars).toHaveLength(bars);
    expect(drawn.chart.series[0]?.dollars.at(-1)).toBe(1);
    expect(readsAs(chartMessage(drawn))).toMatch(/What left the account .*: Purchases \$1\.00, Left elsewhere \$0\.00/);
  });

  test('is taken by Slack on every day of a year, with all kinds of what left', async () => {
    for (const period of PERIODS)
      for (let day = 0; day < 366; day += 1) {
        const now = NOW + day * DAY;
        const kinds = (['ours', 'elsewhere', 'unknown'] as const).map((kind) =>
          movement({ kind, to: spanOf(period, now, UTC).to }),
        );
        const drawn = await spendChart(await reportOf({ period, by: 'country' }, kinds, now));
        if (!drawn) throw new Error('no chart');
        accepted(chartMessage(drawn));
        accepted(pictureMessage('F1', drawn));
      }
  });

  test('is none where nothing left', async () => {
    expect(await spendChart(await reportOf({ period: '90d', by: 'plan' }, []))).toBeNull();
  });
});
