import { DatabaseSync } from 'node:sqlite';
import { EVERYTHING } from '../../src/ledger/cli/filter.ts';
import { purchaseCsv, purchaseLines, purchaseTable } from '../../src/ledger/cli/output.ts';
import { selectPurchases } from '../../src/ledger/cli/select.ts';
import { readInShort } from '../../src/ledger/records.ts';
import type { Row, Sql } from '../../src/ledger/sql.ts';
import { MONTHLY } from '../support/plan.ts';
import { START } from './purchases.ts';

/** One statement that files so many purchases, `p1` first, in either database. */
export function fileMany(count: number): string {
  return `INSERT INTO purchases (id, kind, state, requester, requester_person, plan, basket, quantity, reason, submission,
      content_key, needs_approval, created_at, expires_at, changed_at, changed_by, evidence)
    SELECT 'p' || n, 'buy', 'requested', 'U0ANN', 'U0ANN', '${JSON.stringify(MONTHLY)}', '[{"country":"US","quantity":1}]', 1,
      'number ' || n, 's' || n, 'c' || n, 1, ${START} + n, ${START}, ${START}, 'U0ANN', '{}'
    FROM (WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n FROM counted) AS numbers`;
}

export function fileManyInto(path: string, count: number): void {
  const database = new DatabaseSync(path);
  database.exec(fileMany(count));
  database.close();
}

const FORMATS = {
  table: (sql: Sql) => purchaseTable(selectPurchases(sql, EVERYTHING)),
  jsonLines: (sql: Sql) => purchaseLines(selectPurchases(sql, EVERYTHING)),
  csv: (sql: Sql) => purchaseCsv(readInShort(sql, selectPurchases(sql, EVERYTHING))),
};

/** Prints everything in each way. @returns how many purchases were read and not yet printed, at most; and how many lines came out. */
export async function mostHeld(sql: Sql): Promise<Record<string, { readonly held: number; readonly lines: number }>> {
  const found: Record<string, { held: number; lines: number }> = {};
  for (const [name, format] of Object.entries(FORMATS)) {
    let read = 0;
    let lines = 0;
    let held = 0;
    const counting: Sql = {
      ...sql,
      async all(statement, params): Promise<Row[]> {
        const rows = await sql.all(statement, params);
        if (statement.includes('FROM purchases')) read += rows.length;
        held = Math.max(held, read - lines);
        return rows;
      },
    };
    for await (const text of format(counting)) lines += text.split('\n').length - 1;
    found[name] = { held, lines };
  }
  return found;
}
