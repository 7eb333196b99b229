import { number, text, textOrNull } from '../rows.ts';
import { pages, type Row, type Sql } from '../sql.ts';
import { jsonLine, jsonLines, literal, mapped, time } from './output.ts';
import { PAGE } from './select.ts';

/** Lines of the ledger that belong to no purchase: imports and what people said about orders and falls of the balance, saved baskets, freezes. */
export interface Said {
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly orderId: string | null;
  /** When the balance was read whose fall it is about: the `to` of a movement. */
  readonly fellAt: string | null;
  readonly kind: string;
  readonly detail: object;
}

/** Oldest first, a page at a time. @param orderId about this order alone */
export async function* selectSaid(sql: Sql, orderId: string | null = null): AsyncGenerator<readonly Said[]> {
  const known = await columns(sql);
  if (orderId !== null && !known.has('order_id')) return;
  const fell = known.has('reading') ? '(SELECT at FROM balance_readings WHERE seq = entries.reading)' : 'NULL';
  const which = orderId === null ? 'purchase_id IS NULL' : 'order_id = :order_id';
  const params = orderId === null ? {} : { order_id: orderId };
  const statement = `SELECT *, ${fell} AS fell_at FROM entries WHERE ${which} AND seq > :after ORDER BY seq LIMIT :page`;
  for await (const rows of pages(sql, statement, params, { page: PAGE })) yield rows.map(toSaid);
}

/** As it was written, whatever a newer version has added. */
function toSaid(row: Row): Said {
  return {
    seq: number(row, 'seq'),
    at: time(number(row, 'at')),
    by: text(row, 'by'),
    orderId: row['order_id'] === undefined ? null : textOrNull(row, 'order_id'),
    fellAt: time(row['fell_at'] === null ? null : number(row, 'fell_at')),
    kind: text(row, 'kind'),
    detail: JSON.parse(text(row, 'detail')) as object,
  };
}

/** A ledger of an earlier version, opened for reading, has not all of them. */
async function columns(sql: Sql): Promise<ReadonlySet<string>> {
  const [any = {}] = await sql.all('SELECT * FROM entries LIMIT 1');
  return new Set(Object.keys(any));
}

export function saidTexts(sql: Sql, json: boolean): AsyncGenerator<string> {
  const all = selectSaid(sql);
  return json ? jsonLines(mapped(all, saidFields)) : lines(all);
}

async function* lines(pages: AsyncIterable<readonly Said[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map(saidText).join('');
}

export function saidFields({ detail, ...line }: Said) {
  return { ...line, ...detail };
}

export function saidText({ at, by, orderId, fellAt, kind, detail }: Said): string {
  const about = orderId !== null ? `order ${orderId}  ` : fellAt !== null ? `fall of ${fellAt}  ` : '';
  return `${at}  ${literal(by)}  ${about}${kind}  ${jsonLine(detail)}`;
}
