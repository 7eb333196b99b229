import { randomUUID } from 'node:crypto';
import type { LedgerView, OpenLedger, OpenOptions } from './opened.ts';
import { openPostgresLedger, viewPostgresLedger } from './postgres/open.ts';
import { openSqliteLedger, viewSqliteLedger } from './sqlite/open.ts';

export type { LedgerView, OpenLedger } from './opened.ts';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** A supervisor starts the bot again anyway, and says so where people look. */
const PATIENCE_MS = 5_000;

/**
 * Opens the ledger and brings its schema up to date.
 * @param now only for tests: instead of the machine's clock or the database server's.
 * @throws {LedgerUnusable} with a remedy, when what is there cannot serve.
 */
export function openLedger(
  config: DatabaseConfig,
  now?: () => number,
  options: Partial<OpenOptions> = {},
): Promise<OpenLedger> {
  const all = { writer: randomUUID(), warn: () => {}, patienceMs: PATIENCE_MS, ...options };
  return config.kind === 'sqlite'
    ? openSqliteLedger(config.path, now ?? Date.now)
    : openPostgresLedger(config.url, now, all);
}

/** @throws {LedgerUnusable} also when there is no ledger yet. */
export function viewLedger(config: DatabaseConfig): Promise<LedgerView> {
  return config.kind === 'sqlite' ? viewSqliteLedger(config.path) : viewPostgresLedger(config.url);
}
