import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDrafts } from '../drafts.ts';
import { NoLedger, unusable } from '../errors.ts';
import { createInstances } from '../instances.ts';
import { createLeases } from '../leases.ts';
import { createLedger } from '../ledger.ts';
import { migrate, refuseUnreadable } from '../migrate.ts';
import type { LedgerView, OpenLedger } from '../opened.ts';
import { createOutbox } from '../outbox.ts';
import type { Database } from '../sql.ts';
import { connectForReading } from './connection.ts';
import { openSqlite } from './database.ts';
import { refuseForeignLog } from './foreign-log.ts';
import { leaveMarker, lost, refuseIfLost } from './marker.ts';
import { sqliteStatements } from './statements.ts';

const MIGRATIONS = new URL('../migrations/sqlite/', import.meta.url);

export async function openSqliteLedger(path: string, now: () => number): Promise<OpenLedger> {
  const file = resolve(path);
  let database: Database | undefined;
  try {
    const expected = refuseIfLost(file);
    refuseForeignLog(file);
    const opened = await openSqlite(file, now);
    database = opened;
    await migrate((work) => opened.write(work), MIGRATIONS, expected ? () => lost(file, 'empty') : undefined);
    leaveMarker(file);
    return {
      ledger: createLedger(opened),
      outbox: createOutbox(opened),
      leases: createLeases(opened),
      drafts: createDrafts(opened),
      instances: createInstances(opened),
      database: opened,
      // Nothing tells that another process has written: it is found by looking.
      listen: () => {},
      close: () => opened.close(),
    };
  } catch (error) {
    await database?.close();
    throw unusable(file, error);
  }
}

export async function viewSqliteLedger(path: string): Promise<LedgerView> {
  const file = resolve(path);
  if (!existsSync(file)) throw new NoLedger(`at ${file}`);
  let close = () => {};
  try {
    refuseForeignLog(file);
    const connection = connectForReading(file);
    close = () => connection.close();
    // Begins to show its moment with the first read, and keeps no writer waiting.
    connection.exec('BEGIN');
    const sql = sqliteStatements(connection, Date.now);
    await refuseUnreadable(sql, MIGRATIONS);
    return {
      sql,
      copyTo(copy) {
        // VACUUM is no part of a transaction, and has a moment of its own.
        connection.exec('COMMIT');
        connection.prepare('VACUUM INTO :copy').run({ copy });
      },
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw unusable(file, error);
  }
}
