import { isKept } from '../purchasing/model/filing.ts';
import type { OrderEntry, OrderFacts } from '../purchasing/model/order.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import { OPEN_STATES, type Purchase } from '../purchasing/model/purchase.ts';
import { toOrderEntry, toPurchase } from './rows.ts';
import { anyOf, inParts, list, type Sql, sifted } from './sql.ts';

/** Everything that the ledger holds about these orders, in the order asked for; of one that it has never seen, nothing. */
export async function orderFactsOf(sql: Sql, ids: readonly OrderId[]): Promise<readonly OrderFacts[]> {
  const found: OrderFacts[] = [];
  for (const some of inParts(ids)) {
    const { list, params } = anyOf(some);
    const paid = await sql.all(
      `SELECT * FROM purchases WHERE order_id IN (${list}) AND ${sifted(`state = 'completed'`)} ORDER BY seq`,
      params,
    );
    const said = await sql.all(`SELECT * FROM entries WHERE order_id IN (${list}) ORDER BY seq`, params);
    const purchases = Map.groupBy(paid.map(toPurchase), ({ orderId }) => orderId);
    const entries = Map.groupBy(said, (row) => row['order_id']);
    for (const id of some) found.push(factsOf(id, purchases.get(id) ?? [], (entries.get(id) ?? []).map(toOrderEntry)));
  }
  return found;
}

/** As {@link OrderChangeFacts.keptRenewals}. */
export async function openKeptRenewals(sql: Sql, ids: readonly OrderId[]): Promise<readonly Purchase[]> {
  const found: Purchase[] = [];
  for (const some of inParts(ids)) {
    const { list: those, params } = anyOf(some);
    const rows = await sql.all(
      `SELECT * FROM purchases WHERE order_id IN (${those}) AND kind = 'renew' AND state IN (${list(OPEN_STATES)}) ORDER BY seq`,
      params,
    );
    found.push(...rows.map(toPurchase).filter(isKept));
  }
  return found;
}

function factsOf(orderId: OrderId, paid: readonly Purchase[], entries: readonly OrderEntry[]): OrderFacts {
  return {
    orderId,
    bought: paid.find(({ kind }) => kind === 'buy') ?? null,
    renewals: paid.filter(({ kind }) => kind === 'renew'),
    entries,
  };
}

export async function orderFacts(sql: Sql, orderId: OrderId): Promise<OrderFacts> {
  const [facts] = await orderFactsOf(sql, [orderId]);
  return facts ?? factsOf(orderId, [], []);
}
