import type { SchemaSeen } from './migrate.ts';
import type { DatabaseConfig } from './place.ts';
import type { Sql } from './sql.ts';
import { viewSqliteLedger } from './sqlite/view.ts';

/** One moment of the ledger, for looking at beside a running bot: nothing is created, migrated or written. */
export interface LedgerView {
  readonly sql: Sql;
  readonly schema: SchemaSeen;
  /** Whether it was restored, copied or moved, and no bot has started on it since: then it is not frozen yet. */
  readonly hasMoved: () => Promise<boolean>;
  /** @throws {LedgerUnusable} where anything in it is damaged. */
  readonly check: () => Promise<void>;
  /** Writes a consistent copy of all that is committed into a file that is empty or not there; `sql` is not used after it. */
  readonly copyTo: (file: string) => void;
  readonly close: () => Promise<void>;
}

/** @throws {LedgerUnusable} also when there is no ledger yet. */
export async function viewLedger(config: DatabaseConfig): Promise<LedgerView> {
  if (config.kind === 'sqlite') return viewSqliteLedger(config.path);
  const { viewPostgresLedger } = await import('./postgres/open.ts');
  return viewPostgresLedger(config.url);
}
