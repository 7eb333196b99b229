import type { Movement, MovementKind } from '../src/purchasing/model/account.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import { type BalanceChart, type Chart, POINTS_MOST, type SpendChart } from '../src/purchasing/model/chart.ts';
import { compare, difference, formatDollars, type Money } from '../src/purchasing/model/money.ts';
import { spentIn } from '../src/purchasing/rules/runway.ts';
import { zoneOf } from '../src/purchasing/rules/zones.ts';
import type { Outlook, SpendReport } from '../src/purchasing/spending.ts';
import { dayAsWritten } from './format.ts';

const DAY_MS = 86_400_000;

/** A chart, and its figures in words for whoever does not see it. */
export interface DrawnChart {
  readonly chart: Chart;
  readonly alt: string;
}

/** Nothing where there is nothing to see: no movement, or no balance. */
export function balanceChart(reading: BalanceReading, { movements, now }: Outlook): DrawnChart | null {
  const [first] = movements;
  if (!first || !reading.ok) return null;
  const points: BalanceChart['points'] = [
    { at: first.from, dollars: Number(first.before) },
    ...movements.map(({ to, after }) => ({ at: to, dollars: Number(after) })),
    { at: now, dollars: Number(reading.balance) },
  ];
  const ours = movements.filter(({ kind }) => kind === 'ours');
  const marks = ours.map(({ to, before, after }) => ({
    at: to,
    dollars: Number(after),
    spent: Number(difference(before, after)),
  }));
  const balances = [first.before, ...movements.map(({ after }) => after), reading.balance];
  const sorted = balances.toSorted(compare);
  const [lowest = reading.balance, highest = reading.balance] = [sorted[0], sorted.at(-1)];
  const bought = ours.length === 1 ? '1 purchase' : `${ours.length} purchases`;
  return {
    chart: { kind: 'balance', title: 'Balance, the last 30 days (UTC)', points, marks },
    alt: `Balance from ${formatDollars(first.before)} on ${dayAsWritten(first.from)} to ${formatDollars(reading.balance)} on ${dayAsWritten(now)} (UTC); lowest ${formatDollars(lowest)}, highest ${formatDollars(highest)}; the balance fell by ${bought}.`,
  };
}

const SPENT = [
  ['ours', 'Purchases'],
  ['elsewhere', 'Left elsewhere'],
  ['unknown', 'Unknown'],
] as const satisfies readonly (readonly [MovementKind, string])[];

/** What left, day by day; of many days, some at a time. */
export function spendChart({ query, timeZone, facts, spend }: SpendReport): DrawnChart | null {
  const left = facts.movements.filter(({ before, after }) => compare(after, before) < 0);
  if (left.length === 0) return null;
  const { from, to } = facts.span;
  const zone = zoneOf(timeZone);
  // Days of the zone, which are not all as long.
  const day = (at: number) => zone.dayOf(at) * DAY_MS;
  const covered = (day(to - 1) - day(from)) / DAY_MS + 1;
  const days = query.period === '90d' ? 7 : Math.ceil(covered / POINTS_MOST);
  const step = Math.max(1, days) * DAY_MS;
  const count = Math.max(1, Math.ceil((covered * DAY_MS) / step));
  const bars = Array.from({ length: count }, (_, nth) => dayAsWritten(day(from) + nth * step).slice(5));
  const inBar = ({ to: at }: Movement) => Math.min(count - 1, Math.max(0, Math.floor((day(at) - day(from)) / step)));
  const series = SPENT.flatMap(([kind, name]): SpendChart['series'] => {
    const some = Map.groupBy(
      left.filter((movement) => movement.kind === kind),
      inBar,
    );
    return some.size === 0 ? [] : [{ name, dollars: bars.map((_, nth) => Number(spentIn(some.get(nth) ?? []))) }];
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
