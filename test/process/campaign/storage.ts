import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CREATE_USER, type PostgresServer, startPostgres, USER } from '../../postgres/server.ts';
import type { Site } from '../../support/site.ts';
import { setImmutable } from './small-disk.ts';

/** The database of one round, and what can befall it. */
export interface Storage {
  lockedFor(ms: number): Promise<void>;
  readOnlyFor(ms: number): Promise<void>;
  /** Every connection breaks; new ones may be made. */
  cut(): Promise<void>;
  /** Every lease and deadline has just passed: for when every process is dead, or it would be untrue. */
  letTimePass(): Promise<void>;
  /** These attempts, of processes that are dead, are past their deadline. */
  letAttemptsEnd(attempts: readonly string[]): Promise<void>;
}

export function sqliteStorage(site: Site): Storage {
  const files = () => [site.databaseFile, `${site.databaseFile}-wal`].filter((file) => existsSync(file));
  return {
    async lockedFor(ms) {
      const unlock = site.lockLedger();
      await sleep(ms);
      unlock();
    },
    async readOnlyFor(ms) {
      const chosen = files();
      setImmutable(chosen, true);
      await sleep(ms).finally(() => setImmutable(chosen, false));
    },
    cut: async () => {},
    letTimePass: async () => site.letTimePass(),
    async letAttemptsEnd(attempts) {
      const database = new DatabaseSync(site.databaseFile, { timeout: 2_000 });
      for (const attempt of attempts)
        database
          .prepare(
            `UPDATE purchases SET attempt_deadline = attempt_deadline - 600000,
               attempt = json_set(attempt, '$.deadline', json_extract(attempt, '$.deadline') - 600000)
             WHERE state = 'sending' AND json_extract(attempt, '$.id') = ?`,
          )
          .run(attempt);
      database.close();
    },
  };
}

export interface Databases {
  /** A new one with nothing in it. */
  make(): Promise<{ readonly url: string; readonly storage: Storage }>;
  close(): Promise<void>;
}

export async function postgresDatabases(): Promise<Databases> {
  const server = await startPostgres();
  await query(server.admin(), CREATE_USER);
  let made = 0;
  return {
    async make() {
      made += 1;
      const name = `desk_${made}`;
      await query(server.admin(), `CREATE DATABASE ${name} OWNER ${USER}`);
      return { url: server.url(name), storage: postgresStorage(server, name) };
    },
    close: () => server.close(),
  };
}

/** In the order in which the bot takes its locks. */
const LOCK_DESK = 'BEGIN; SELECT 1 FROM desk WHERE id = 1 FOR UPDATE';
const ATTEMPTS_END = `UPDATE purchases SET attempt_deadline = attempt_deadline - 600000,
   attempt = CAST(jsonb_set(CAST(attempt AS jsonb), '{deadline}', to_jsonb(attempt_deadline - 600000)) AS TEXT)
 WHERE state = 'sending'`;

function postgresStorage(server: PostgresServer, name: string): Storage {
  const inDatabase = server.admin(name);
  const cut = () =>
    query(server.admin(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  return {
    lockedFor: (ms) => query(inDatabase, LOCK_DESK, `SELECT pg_sleep(${ms / 1_000})`, 'ROLLBACK'),
    async readOnlyFor(ms) {
      await query(server.admin(), `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await cut();
      await sleep(ms);
      await query(server.admin(), `ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await cut();
    },
    cut,
    letTimePass: () =>
      query(
        inDatabase,
        LOCK_DESK,
        `UPDATE desk SET head_until = 0; UPDATE notices SET claimed_until = 0, due_at = 0 WHERE pending = 1;
         UPDATE readings SET claimed_until = 0, due_at = 0; ${ATTEMPTS_END}; COMMIT`,
      ),
    letAttemptsEnd: (attempts) =>
      query(
        inDatabase,
        LOCK_DESK,
        `${ATTEMPTS_END} AND CAST(attempt AS jsonb) ->> 'id' IN (${attempts.map((id) => `'${id}'`).join(', ')})`,
        'COMMIT',
      ),
  };
}

async function query(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
