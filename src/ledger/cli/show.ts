import type { PurchaseRecord } from '../../purchasing/ports/ledger.ts';
import { readRecord } from '../records.ts';
import type { Sql } from '../sql.ts';
import { EVERYTHING, orderIdOf } from './filter.ts';
import { jsonLine, recordJson, recordText } from './output.ts';
import { type Said, saidFields, saidText, selectSaid } from './said.ts';
import { selectPurchases } from './select.ts';

/** A purchase by its own id; all purchases of an order, with what people said about it; or all of a batch, one after the other. */
export async function* show(
  sql: Sql,
  { id, json }: { readonly id: string; readonly json: boolean },
): AsyncGenerator<string> {
  let found = 0;
  for await (const record of recordsOf(sql, id)) {
    if (json) yield recordJson(record);
    else yield `${found > 0 ? '\n' : ''}${recordText(record)}`;
    found += 1;
  }
  const said = await saidOf(sql, id);
  if (said.length > 0) yield saidOfOrder(said, json, found > 0);
  if (found === 0 && said.length === 0)
    throw new Error(`there is no purchase ${id}${orderIdOf(id) === null ? '' : `, nor one of an order ${id}`}`);
}

/** Nothing for what is no order id: a purchase's own id is never digits. */
async function saidOf(sql: Sql, id: string): Promise<readonly Said[]> {
  const orderId = orderIdOf(id);
  return orderId === null ? [] : (await Array.fromAsync(selectSaid(sql, orderId))).flat();
}

function saidOfOrder(said: readonly Said[], json: boolean, after: boolean): string {
  const orderId = said[0]?.orderId;
  if (json) return jsonLine({ orderId, entries: said.map(saidFields) });
  return `${after ? '\n' : ''}order ${orderId}\n\n${said.map(saidText).join('')}`;
}

async function* recordsOf(sql: Sql, id: string): AsyncGenerator<PurchaseRecord> {
  const own = await readRecord(sql, id);
  if (own) {
    yield own;
    return;
  }
  const orderId = orderIdOf(id);
  if (orderId === null && !(await knowsBatches(sql))) return;
  const which = orderId === null ? { batchId: id } : { orderId };
  for await (const page of selectPurchases(sql, { ...EVERYTHING, ...which }))
    for (const purchase of page) {
      const record = await readRecord(sql, purchase.id);
      if (record) yield record;
    }
}

/** A ledger of an earlier version, opened for reading, has none. */
async function knowsBatches(sql: Sql): Promise<boolean> {
  const [any] = await sql.all('SELECT * FROM purchases LIMIT 1');
  return any !== undefined && 'batch_id' in any;
}
