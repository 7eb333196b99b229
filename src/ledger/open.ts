import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Drafts, Ledger } from '../purchasing/ports.ts';
import { createDrafts } from './drafts.ts';
import { LedgerUnusable, unusable } from './errors.ts';
import { refuseForeignLog } from './foreign-log.ts';
import { createLedger } from './ledger.ts';
import { leaveMarker, lost, refuseIfLost } from './marker.ts';
import { migrate, refuseUnreadable } from './migrate.ts';
import type { Database, Sql } from './sql.ts';
import { openSqlite } from './sqlite.ts';
import { connectForReading } from './sqlite-connection.ts';
import { sqliteStatements } from './sqlite-statements.ts';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface OpenLedger {
  readonly ledger: Ledger;
  readonly drafts: Drafts;
  readonly database: Database;
  readonly close: () => Promise<void>;
}

const SQLITE_MIGRATIONS = new URL('./migrations/sqlite/', import.meta.url);

/**
 * Opens the ledger and brings its schema up to date.
 * @throws {LedgerUnusable} with a remedy, when what is there cannot serve.
 */
export async function openLedger(config: DatabaseConfig, now: () => number = Date.now): Promise<OpenLedger> {
  const file = sqliteFile(config);
  let database: Database | undefined;
  try {
    const expected = refuseIfLost(file);
    refuseForeignLog(file);
    const opened = await openSqlite(file, now);
    database = opened;
    await migrate(opened, SQLITE_MIGRATIONS, expected ? () => lost(file, 'empty') : undefined);
    leaveMarker(file);
    return {
      ledger: createLedger(opened),
      drafts: createDrafts(opened),
      database: opened,
      close: () => opened.close(),
    };
  } catch (error) {
    await database?.close();
    throw unusable(file, error);
  }
}

/** The ledger for looking at, beside a running bot: nothing is created, migrated or written. */
export interface LedgerView {
  readonly sql: Sql;
  /** Writes a consistent copy of all that is committed into a file that is empty or not there. */
  readonly copyTo: (file: string) => void;
  readonly close: () => void;
}

/** @throws {LedgerUnusable} also when there is no ledger yet. */
export async function viewLedger(config: DatabaseConfig): Promise<LedgerView> {
  const file = sqliteFile(config);
  if (!existsSync(file))
    throw new LedgerUnusable(
      `there is no ledger at ${file}`,
      'Start the bot once, or set DATABASE_URL to where it is.',
    );
  let close = () => {};
  try {
    refuseForeignLog(file);
    const connection = connectForReading(file);
    close = () => connection.close();
    const sql = sqliteStatements(connection, Date.now);
    await refuseUnreadable(sql, SQLITE_MIGRATIONS);
    return {
      sql,
      copyTo(copy) {
        connection.prepare('VACUUM INTO :copy').run({ copy });
      },
      close,
    };
  } catch (error) {
    close();
    throw unusable(file, error);
  }
}

function sqliteFile(config: DatabaseConfig): string {
  if (config.kind === 'sqlite') return resolve(config.path);
  throw new LedgerUnusable('this version keeps its ledger in SQLite only', 'Set DATABASE_URL=sqlite:./data/desk.db');
}
