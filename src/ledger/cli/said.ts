import { number, text, textOrNull } from '../rows.ts';
import type { Row, Sql } from '../sql.ts';
import { jsonLine, jsonLines, literal, mapped, time } from './output.ts';
import { PAGE } from './select.ts';

/** Lines of the ledger that belong to no purchase: imports and what people said about orders, saved baskets, freezes. */
export interface Said {
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly orderId: string | null;
  readonly kind: string;
  readonly detail: object;
}

/** Oldest first, a page at a time. @param orderId about this order alone */
export async function* selectSaid(sql: Sql, orderId: string | null = null): AsyncGenerator<readonly Said[]> {
  const isOfOrder = await knowsOrders(sql);
  if (orderId !== null && !isOfOrder) return;
  const which = orderId === null ? 'purchase_id IS NULL' : 'order_id = :order_id';
  for (let after = 0; ; ) {
    const rows = await sql.all(`SELECT * FROM entries WHERE ${which} AND seq > :after ORDER BY seq LIMIT :page`, {
      ...(orderId === null ? {} : { order_id: orderId }),
      after,
      page: PAGE,
    });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => toSaid(row, isOfOrder));
    after = number(last, 'seq');
  }
}

/** As it was written, whatever a newer version has added. */
function toSaid(row: Row, isOfOrder: boolean): Said {
  return {
    seq: number(row, 'seq'),
    at: time(number(row, 'at')),
    by: text(row, 'by'),
    orderId: isOfOrder ? textOrNull(row, 'order_id') : null,
    kind: text(row, 'kind'),
    detail: JSON.parse(text(row, 'detail')) as object,
  };
}

/** A ledger of an earlier version, opened for reading, has none. */
async function knowsOrders(sql: Sql): Promise<boolean> {
  const [any] = await sql.all('SELECT * FROM entries LIMIT 1');
  return any !== undefined && 'order_id' in any;
}

export function saidTexts(sql: Sql, json: boolean): AsyncGenerator<string> {
  const pages = selectSaid(sql);
  return json ? jsonLines(mapped(pages, saidFields)) : lines(pages);
}

async function* lines(pages: AsyncIterable<readonly Said[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map(saidText).join('');
}

export function saidFields({ detail, ...line }: Said) {
  return { ...line, ...detail };
}

export function saidText({ at, by, orderId, kind, detail }: Said): string {
  const about = orderId === null ? '' : `order ${orderId}  `;
  return `${at}  ${literal(by)}  ${about}${kind}  ${jsonLine(detail)}`;
}
