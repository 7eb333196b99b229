import type { Order } from '../../purchasing/model/order.ts';
import type { OrderId } from '../../purchasing/model/order-id.ts';
import { orderOf, orderState } from '../../purchasing/rules/orders.ts';
import { orderFactsOf } from '../order-facts.ts';
import { text as textIn } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { basketText, type Column, csv, exact, jsonLines, literal, mapped, table, text, time } from './output.ts';
import { PAGE } from './select.ts';

/** Every order that the ledger's lines name, by its id, a page at a time; not by what the bot finds orders by, which is only computed from them. */
async function* selectOrders(sql: Sql): AsyncGenerator<readonly Order[]> {
  for (let after = ''; ; ) {
    const named = (table: string, condition: string) =>
      `SELECT * FROM (SELECT DISTINCT order_id FROM ${table} WHERE order_id > :after AND ${condition} ORDER BY order_id LIMIT :page) AS ${table}_of`;
    const rows = await sql.all(
      `SELECT order_id FROM (${named('purchases', "state = 'completed'")} UNION ${named('entries', '1 = 1')}) AS named
       ORDER BY order_id LIMIT :page`,
      { after, page: PAGE },
    );
    const ids = rows.map((row) => textIn(row, 'order_id') as OrderId);
    after = ids.at(-1) ?? after;
    const found = await orderFactsOf(sql, ids);
    yield found.map(orderOf).filter((order) => order !== null);
    if (ids.length < PAGE) return;
  }
}

type Fields = ReturnType<typeof orderFields>;

function orderFields(order: Order, now: number, endingWithinMs: number) {
  return {
    orderId: order.orderId,
    plan: order.plan.productId,
    basket: order.basket,
    quantity: order.quantity,
    owner: order.owner,
    note: order.note,
    boughtAt: time(order.boughtAt),
    renewals: order.renewals,
    endsAt: time(order.endsAt),
    state: orderState(order, now, endingWithinMs),
    source: order.source,
  };
}

const COLUMNS: readonly Column<Fields>[] = [
  ['order_id', ({ orderId }) => ({ digits: orderId })],
  ['plan', ({ plan }) => text(plan)],
  ['basket', ({ basket }) => text(basketText(basket))],
  ['quantity', ({ quantity }) => exact(quantity)],
  ['owner', ({ owner }) => text(owner)],
  ['note', ({ note }) => text(note)],
  ['bought_at', ({ boughtAt }) => text(boughtAt)],
  ['renewals', ({ renewals }) => exact(renewals)],
  ['ends_at', ({ endsAt }) => text(endsAt)],
  ['state', ({ state }) => text(state)],
  ['source', ({ source }) => text(source)],
];

const HEAD = ['ORDER', 'ENDS (UTC, COMPUTED)', 'STATE', 'OWNER', 'PLAN', 'RENEWALS', 'IPS', 'NOTE'];

function tableRow({ orderId, endsAt, state, owner, plan, renewals, basket, note }: Fields): string[] {
  return [
    orderId,
    endsAt?.slice(0, 16).replace('T', ' ') ?? '-',
    state,
    owner ?? '-',
    literal(plan),
    String(renewals),
    basketText(basket) || '-',
    literal(note ?? ''),
  ];
}

export type OrdersFormat = 'table' | 'json' | 'csv';

/** @param endingWithinMs an order whose end is as near as that is `ending` */
export async function* orderTexts(sql: Sql, format: OrdersFormat, endingWithinMs: number): AsyncGenerator<string> {
  const now = await sql.now();
  const pages = mapped(selectOrders(sql), (order) => orderFields(order, now, endingWithinMs));
  switch (format) {
    case 'table':
      return yield* table(HEAD, tableRow, pages);
    case 'json':
      return yield* jsonLines(pages);
    case 'csv':
      return yield* csv(COLUMNS, pages);
    default:
      return format satisfies never;
  }
}
