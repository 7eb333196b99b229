import type { Movement } from '../../purchasing/model/account.ts';
import { movementPages } from '../account.ts';
import type { Sql } from '../sql.ts';
import { jsonLines, mapped, table, time } from './output.ts';

function fields({ from, to, before, after, difference, kind, purchases }: Movement) {
  return { from: time(from), to: time(to), before, after, difference, kind, purchases };
}

const HEAD = ['FROM (UTC)', 'TO (UTC)', 'BEFORE', 'AFTER', 'DIFFERENCE', 'KIND', 'PURCHASES'];

function tableRow({ from, to, before, after, difference, kind, purchases }: ReturnType<typeof fields>): string[] {
  const seconds = (at: string) => at.slice(0, 19).replace('T', ' ');
  return [seconds(from), seconds(to), before, after, difference, kind, purchases.join(', ') || '-'];
}

/** All of them, oldest first, a page at a time. */
export function movementTexts(sql: Sql, json: boolean): AsyncGenerator<string> {
  const pages = mapped(movementPages(sql, '1 = 1', {}), fields);
  return json ? jsonLines(pages) : table(HEAD, tableRow, pages);
}
