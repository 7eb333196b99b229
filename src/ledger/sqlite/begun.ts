import { LedgerUnusable } from '../errors.ts';
import type { Sql } from '../sql.ts';

/**
 * Whether there is a ledger in it already; an empty file, or one that another process has just made, has none.
 * @throws where something else is.
 */
export async function isBegun(sql: Sql, file: string): Promise<boolean> {
  const tables = (await sql.all(`SELECT name FROM sqlite_master WHERE type = 'table'`)).map(({ name }) => name);
  if (tables.includes('schema_migrations')) return true;
  if (tables.length === 0) return false;
  throw new LedgerUnusable(
    `${file} is the database of another program`,
    'Set DATABASE_URL to a file that is for the bot alone.',
  );
}
