import type { MovementKind } from '../src/purchasing/model/account.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import { type BalanceChart, type Chart, POINTS_MOST, type SpendChart } from '../src/purchasing/model/chart.ts';
import {
  compare,
  difference,
  formatDollars,
  isPositive,
  type Money,
  NO_MONEY,
  sum,
} from '../src/purchasing/model/money.ts';
import { leftBetween } from '../src/purchasing/rules/spend.ts';
import { zoneOf } from '../src/purchasing/rules/zones.ts';
import type { Outlook, SpendReport } from '../src/purchasing/spending.ts';
import { inTurns } from '../src/turns.ts';
import { dayAsWritten } from './format.ts';

const DAY_MS = 86_400_000;

/** A chart, and its figures in words for whoever does not see it. */
export interface DrawnChart {
  readonly chart: Chart;
  readonly alt: string;
}

/** Nothing where there is nothing to see: no movement, or no balance. */
export async function balanceChart(reading: BalanceReading, { movements, now }: Outlook): Promise<DrawnChart | null> {
  const [first] = movements;
  if (!first || !reading.ok) return null;
  const points: BalanceChart['points'][number][] = [{ at: first.from, dollars: Number(first.before) }];
  const marks: BalanceChart['marks'][number][] = [];
  const spent = new Map<MovementKind, Money>();
  let [lowest, highest] =
    compare(first.before, reading.balance) < 0 ? [first.before, reading.balance] : [reading.balance, first.before];
  for await (const { kind, to: at, before, after } of inTurns(movements)) {
    points.push({ at, dollars: Number(after) });
    const fell = difference(before, after);
    if (isPositive(fell)) spent.set(kind, sum(spent.get(kind) ?? NO_MONEY, fell));
    if (kind === 'ours') marks.push({ at, dollars: Number(after), spent: Number(fell) });
    if (compare(after, lowest) < 0) lowest = after;
    if (compare(after, highest) > 0) highest = after;
  }
  points.push({ at: now, dollars: Number(reading.balance) });
  const left = SPENT.flatMap(([kind, name]) => {
    const dollars = spent.get(kind);
    return dollars ? [`${name} ${formatDollars(dollars)}`] : [];
  });
  return {
    chart: { kind: 'balance', title: 'Balance, the last 30 days (UTC)', points, marks },
    alt: `Balance from ${formatDollars(first.before)} on ${dayAsWritten(first.from)} to ${formatDollars(reading.balance)} on ${dayAsWritten(now)} (UTC); lowest ${formatDollars(lowest)}, highest ${formatDollars(highest)}${left.length > 0 ? `; left: ${left.join(', ')}` : ''}.`,
  };
}

const SPENT = [
  ['ours', 'Purchases'],
  ['elsewhere', 'Left elsewhere'],
  ['unknown', 'Unknown'],
] as const satisfies readonly (readonly [MovementKind, string])[];

/** What left, day by day; of many days, some at a time. */
export async function spendChart({ query, timeZone, facts, spend }: SpendReport): Promise<DrawnChart | null> {
  const { from, to } = facts.span;
  const zone = zoneOf(timeZone);
  // Days of the zone, which are not all as long.
  const day = (at: number) => zone.dayOf(at) * DAY_MS;
  const covered = (day(to - 1) - day(from)) / DAY_MS + 1;
  const days = query.period === '90d' ? 7 : Math.ceil(covered / POINTS_MOST);
  const step = Math.max(1, days) * DAY_MS;
  const count = Math.max(1, Math.ceil((covered * DAY_MS) / step));
  const bars = Array.from({ length: count }, (_, nth) => dayAsWritten(day(from) + nth * step).slice(5));
  const begins = bars.map((_, nth) => zone.at((day(from) + nth * step) / DAY_MS, 0));
  const left = await leftBetween(facts.movements, begins);
  if (left.size === 0) return null;
  const series = SPENT.flatMap(([kind, name]): SpendChart['series'] => {
    const dollars = left.get(kind);
    return dollars ? [{ name, dollars: dollars.map(Number) }] : [];
  });
  const sums = SPENT.map(([kind, name]) => `${name} ${formatDollars(positive(spend.kinds[kind].sum))}`);
  const each = days === 7 ? 'week by week' : days > 1 ? `${days} days a bar` : 'day by day';
  // The names of most zones are too long for the title of Slack's own chart: the words below it have them.
  const where = timeZone === 'UTC' ? ' (UTC)' : '';
  return {
    chart: { kind: 'spend', title: `What left, ${query.period}, ${each}${where}`, bars, series },
    alt: `What left the account from ${dayAsWritten(day(from))} to ${dayAsWritten(day(to - 1))} (${timeZone}), ${each}: ${sums.join(', ')}.`,
  };
}

function positive(sum: Money): Money {
  return sum.replace(/^-/, '') as Money;
}
