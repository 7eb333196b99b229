import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

export type WrittenBy = 2 | 5;

/** What makes a ledger as a bot of that schema has written it; no trigger may be on while its rows are put in. */
export function writtenBy(
  version: WrittenBy,
  database: 'sqlite' | 'postgres',
): { readonly schema: string; readonly rows: string } {
  const rows = `DELETE FROM desk; ${read(`./written-by-schema-${version}.sql`)}`;
  return {
    schema: schemaOf(version, database),
    rows: database === 'postgres' ? rows.replaceAll(') VALUES (', ') OVERRIDING SYSTEM VALUE VALUES (') : rows,
  };
}

/** What makes a ledger of that schema, with nothing in it. */
export function schemaOf(version: number, database: 'sqlite' | 'postgres'): string {
  const folder = `../../src/ledger/migrations/${database}/`;
  const scripts = readdirSync(new URL(folder, import.meta.url))
    .sort()
    .slice(0, version);
  const history = 'CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL);';
  return [history, ...scripts.map((name) => read(folder + name))].join('\n');
}

/** Its states, in the order in which they were filed. */
export const STATES_OF_SCHEMA_2 = {
  'P-1': 'completed',
  'P-2': 'declined',
  'P-3': 'unknown',
  'P-4': 'completed',
  'P-5': 'rejected',
  'P-6': 'requested',
  'P-7': 'approved',
  'P-8': 'requested',
  'P-9': 'sending',
} as const;

/** Those of schema 5, by a bot in the local Slack: asked for, decided, sent and settled by its people. */
export const STATES_OF_SCHEMA_5 = {
  'P-9K8GSH7T': 'expired',
  'P-J8QJW09K': 'completed',
  'P-FQJ3CPVS': 'completed',
  'P-5B4SGZQY': 'completed',
  'P-8XZ23V9Q': 'declined',
  'P-3QM7267T': 'unknown',
  'P-9CQV85E2': 'declined',
  'P-JCG2H0K1': 'rejected',
  'P-T3B8WPQB': 'withdrawn',
  'P-51BDF6TZ': 'completed',
  'P-KYGHRQ4Y': 'sending',
  'P-1W72CNA5': 'approved',
  'P-0EHE00R0': 'requested',
} as const;

/** Makes it the frozen copy that a backup is, by the same version. */
export const BACKED_UP = `
  UPDATE desk SET frozen_by = 'desk', frozen_reason = 'restored from the backup of 2026-01-31T12:10:00.000Z', frozen_at = 1769861400000;
  INSERT INTO entries (at, by, kind, detail)
    VALUES (1769861400000, 'desk', 'frozen', '{"reason":"restored from the backup of 2026-01-31T12:10:00.000Z"}');`;
