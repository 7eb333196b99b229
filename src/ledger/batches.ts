import { alone, type Batch, type BatchRecord } from '../purchasing/model/batch.ts';
import type { NewBatch } from '../purchasing/model/batch-change.ts';
import { owedByBatch } from '../purchasing/model/outbox.ts';
import type { Purchase } from '../purchasing/model/purchase.ts';
import { insertNotice } from './outbox.ts';
import { costsAtFiling, talkAbout } from './records.ts';
import { number, text, toPurchase } from './rows.ts';
import { one, type Row, runOne, type Sql } from './sql.ts';

// What the ledger holds of batches; their rows are purchases.

export async function readBatch(sql: Sql, id: string): Promise<Batch | undefined> {
  return batchOf(sql, await one(sql, 'SELECT * FROM batches WHERE id = :id', { id }));
}

/** With what is shown of it besides. */
export async function readBatchRecord(sql: Sql, id: string): Promise<BatchRecord | undefined> {
  const batch = await readBatch(sql, id);
  const [first] = batch?.rows ?? [];
  if (!batch || !first) return undefined;
  const answered = await sql.all(
    `SELECT e.purchase_id FROM purchases p JOIN entries e ON e.purchase_id = p.id
     WHERE p.batch_id = :id AND e.kind = 'answer' AND e.detail LIKE :has_body AND e.detail NOT LIKE :is_empty`,
    { id, has_body: '%"rawBody":"%', is_empty: '%"rawBody":""%' },
  );
  const rows = new Set(answered.map((row) => text(row, 'purchase_id')));
  const costs = await costsAtFiling(
    sql,
    batch.rows.map((row) => row.id),
  );
  return { ...batch, talk: await talkAbout(sql, first.id), answered: rows, costs };
}

/** What people talk about, a purchase that was asked for alone or a batch, and what its notices belong to. */
export async function readAsked(
  sql: Sql,
  id: string,
): Promise<{ readonly about: Batch; readonly purchaseId: string | null; readonly batchId: string | null } | undefined> {
  const row = await one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
  if (row) return { about: alone(toPurchase(row)), purchaseId: id, batchId: null };
  const batch = await readBatch(sql, id);
  return batch && { about: batch, purchaseId: null, batchId: id };
}

export async function batchOf(sql: Sql, row: Row | undefined): Promise<Batch | undefined> {
  if (!row) return undefined;
  const id = text(row, 'id');
  return {
    id,
    requester: text(row, 'requester'),
    requesterPerson: text(row, 'requester_person'),
    createdAt: number(row, 'created_at'),
    rows: await readRows(sql, id),
  };
}

async function readRows(sql: Sql, id: string): Promise<readonly Purchase[]> {
  return (await sql.all('SELECT * FROM purchases WHERE batch_id = :id ORDER BY batch_place', { id })).map(toPurchase);
}

export async function siblingsOf(sql: Sql, { id, batch }: Purchase): Promise<readonly Purchase[]> {
  return batch === null ? [] : (await readRows(sql, batch.id)).filter((row) => row.id !== id);
}

export async function insertBatch(
  sql: Sql,
  { id, submission, requester, requesterPerson, createdAt, rows, notices }: NewBatch,
  insertRow: (row: NewBatch['rows'][number]) => Promise<void>,
): Promise<void> {
  await runOne(
    sql,
    `INSERT INTO batches (id, submission, requester, requester_person, created_at)
     VALUES (:id, :submission, :requester, :requester_person, :created_at)`,
    { id, submission, requester, requester_person: requesterPerson, created_at: createdAt },
  );
  for (const row of rows) await insertRow(row);
  for (const notice of notices) await insertNotice(sql, notice, null, id);
}

/** After a row has moved. */
export async function oweNewsOfBatch(sql: Sql, { id, batch: of }: Purchase): Promise<void> {
  const rows = of === null ? [] : await readRows(sql, of.id);
  const moved = rows.find((row) => row.id === id);
  if (of === null || !moved) return;
  for (const notice of owedByBatch({ id: of.id, rows }, moved)) await insertNotice(sql, notice, null, of.id);
}
