import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { turn } from '../../turns.ts';
import { isDamage } from '../errors.ts';
import { inGroups } from '../groups.ts';
import type { Database, Flush, Sql } from '../sql.ts';
import { type Check, connect, refuseIfDamaged, whenFree } from './connection.ts';
import { leaveAsClosed, watchFiles } from './file-guards.ts';
import { sqliteStatements } from './statements.ts';

/**
 * SQLite answers at once, and so would never let anybody else go first: whoever asks for much does, from one statement to the next. Short
 * ones are never held up.
 */
function takingTurns(sql: Sql): Sql {
  return {
    ...sql,
    async all(statement, params) {
      await turn();
      return sql.all(statement, params);
    },
    async run(statement, params) {
      await turn();
      return sql.run(statement, params);
    },
  };
}

/** By the pragma `synchronous`. A killed process loses neither: what is written `later` is in the system's hands. */
const FLUSHING = { now: 'FULL', later: 'NORMAL' } as const satisfies Record<Flush, string>;

/** Two connections, so that a read never sees what a transaction of this very process has not committed yet. */
export async function openSqlite(file: string, now: () => number, check: Check): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true });
  // The vendor's answers in it may hold proxy logins; -wal and -shm get the same mode.
  // Before there is a connection: closing a file takes away every lock that this process holds on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // SQLite opens a file that may not be written without a word, and fails at the first write.
  accessSync(file, constants.R_OK | constants.W_OK);

  const writer = await connect(file);
  let reader: DatabaseSync;
  let refuseIfReplaced: () => void;
  try {
    await refuseIfDamaged(writer, file, check);
    // The log and its index are there from the first transaction on.
    await whenFree(() => writer.exec('BEGIN IMMEDIATE; ROLLBACK'));
    refuseIfReplaced = watchFiles(file);
    reader = await connect(file);
    reader.exec('PRAGMA query_only = ON');
  } catch (error) {
    writer.close();
    throw error;
  }
  const writing = sqliteStatements(writer, now);
  const reading = sqliteStatements(reader, now);
  let metDamage = false;

  const noticing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      metDamage ||= isDamage(error);
      throw error;
    }
  };

  /** As {@link connect} has set it. */
  let flushing: Flush = 'now';
  const setFlushing = (flush: Flush) => {
    if (flush === flushing) return;
    // Throws within a transaction: none is ever flushed otherwise than is noted here.
    writer.exec(`PRAGMA synchronous = ${FLUSHING[flush]}`);
    flushing = flush;
  };

  const transaction = async <T>(work: (sql: Sql) => Promise<T>, flush: Flush): Promise<T> => {
    await whenFree(() => {
      setFlushing(flush);
      // Taking the write lock at once: a transaction that reads first and then writes could fail half-way.
      writer.exec('BEGIN IMMEDIATE');
    });
    try {
      refuseIfReplaced();
      const result = await work(takingTurns(writing));
      writer.exec('COMMIT');
      // Committed into files that were removed meanwhile, it is as good as lost.
      refuseIfReplaced();
      return result;
    } catch (error) {
      if (writer.isTransaction) writer.exec('ROLLBACK');
      throw error;
    }
  };

  const writes = inGroups((work, _, flush) => noticing(transaction(work, flush)));
  return {
    write: (work, flush) => writes.write(work, flush),
    read: (work) => noticing(work(takingTurns(reading))),
    async close() {
      await writes.idle();
      reader.close();
      writer.close();
      leaveAsClosed(file, metDamage);
    },
  };
}
