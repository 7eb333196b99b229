import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NoLedger, unusable } from '../errors.ts';
import { distrustWhatWasOpen } from '../gone-back.ts';
import { migrate, refuseUnreadable } from '../migrate.ts';
import { begun } from '../place.ts';
import type { Database } from '../sql.ts';
import { connectForReading, refuseIfDamaged } from './connection.ts';
import { openSqlite } from './database.ts';
import {
  endDoubt,
  leaveDoubt,
  leaveMarker,
  lost,
  refuseForeignLog,
  refuseIfLost,
  refuseRemovedLog,
} from './file-guards.ts';
import { sqliteStatements } from './statements.ts';

const MIGRATIONS = new URL('../migrations/sqlite/', import.meta.url);

/** @param warn hears what those who run the bot must know of the ledger. */
export async function openSqliteLedger(
  path: string,
  now: () => number,
  warn: (what: string) => void,
): Promise<Database> {
  const file = resolve(path);
  let database: Database | undefined;
  try {
    const expected = refuseIfLost(file);
    refuseForeignLog(file);
    const check = leaveDoubt(file) ? 'fully' : 'quickly';
    await refuseRemovedLog(file, ['-wal', '-shm']);
    const opened = await openSqlite(file, now, check);
    database = opened;
    endDoubt(file);
    const refuseEmpty = expected ? () => lost(file, 'empty') : undefined;
    const { created } = await migrate((work) => opened.write(work), MIGRATIONS, refuseEmpty);
    if (created) warn(begun({ kind: 'sqlite', path: file }));
    await opened.write(distrustWhatWasOpen);
    leaveMarker(file);
    return opened;
  } catch (error) {
    await database?.close();
    throw unusable(file, error);
  }
}

export async function viewSqliteLedger(path: string) {
  const file = resolve(path);
  if (!existsSync(file)) throw new NoLedger(`at ${file}`);
  let close = () => {};
  try {
    refuseForeignLog(file);
    // Looking would make the log anew, and nobody could see any more that it is gone.
    await refuseRemovedLog(file, ['-wal']);
    const connection = connectForReading(file);
    close = () => connection.close();
    // Begins to show its moment with the first read, and keeps no writer waiting.
    connection.exec('BEGIN');
    const sql = sqliteStatements(connection, Date.now);
    await refuseUnreadable(sql, MIGRATIONS);
    return {
      sql,
      check: () => refuseIfDamaged(connection, file, 'fully'),
      // A backup is frozen when it is made.
      hasMoved: async () => false,
      copyTo(copy: string) {
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
