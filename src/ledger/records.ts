import type { PurchaseRecord } from '../purchasing/ports/ledger.ts';
import { toEntry, toPurchase } from './rows.ts';
import { one, type Sql } from './sql.ts';

export async function readRecord(sql: Sql, id: string): Promise<PurchaseRecord | undefined> {
  const row = await one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
  if (!row) return undefined;
  const entries = await sql.all('SELECT * FROM entries WHERE purchase_id = :id ORDER BY seq', { id });
  return { purchase: toPurchase(row), entries: entries.map(toEntry) };
}
