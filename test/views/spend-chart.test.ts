import { expect, test } from 'vitest';
import type { SpendFacts } from '../../src/purchasing/model/spend.ts';
import { spanOf } from '../../src/purchasing/rules/periods.ts';
import { spendOf } from '../../src/purchasing/rules/spend.ts';
import { zoneOf } from '../../src/purchasing/rules/zones.ts';
import { spendChart } from '../../views/charts.ts';
import { money } from './fixture.ts';

/** A dollar leaves at each of these moments. */
async function chartOf(timeZone: string, ...moments: readonly string[]) {
  const now = Date.UTC(2027, 11, 1);
  const movements = moments.map((moment, seq) => ({
    seq,
    from: Date.parse(moment) - 1,
    to: Date.parse(moment),
    before: money('2.00'),
    after: money('1.00'),
    difference: money('-1.00'),
    kind: 'elsewhere' as const,
    purchases: [],
    final: true,
  }));
  const span = spanOf('2027-10', now, zoneOf(timeZone));
  const facts: SpendFacts = { span, begins: null, ends: null, movements, purchases: [], costs: new Map() };
  const query = { period: '2027-10', by: 'person' } as const;
  const drawn = await spendChart({ query, now, timeZone, facts, spend: await spendOf(facts, 'person') });
  if (drawn?.chart.kind !== 'spend') throw new Error('there is no chart');
  return { ...drawn, chart: drawn.chart };
}

test('a month is charted by the days of its zone, also where summer time ends in it', async () => {
  const berlin = await chartOf('Europe/Berlin', '2027-09-30T22:00Z', '2027-10-31T22:59Z');
  expect(berlin.chart.bars.at(0)).toBe('10-01');
  expect(new Set(berlin.chart.bars).size).toBe(berlin.chart.bars.length);
  const [dollars = []] = berlin.chart.series.map((one) => one.dollars);
  expect([dollars.at(0), dollars.at(-1)]).toEqual([1, 1]);
  expect(berlin.alt).toContain('from 2027-10-01 to 2027-10-31 (Europe/Berlin)');
  expect(
    (await chartOf('America/Argentina/ComodRivadavia', '2027-10-10T12:00Z')).chart.title.length,
  ).toBeLessThanOrEqual(50);
});
