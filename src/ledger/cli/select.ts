import type { Purchase } from '../../purchasing/model/purchase.ts';
import { number, toPurchase } from '../rows.ts';
import { list, one, type Params, pages, type Sql } from '../sql.ts';
import type { Filter } from './filter.ts';

/** So many are held at once, however many there are. */
export const PAGE = 200;

/** The purchases that are wanted, oldest first, a page at a time. */
export async function* selectPurchases(sql: Sql, filter: Filter): AsyncGenerator<readonly Purchase[]> {
  const { condition, params } = where(filter);
  const statement = `SELECT * FROM purchases WHERE seq > :after AND ${condition} ORDER BY seq LIMIT :page`;
  const from = await beforeNewest(sql, filter);
  for await (const rows of pages(sql, statement, params, { from, page: PAGE })) yield rows.map(toPurchase);
}

/** The place before the first of the newest that are wanted. */
async function beforeNewest(sql: Sql, filter: Filter): Promise<number> {
  if (filter.limit === null) return 0;
  const { condition, params } = where(filter);
  const row = await one(
    sql,
    `SELECT COALESCE(MIN(seq), 1) AS first FROM (
       SELECT seq FROM purchases WHERE ${condition} ORDER BY seq DESC LIMIT :limit) AS newest`,
    { ...params, limit: filter.limit },
  );
  return number(row ?? {}, 'first') - 1;
}

function where({ states, person, orderId, batchId, since }: Filter): {
  readonly condition: string;
  readonly params: Params;
} {
  const parts = [
    ...(states === null ? [] : [`state IN (${list(states)})`]),
    ...(person === null ? [] : ['(requester = :person OR requester_person = :person)']),
    ...(orderId === null ? [] : ['order_id = :order_id']),
    ...(batchId === null ? [] : ['batch_id = :batch_id']),
    ...(since === null ? [] : ['created_at >= :since']),
  ];
  return {
    condition: parts.length === 0 ? '1 = 1' : parts.join(' AND '),
    params: {
      ...(person !== null && { person }),
      ...(orderId !== null && { order_id: orderId }),
      ...(batchId !== null && { batch_id: batchId }),
      ...(since !== null && { since }),
    },
  };
}
