import { keptSubmission } from '../purchasing/model/filing.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import { COUNTED_AT_MOST, type OrderQuery, type Orders } from '../purchasing/ports/orders.ts';
import { orderOf } from '../purchasing/rules/orders.ts';
import { compareAndSet, insertEntries } from './changes.ts';
import { deliveredBefore, keepClick } from './clicks.ts';
import { openKeptRenewals, orderFactsOf } from './order-facts.ts';
import { insertNotice, redrawOrders } from './outbox.ts';
import { number, text, toPurchase } from './rows.ts';
import { anyOf, type Database, insertRows, one, type Params, type Sql } from './sql.ts';

/** Stands for an end that is not known: later than any other. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** Orders computed again in one transaction: others wait meanwhile. */
const REFRESHED_AT_ONCE = 500;

/** The order book on any database; what it finds orders by is computed from the ledger's lines, in the transaction that writes them. */
export function createOrders(database: Database): Orders {
  return {
    page: (query, offset, limit) =>
      database.read(async (sql) => {
        const now = await sql.now();
        const { those, order, params } = selection(query, now);
        const rows = await sql.all(
          `SELECT order_id FROM (${those}) AS counted ORDER BY ${order} LIMIT :limit OFFSET :offset`,
          { ...params, most: offset + limit, limit, offset },
        );
        const most = offset + COUNTED_AT_MOST;
        const count = await one(sql, `SELECT COUNT(*) AS total FROM (${those}) AS counted`, { ...params, most });
        const orders = await orderFactsOf(
          sql,
          rows.map((row) => text(row, 'order_id') as OrderId),
        );
        const total = Math.min(number(count ?? {}, 'total'), most);
        return { orders, total, more: total === most, now };
      }),

    startingWith: (digits, limit) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          `SELECT order_id FROM orders WHERE order_id >= :digits AND order_id < :beyond ORDER BY order_id LIMIT :limit`,
          { digits, beyond: afterAllOf(digits), limit },
        );
        return orderFactsOf(
          sql,
          rows.map((row) => text(row, 'order_id') as OrderId),
        );
      }),

    unnamed: (limit) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          `SELECT * FROM purchases WHERE kind = 'buy' AND state = 'completed' AND order_id IS NULL ORDER BY seq LIMIT :limit`,
          { limit },
        );
        return rows.map(toPurchase);
      }),

    look: (ids) => database.read(async (sql) => ({ now: await sql.now(), orders: await orderFactsOf(sql, ids) })),

    keptRenewal: (orderId, endsAt) =>
      database.read(async (sql) => {
        const submission = keptSubmission(orderId, endsAt);
        const row = await one(sql, 'SELECT * FROM purchases WHERE submission = :submission', { submission });
        return row ? toPurchase(row) : null;
      }),

    change: (ids, decide, click) =>
      database.write(async (sql) => {
        const now = await sql.now();
        const orders = await orderFactsOf(sql, ids);
        const keptRenewals = await openKeptRenewals(sql, ids);
        const change = decide({ now, orders, keptRenewals, deliveredBefore: await deliveredBefore(sql, click) });
        const entries = (change.entries ?? []).map(({ orderId, ...entry }) => ({
          ...entry,
          of: { order_id: orderId },
        }));
        await insertEntries(sql, entries, now);
        for (const of of change.purchases ?? []) await compareAndSet(sql, of.purchase, of.change, now);
        for (const notice of change.notices ?? []) await insertNotice(sql, notice, null);
        await keepClick(sql, click, change.click);
        while (await refreshOrders(sql));
        return change.result;
      }),

    async refresh() {
      const stale = (sql: Sql) => one(sql, 'SELECT 1 AS stale FROM stale_orders LIMIT 1');
      if (!(await database.read(stale))) return false;
      await database.write(refreshOrders);
      return true;
    },
  };
}

/** What follows every id that begins with these digits; databases agree on the order of digits, and that letters follow them. */
function afterAllOf(digits: OrderId): string {
  return /^9+$/.test(digits) ? 'a' : String(BigInt(digits) + 1n);
}

/** As far as is asked for, each owner's by themselves: so an index has them in order, and nobody's are read to the end. */
function selection({ which, endingWithinMs, owners, country }: OrderQuery, now: number) {
  const { between, params, direction } = {
    running: { between: 'o.ends_at > :now', params: { now }, direction: 'ASC' },
    ending: {
      between: 'o.ends_at > :now AND o.ends_at <= :until',
      params: { now, until: now + endingWithinMs },
      direction: 'ASC',
    },
    ended: { between: 'o.ends_at <= :now', params: { now }, direction: 'DESC' },
    all: { between: 'o.ends_at >= 0', params: {}, direction: 'DESC' },
  }[which];
  const order = `ends_at ${direction}, order_id ${direction}`;
  const there = country === undefined ? '' : ' AND o.country = :country';
  const owned = anyOf(owners ?? [], 'owner').params;
  const names = Object.keys(owned).map((name) => ` AND o.owner = :${name}`);
  const whose = owners === undefined ? [''] : names.length === 0 ? [' AND o.owner IS NULL AND 1 = 0'] : names;
  const those = whose.map(
    (theirs) =>
      `SELECT * FROM (SELECT o.order_id, o.ends_at FROM ${country === undefined ? 'orders' : 'order_countries'} o
         WHERE ${between}${theirs}${there} ORDER BY ${order} LIMIT :most) AS counted`,
  );
  return {
    those: those.join(' UNION ALL '),
    order,
    params: { ...params, ...owned, ...(country === undefined ? {} : { country }) } satisfies Params,
  };
}

/**
 * Computes anew what the book finds orders by, for those of which something was written.
 * @returns whether there may be more.
 */
export async function refreshOrders(sql: Sql): Promise<boolean> {
  const stale = await sql.all('SELECT order_id FROM stale_orders ORDER BY order_id LIMIT :limit', {
    limit: REFRESHED_AT_ONCE,
  });
  const ids = stale.map((row) => text(row, 'order_id') as OrderId);
  if (ids.length === 0) return false;
  const orders = (await orderFactsOf(sql, ids)).map(orderOf);
  await redrawOrders(sql, ids);
  const { list, params } = anyOf(ids);
  for (const table of ['stale_orders', 'order_countries', 'orders'])
    await sql.run(`DELETE FROM ${table} WHERE order_id IN (${list})`, params);
  const known = orders.flatMap((order) => (order ? { ...order, ends_at: order.endsAt ?? NO_END } : []));
  await insertRows(
    sql,
    'orders',
    known.map(({ orderId, owner, intent, ends_at, remindAgain }) => ({
      order_id: orderId,
      owner,
      intent,
      ends_at,
      again: remindAgain,
    })),
  );
  await insertRows(
    sql,
    'order_countries',
    known.flatMap(({ orderId, basket, ends_at }) =>
      basket.map(({ country }) => ({ country, ends_at, order_id: orderId })),
    ),
  );
  return ids.length === REFRESHED_AT_ONCE;
}
