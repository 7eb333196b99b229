import { plural } from '../../plural.ts';
import type { MovementKind } from '../../purchasing/model/account.ts';
import type { Spend, SpendFacts, SpendQuery } from '../../purchasing/model/spend.ts';
import { spanOf } from '../../purchasing/rules/periods.ts';
import { spendFacts, spendOf } from '../../purchasing/rules/spend.ts';
import { spendCsv } from '../../purchasing/rules/spend-csv.ts';
import { zoneOf } from '../../purchasing/rules/zones.ts';
import { linkAsOf, purchasesIn } from '../account.ts';
import { costsOf, movementsIn } from '../movements.ts';
import type { Sql } from '../sql.ts';
import { jsonLine, literal, table, time } from './output.ts';

export type SpendFormat = 'table' | 'json' | 'csv';

/** What was spent, as the bot tells it. */
export async function* spendTexts(
  sql: Sql,
  query: SpendQuery,
  timeZone: string,
  format: SpendFormat,
): AsyncGenerator<string> {
  const span = spanOf(query.period, await sql.now(), zoneOf(timeZone));
  const facts = await spendFacts(
    {
      asOf: (at) => linkAsOf(sql, at),
      movements: (from, to) => movementsIn(sql, { from, to }),
      purchases: (from, to) => purchasesIn(sql, { from, to }),
      costs: (ids) => costsOf(sql, ids),
    },
    span,
  );
  const spend = await spendOf(facts, query.by);
  if (format === 'csv') yield await spendCsv(facts, spend);
  else if (format === 'json') yield jsonLine(fields(query, timeZone, facts, spend));
  else yield* spendTable(query, timeZone, facts, spend);
}

function fields({ period }: SpendQuery, timeZone: string, { span, begins, ends }: SpendFacts, spend: Spend) {
  const reading = (link: SpendFacts['begins']) => link && { balance: link.balance, at: time(link.at) };
  return {
    period,
    timeZone,
    from: time(span.from),
    to: time(span.to),
    begins: reading(begins),
    ends: reading(ends),
    ...spend,
    notObserved: spend.notObserved.map(({ id }) => id),
  };
}

const KINDS = {
  ours: 'spent here',
  top_up: 'topped up',
  elsewhere: 'left elsewhere, nothing was sent',
  unknown: 'not known yet, or for good',
} as const satisfies Record<MovementKind, string>;

async function* spendTable(
  query: SpendQuery,
  timeZone: string,
  { span, begins, ends }: SpendFacts,
  spend: Spend,
): AsyncGenerator<string> {
  const minutes = (at: number) => time(at).slice(0, 16).replace('T', ' ');
  const balance = (link: SpendFacts['begins']) =>
    link ? `${link.balance}, read ${minutes(link.at)}` : 'no reading that old';
  yield `${query.period}: ${minutes(span.from)} to ${minutes(span.to)} (UTC${timeZone === 'UTC' ? '' : `; months are those of ${timeZone}`})\n`;
  yield `balance before: ${balance(begins)}; at its end: ${balance(ends)}\n\n`;
  const kinds = Object.entries(KINDS).map(([kind, name]) => {
    const { movements, sum } = spend.kinds[kind as MovementKind];
    return [name, sum, String(movements)];
  });
  yield* table(['MONEY', 'DIFFERENCE', 'MOVEMENTS'], (row) => row, pages(kinds));
  yield '\n';
  const rows = spend.rows.map(({ key, spent, purchases, ips, withoutCost }) => [
    literal(key),
    spent,
    String(purchases),
    ips === null ? 'unknown' : String(ips),
    withoutCost === 0 ? '-' : String(withoutCost),
  ]);
  if (spend.together) rows.push(['several together', spend.together.spent, String(spend.together.purchases), '-', '-']);
  const head = [query.by.toUpperCase(), 'SPENT', 'PURCHASES', 'IPS', 'COST NOT IN IT'];
  yield* table(head, (row) => row, pages(rows));
  if (spend.notObserved.length > 0)
    yield `\nnot seen in any balance: ${spend.notObserved.map(({ id }) => id).join(', ')}\n`;
  if (spend.doubtful > 0) yield `\n${plural(spend.doubtful, 'purchase')} of which nobody can tell yet\n`;
}

async function* pages<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
