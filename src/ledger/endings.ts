import type { EndingOrder, ReminderFacts, ReminderLine } from '../purchasing/model/end-reminder.ts';
import { KEPT } from '../purchasing/model/filing.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import { OPEN_STATES } from '../purchasing/model/purchase.ts';
import type { Endings } from '../purchasing/ports/endings.ts';
import { orderFactsOf } from './order-facts.ts';
import { insertNotice } from './outbox.ts';
import { number, numberOrNull, text, textOrNull, toPurchase } from './rows.ts';
import { type Database, list, one, PAGE, type Row, runOne, type Sql } from './sql.ts';

export function createEndings(database: Database): Endings {
  return {
    between: (from, until) =>
      database.read(async (sql) => {
        const found: EndingOrder[] = [];
        const all = byEnd(
          sql,
          `SELECT o.order_id, o.owner, o.ends_at, o.again, ${LAST_RUNG} AS last FROM orders o WHERE ${NEXT}`,
          from,
          until,
        );
        for await (const rows of all) found.push(...rows.map(toEnding));
        return found;
      }),

    isWritten: (key) => database.read((sql) => isWritten(sql, key)),

    remind: (key, ids, decide) =>
      database.write(async (sql) => {
        const orders: ReminderFacts['orders'][number][] = [];
        for (const facts of await orderFactsOf(sql, ids)) {
          const row = await one(sql, `SELECT ${LAST_RUNG} AS last FROM orders o WHERE o.order_id = :order_id`, {
            order_id: facts.orderId,
          });
          orders.push({ facts, last: row ? numberOrNull(row, 'last') : null });
        }
        const { notice, lines } = decide({
          now: await sql.now(),
          written: await isWritten(sql, key),
          orders,
        });
        for (const { told, ...line } of lines) await insertLine(sql, line, told ? key : null);
        if (notice) await insertNotice(sql, notice, null);
        return notice !== null;
      }),

    rowsOf: (key) =>
      database.read(async (sql) => {
        const lines = await sql.all(
          'SELECT * FROM order_reminders WHERE reminder = :reminder ORDER BY ends_at, order_id',
          { reminder: key },
        );
        const orders = await orderFactsOf(
          sql,
          lines.map((line) => text(line, 'order_id') as OrderId),
        );
        const found = [];
        for (const [index, line] of lines.entries()) {
          const facts = orders[index];
          if (facts) found.push({ ...toLine(line), facts, renewal: await openRenewal(sql, facts.orderId) });
        }
        return found;
      }),

    toldIn: (orderId) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          `SELECT DISTINCT n.channel FROM order_reminders r JOIN notices n ON n.text = r.reminder AND n.kind = 'ending'
           WHERE r.order_id = :order_id AND n.channel IS NOT NULL`,
          { order_id: orderId },
        );
        return rows.map((row) => text(row, 'channel'));
      }),

    kept: (from, until) =>
      database.read(async (sql) => {
        const ids: OrderId[] = [];
        const all = byEnd(
          sql,
          `SELECT o.order_id, o.ends_at,
             EXISTS (SELECT 1 FROM purchases WHERE submission = '${KEPT}' || o.order_id || ':' || CAST(o.ends_at AS TEXT))
             OR EXISTS (
               SELECT 1 FROM purchases p WHERE p.order_id = o.order_id AND p.kind = 'renew' AND p.state IN (${list(OPEN_STATES)})) AS filed
           FROM orders o WHERE o.intent = 'keep' AND ${NEXT}`,
          from,
          until,
        );
        for await (const rows of all)
          ids.push(...rows.filter((row) => !row['filed']).map((row) => text(row, 'order_id') as OrderId));
        return orderFactsOf(sql, ids);
      }),
  };
}

const NEXT = '(o.ends_at, o.order_id) > (:at, :id) AND o.ends_at <= :until ORDER BY o.ends_at, o.order_id LIMIT :page';

/** Orders that end within these times, the soonest first, a page at a time. */
async function* byEnd(sql: Sql, statement: string, from: number, until: number): AsyncGenerator<readonly Row[]> {
  // No id is empty.
  for (let at = from, id = ''; ; ) {
    const rows = await sql.all(statement, { at, id, until, page: PAGE });
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < PAGE) return;
    [at, id] = [number(last, 'ends_at'), text(last, 'order_id')];
  }
}

/** Of the end that the order has now. */
const LAST_RUNG = '(SELECT MIN(rung) FROM order_reminders r WHERE r.order_id = o.order_id AND r.ends_at = o.ends_at)';

async function isWritten(sql: Sql, key: string): Promise<boolean> {
  return (await one(sql, 'SELECT 1 AS written FROM notices WHERE key = :key', { key })) !== undefined;
}

async function insertLine(
  sql: Sql,
  { orderId, owner, endsAt, rung }: ReminderLine,
  reminder: string | null,
): Promise<void> {
  await runOne(
    sql,
    `INSERT INTO order_reminders (order_id, ends_at, rung, owner, reminder)
     VALUES (:order_id, :ends_at, :rung, :owner, :reminder)`,
    { order_id: orderId, ends_at: endsAt, rung, owner, reminder },
  );
}

async function openRenewal(sql: Sql, orderId: OrderId) {
  const row = await one(
    sql,
    `SELECT * FROM purchases WHERE order_id = :order_id AND kind = 'renew' AND state IN (${list(OPEN_STATES)})
     ORDER BY seq DESC LIMIT 1`,
    { order_id: orderId },
  );
  return row ? toPurchase(row) : null;
}

function toEnding(row: Row): EndingOrder {
  return {
    orderId: text(row, 'order_id') as OrderId,
    owner: textOrNull(row, 'owner'),
    endsAt: number(row, 'ends_at'),
    again: numberOrNull(row, 'again'),
    last: numberOrNull(row, 'last'),
  };
}

function toLine(row: Row): ReminderLine {
  return {
    orderId: text(row, 'order_id') as OrderId,
    owner: textOrNull(row, 'owner'),
    endsAt: number(row, 'ends_at'),
    rung: number(row, 'rung'),
  };
}
