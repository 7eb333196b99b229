import { plural } from '../src/plural.ts';
import type { Link, MovementKind } from '../src/purchasing/model/account.ts';
import { formatDollars } from '../src/purchasing/model/money.ts';
import {
  isMonth,
  PERIODS,
  type Period,
  SPENT_BY,
  type SpendQuery,
  type SpendRow,
} from '../src/purchasing/model/spend.ts';
import { spentHere } from '../src/purchasing/rules/spend.ts';
import type { SpendReport } from '../src/purchasing/spending.ts';
import { actions, type Block, button, context, type DrawnMessage, paragraph, section } from './blocks.ts';
import { country, ips, monthName, person, quoted, signed, when } from './format.ts';
import { ACTION } from './ids.ts';
import { literal } from './text.ts';

const ROWS_SHOWN = 25;
const KNOWN_SHOWN = 3;
/** In characters. */
const NOTE_SHOWN = 200;

const PERIOD_NAMES = {
  'this month': 'This month',
  'last month': 'Last month',
  '90d': 'The last 90 days',
} as const satisfies Record<(typeof PERIODS)[number], string>;

/** Where the money went. What no balance tells is counted and said. */
export function spendMessage(report: SpendReport): DrawnMessage {
  const { query, timeZone, facts, spend } = report;
  const { kinds, rows, together, notObserved, doubtful } = spend;
  const text = `Spending, ${query.period}, by ${query.by}`;
  const shown = rows.slice(0, ROWS_SHOWN);
  const more = rows.length - shown.length;
  const blocks: readonly Block[] = [
    section(`*${periodName(query.period)}: ${formatDollars(spentHere(spend))} spent by purchases*`),
    ...paragraph([
      `From ${when(facts.span.from)} to ${when(facts.span.to)}; months are those of ${literal(timeZone, 60)}.`,
      `Balance before: ${balanceOf(facts.begins)}. At its end: ${balanceOf(facts.ends)}.`,
    ]),
    ...paragraph(KINDS.map(([kind, name]) => kindLine(name, kinds[kind]))),
    ...paragraph(knownLines(report)),
    ...paragraph([
      `*By ${query.by}*`,
      ...(rows.length === 0 && !together ? ['Nothing was bought or renewed.'] : []),
      ...shown.map((row) => rowLine(row, report)),
      more > 0 ? `and ${more} more: they are in the CSV` : null,
      together
        ? `• ${TOGETHER[query.by]}: *${formatDollars(together.spent)}*, ${plural(together.purchases, 'purchase')}; nobody can tell each one's part`
        : null,
    ]),
    ...paragraph([
      notObserved.length > 0
        ? `Not in these sums: ${plural(notObserved.length, 'purchase')} that no balance shows, because it rose meanwhile or was not read.`
        : null,
      doubtful > 0 ? `${plural(doubtful, 'purchase')} of which nobody can tell yet whether money left.` : null,
    ]),
    ...actions([button('Download CSV', ACTION.downloadCsv, spendValue(query))]),
    context('Every figure is the difference of two balances that were read.'),
  ];
  return { text, blocks: [...blocks] };
}

function periodName(period: Period): string {
  return isMonth(period) ? monthName(period) : PERIOD_NAMES[period];
}

const KINDS = [
  ['ours', 'Spent by purchases'],
  ['top_up', 'Topped up'],
  ['elsewhere', 'Left elsewhere, with nothing sent'],
  ['unknown', 'Unknown, a purchase may explain it'],
] as const satisfies readonly (readonly [MovementKind, string])[];

/** Of what left elsewhere: who has said where it went. The latest first. */
function knownLines({ facts }: SpendReport): readonly string[] {
  const known = facts.movements.flatMap(({ difference, to, known }) => (known ? [{ ...known, difference, to }] : []));
  const shown = known.toReversed().slice(0, KNOWN_SHOWN);
  const more = known.length - shown.length;
  return [
    ...shown.map(
      ({ by, at, note, difference, to }) =>
        `• ${signed(difference)}, read ${when(to)}: ${person(by)} knows about it, said ${when(at)}: ${quoted(note, NOTE_SHOWN)}`,
    ),
    ...(more > 0 ? [`and ${more} more that somebody knows about: they are in the CSV`] : []),
  ];
}

export const TOGETHER = {
  person: 'Purchases of several people at once',
  plan: 'Purchases of several plans at once',
  country: 'Purchases of several countries, or of countries that are not known',
} as const;

export function kindLine(name: string, { movements, sum }: SpendReport['spend']['kinds'][MovementKind]): string | null {
  if (movements === 0) return `${name}: nothing`;
  return `${name}: ${signed(sum)}, ${plural(movements, 'movement')}`;
}

export function rowLine(row: SpendRow, { spend, facts }: Pick<SpendReport, 'spend' | 'facts'>): string {
  const without = row.withoutCost > 0 ? `, ${row.withoutCost} of them not in this sum` : '';
  return `• ${nameOf(row.key, spend.by, facts)}: *${formatDollars(row.spent)}*, ${plural(row.purchases, 'purchase')}, ${ips(row.ips)}${without}`;
}

export function nameOf(key: string, by: SpendQuery['by'], { purchases }: SpendReport['facts']): string {
  switch (by) {
    case 'person':
      return person(purchases.find(({ requesterPerson }) => requesterPerson === key)?.requester ?? key);
    case 'plan':
      return literal(purchases.find(({ plan }) => plan.productId === key)?.plan.name ?? key, 100);
    case 'country':
      return literal(country(key), 80);
    default:
      return by satisfies never;
  }
}

function balanceOf(link: Link | null): string {
  return link === null ? 'no reading that old' : `${formatDollars(link.balance)}, read ${when(link.at)}`;
}

/** What a button carries: what was asked for. */
export function spendValue({ period, by }: SpendQuery): string {
  return `${period} ${by}`;
}

/** @returns undefined for what no version of ours has written */
export function readSpendValue(value: string): SpendQuery | undefined {
  const month = value.slice(0, 'YYYY-MM'.length);
  for (const period of isMonth(month) ? [month] : PERIODS)
    for (const by of SPENT_BY) if (spendValue({ period, by }) === value) return { period, by };
  return undefined;
}
