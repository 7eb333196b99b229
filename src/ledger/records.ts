import { type ExpectedCost, expectedThen } from '../purchasing/model/cost.ts';
import type { Entry } from '../purchasing/model/entries.ts';
import type { Purchase } from '../purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../purchasing/ports/ledger.ts';
import { filingDetail, json } from './json-columns.ts';
import { text, toEntry, toPurchase } from './rows.ts';
import { anyOf, inParts, one, type Sql } from './sql.ts';

export async function readRecord(sql: Sql, id: string): Promise<PurchaseRecord | undefined> {
  const row = await one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
  if (!row) return undefined;
  const entries = await sql.all('SELECT * FROM entries WHERE purchase_id = :id ORDER BY seq', { id });
  return { purchase: toPurchase(row), entries: entries.map(toEntry) };
}

/** Each with its transitions and readings; not with the vendor's answers, which may be large. */
export async function* readInShort(
  sql: Sql,
  pages: AsyncIterable<readonly Purchase[]>,
): AsyncGenerator<readonly PurchaseRecord[]> {
  for await (const page of pages) {
    const { list, params } = anyOf(page.map(({ id }) => id));
    const rows = await sql.all(
      `SELECT * FROM entries WHERE kind IN ('transition', 'reading') AND purchase_id IN (${list}) ORDER BY seq`,
      params,
    );
    const entries = Map.groupBy(rows, (row) => row['purchase_id']);
    yield page.map((purchase) => ({ purchase, entries: (entries.get(purchase.id) ?? []).map(toEntry) }));
  }
}

/** What was expected when they were filed, by id; of one that was filed by an earlier version, or put back, nothing is known. */
export async function costsAtFiling(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, ExpectedCost>> {
  const costs = new Map<string, ExpectedCost>();
  for (const some of inParts(ids)) {
    const { list: those, params } = anyOf(some, 'id');
    const rows = await sql.all(
      `SELECT e.purchase_id, e.detail FROM entries e
       WHERE e.purchase_id IN (${those}) AND e.seq = (SELECT MIN(f.seq) FROM entries f WHERE f.purchase_id = e.purchase_id)`,
      params,
    );
    for (const row of rows) {
      const { cost } = json(row, 'detail', filingDetail);
      if (cost) costs.set(text(row, 'purchase_id'), expectedThen(cost));
    }
  }
  return costs;
}

/** What was said about a purchase; what is said about a batch is kept with its first row. */
export async function talkAbout(sql: Sql, id: string): Promise<readonly Entry[]> {
  const rows = await sql.all(
    `SELECT * FROM entries WHERE purchase_id = :id AND kind IN ('nudge', 'question', 'question_answered') ORDER BY seq`,
    { id },
  );
  return rows.map(toEntry);
}
