import { randomUUID } from 'node:crypto';
import type { LedgerView, OpenLedger, OpenOptions } from './opened.ts';
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
export async function openLedger(
  config: DatabaseConfig,
  now?: () => number,
  options: Partial<OpenOptions> = {},
): Promise<OpenLedger> {
  const all = { writer: randomUUID(), warn: () => {}, patienceMs: PATIENCE_MS, ...options };
  if (config.kind === 'sqlite') return openSqliteLedger(config.path, now ?? Date.now);
  const { openPostgresLedger } = await postgres();
  return openPostgresLedger(config.url, now, all);
}

/** @throws {LedgerUnusable} also when there is no ledger yet. */
export async function viewLedger(config: DatabaseConfig): Promise<LedgerView> {
  if (config.kind === 'sqlite') return viewSqliteLedger(config.path);
  const { viewPostgresLedger } = await postgres();
  return viewPostgresLedger(config.url);
}

/** The driver is loaded only where it is used. */
function postgres() {
  return import('./postgres/open.ts');
}
