import type { Purchase, State } from '../purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../purchasing/ports/ledger.ts';
import { toEntry, toPurchase } from './rows.ts';
import { one, type Sql } from './sql.ts';

export async function readRecord(sql: Sql, id: string): Promise<PurchaseRecord | undefined> {
  const row = await one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
  if (!row) return undefined;
  const entries = await sql.all('SELECT * FROM entries WHERE purchase_id = :id ORDER BY seq', { id });
  return { purchase: toPurchase(row), entries: entries.map(toEntry) };
}

/** Every purchase with its transitions and readings, oldest first; not with the vendor's answers, which may be large. */
export async function readRecordsInShort(sql: Sql): Promise<readonly PurchaseRecord[]> {
  const rows = await sql.all(`SELECT * FROM entries WHERE kind IN ('transition', 'reading') ORDER BY seq`);
  const entries = Map.groupBy(rows, (row) => row['purchase_id']);
  const purchases = await readPurchases(sql, null, null);
  return purchases.map((purchase) => ({ purchase, entries: (entries.get(purchase.id) ?? []).map(toEntry) }));
}

/** The newest that match, oldest first. Null: of every state; all of them. */
export async function readPurchases(sql: Sql, state: State | null, limit: number | null): Promise<readonly Purchase[]> {
  const rows = await sql.all(
    `SELECT * FROM purchases WHERE COALESCE(:state, state) = state ORDER BY seq DESC LIMIT :limit`,
    { state, limit: limit ?? Number.MAX_SAFE_INTEGER },
  );
  return rows.reverse().map(toPurchase);
}
