import { readdirSync, readFileSync } from 'node:fs';
import { LedgerUnusable } from './errors.ts';
import { type Database, one, type Sql } from './sql.ts';

export const HISTORY = `CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)`;

/**
 * Brings the schema up to date, in one transaction, so that processes that start together take turns. Migrations only add: a
 * process of the version before goes on working. Only starting on a newer schema is refused.
 * @param write runs one transaction, alone among all processes.
 * @param folder holds `NNN_name.sql`, numbered without gaps from 001.
 */
export async function migrate(
  write: Database['write'],
  folder: URL,
  refuseEmpty?: () => Error,
): Promise<{ readonly created: boolean }> {
  const scripts = migrations(folder);
  return write(async (sql) => {
    await sql.run(HISTORY);
    const version = await schemaVersion(sql);
    refuseNewer(version, scripts.length);
    if (version === 0 && refuseEmpty) throw refuseEmpty();
    for (const [index, name] of scripts.entries()) {
      if (index < version) continue;
      await sql.script(readFileSync(new URL(name, folder), 'utf8'));
      await sql.run('INSERT INTO schema_migrations (version, applied_at) VALUES (:version, :at)', {
        version: index + 1,
        at: await sql.now(),
      });
    }
    return { created: version === 0 };
  });
}

export interface SchemaSeen {
  readonly found: number;
  /** What a start would bring it up to. */
  readonly known: number;
}

/** For reading only: what is there must be a ledger of this version or an older one. */
export async function readableSchema(sql: Sql, folder: URL): Promise<SchemaSeen> {
  const seen = { found: await schemaVersion(sql), known: latestSchema(folder) };
  refuseNewer(seen.found, seen.known);
  return seen;
}

/** The version that the newest migration leads to. */
export function latestSchema(folder: URL): number {
  return migrations(folder).length;
}

function migrations(folder: URL): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

export async function schemaVersion(sql: Sql): Promise<number> {
  const row = await one(sql, 'SELECT COALESCE(MAX(version), 0) AS version FROM schema_migrations');
  return Number(row?.['version']);
}

function refuseNewer(version: number, known: number): void {
  if (version > known)
    throw new LedgerUnusable(
      `the ledger has schema ${version}, and this version of Proxy Desk knows ${known}`,
      'Start the version that last ran, or a newer one.',
    );
}
