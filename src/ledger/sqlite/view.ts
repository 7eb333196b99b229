import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NoLedger, unusable } from '../errors.ts';
import { readableSchema } from '../migrate.ts';
import { isBegun } from './begun.ts';
import { connectForReading, refuseIfDamaged } from './connection.ts';
import { refuseForeignLog, refuseRemovedLog } from './file-guards.ts';
import { MIGRATIONS } from './migrations.ts';
import { sqliteStatements } from './statements.ts';

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
    if (!(await isBegun(sql, file))) throw new NoLedger(`in ${file}`);
    const schema = await readableSchema(sql, MIGRATIONS);
    return {
      sql,
      schema,
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
