import type { ClickResult } from '../purchasing/model/click.ts';
import { text } from './rows.ts';
import { one, runOne, type Sql } from './sql.ts';

// A click counts once: its id is a key.

export async function deliveredBefore(sql: Sql, click: string | undefined): Promise<ClickResult | null> {
  if (click === undefined) return null;
  const row = await one(sql, 'SELECT result FROM clicks WHERE id = :id', { id: click });
  return row ? (text(row, 'result') as ClickResult) : null;
}

const INSERT = 'INSERT INTO clicks (id, at, result) VALUES (:id, :at, :result)';

/** Nothing came of it, and its person was told so: nothing may come of it later. One that has counted stays as it is. */
export async function refuseClick(sql: Sql, id: string): Promise<void> {
  const params = { id, at: await sql.now(), result: 'refused' };
  await sql.run(`${INSERT} ON CONFLICT (id) DO NOTHING`, params);
}

export async function keepClick(sql: Sql, id: string | undefined, result: ClickResult | undefined): Promise<void> {
  if (id === undefined || result === undefined) return;
  const params = { id, at: await sql.now(), result };
  await runOne(sql, INSERT, params);
}
