import type { Movement } from '../../purchasing/model/account.ts';
import { movementsWhere } from '../movements.ts';
import type { Sql } from '../sql.ts';
import { jsonLines, literal, mapped, table, time } from './output.ts';
import { PAGE } from './select.ts';

/** All of them, oldest first, a page at a time. */
async function* selectMovements(sql: Sql): AsyncGenerator<readonly Movement[]> {
  for (let seq = 0; ; ) {
    const page = await movementsWhere(sql, 'later.seq > :seq', { seq }, PAGE);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    seq = last.seq;
  }
}

/** `known`: who has said of money that left for no purchase that they know about it. */
function fields({ from, to, before, after, difference, kind, purchases, known }: Movement) {
  const said = known ? { ...known, at: time(known.at) } : null;
  return { from: time(from), to: time(to), before, after, difference, kind, purchases, known: said };
}

const HEAD = ['FROM (UTC)', 'TO (UTC)', 'BEFORE', 'AFTER', 'DIFFERENCE', 'KIND', 'PURCHASES', 'KNOWN'];

function tableRow({
  from,
  to,
  before,
  after,
  difference,
  kind,
  purchases,
  known,
}: ReturnType<typeof fields>): string[] {
  const seconds = (at: string) => at.slice(0, 19).replace('T', ' ');
  const said = known ? `${literal(known.by)} ${seconds(known.at)}: ${literal(known.note)}` : '-';
  return [seconds(from), seconds(to), before, after, difference, kind, purchases.join(', ') || '-', said];
}

export function movementTexts(sql: Sql, json: boolean): AsyncGenerator<string> {
  const pages = mapped(selectMovements(sql), fields);
  return json ? jsonLines(pages) : table(HEAD, tableRow, pages);
}
