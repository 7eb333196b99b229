import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LedgerUnusable, NoLedger } from '../errors.ts';
import { distrustWhatWasOpen } from '../gone-back.ts';
import { migrate, readableSchema } from '../migrate.ts';
import { begun, placeOf } from '../place.ts';
import { type Probe, tryOut } from '../probe.ts';
import type { Sql } from '../sql.ts';
import { clientConfig, prepare } from './connection.ts';
import { openPostgres, type Postgres, serverNow } from './database.ts';
import { driven, PostgresTrouble } from './errors.ts';
import { hasMoved, identityExpression, settleIn } from './identity.ts';
import { postgresStatements, translator } from './statements.ts';

const MIGRATIONS = new URL('../migrations/postgres/', import.meta.url);

const TRY_AGAIN_AFTER_MS = 500;

/** Marks of processes that have ended; one that is in doubt looks within seconds. */
const MARKS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export interface PostgresLedgerOptions {
  /** This process, among all that write. */
  readonly writer: string;
  /** Hears what those who run the bot must know of the database, at start and later. */
  readonly warn: (what: string) => void;
  /** A server that is not reached is tried for so long. */
  readonly patienceMs: number;
}

export async function openPostgresLedger(
  url: string,
  now: (() => number) | undefined,
  { writer, warn, patienceMs }: PostgresLedgerOptions,
): Promise<Postgres> {
  const moved = async (sql: Sql, identity: string) => {
    const reason = await settleIn(sql, identity);
    if (reason !== undefined) warn(`spending is frozen: ${reason}`);
  };
  refuseBadAddress(url);
  const database = openPostgres(url, { writer, now, moved });
  try {
    await reached(database, warn, patienceMs);
    const { created } = await migrate((work) => database.alter(work), MIGRATIONS);
    if (created) warn(begun({ kind: 'postgres', url }));
    await database.write(async (sql) => {
      await distrustWhatWasOpen(sql);
      await sql.run('DELETE FROM commits WHERE at < :before', { before: (await sql.now()) - MARKS_KEPT_MS });
    });
    return database;
  } catch (error) {
    await database.close();
    throw unusable(url, error);
  }
}

/** Reads, and writes what is undone again, on a connection of its own: the ledger learns nothing of it. */
export async function probePostgresLedger(url: string): Promise<Probe> {
  refuseBadAddress(url);
  const client = new pg.Client(clientConfig(url, 'proxy-desk doctor'));
  client.on('error', () => {});
  try {
    await driven(() => client.connect());
    await prepare(client);
    const sql = postgresStatements(client, { translate: translator(), now: () => serverNow(client) });
    return await tryOut(async (work) => {
      await driven(() => client.query('BEGIN'));
      // Its failure is the news; the connection ends, and with it the transaction.
      return work(sql);
    }, MIGRATIONS);
  } catch (error) {
    throw unusable(url, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** In one transaction that cannot write: a consistent look, also at a standby. */
export async function viewPostgresLedger(url: string) {
  refuseBadAddress(url);
  const client = new pg.Client(clientConfig(url, 'proxy-desk ledger'));
  client.on('error', () => {});
  const close = () => client.end();
  try {
    await driven(() => client.connect());
    // Asks what this server may refuse to tell, which would end a transaction.
    const identity = await identityExpression(client);
    await driven(() => client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
    const sql = postgresStatements(client, { translate: translator(), now: () => serverNow(client) });
    const schema = await readableSchema(sql, MIGRATIONS);
    return { sql, schema, hasMoved: () => hasMoved(sql, identity), check: refuseCheck, copyTo: refuseCopy, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw unusable(url, error);
  }
}

async function refuseCheck(): Promise<never> {
  throw new LedgerUnusable(
    'PostgreSQL is checked with its own tools (pg_amcheck, or those of whoever hosts it)',
    'Run pg_amcheck --heapallindexed on the database.',
  );
}

function refuseCopy(): never {
  throw new LedgerUnusable(
    'PostgreSQL is backed up with its own tools (pg_dump, or those of whoever hosts it)',
    'A restored copy starts frozen by itself; see docs/operations.md.',
  );
}

async function reached(database: Postgres, warn: (what: string) => void, patienceMs: number) {
  const giveUpAt = performance.now() + patienceMs;
  for (let said = ''; ; ) {
    try {
      return await database.arrive();
    } catch (error) {
      if (!(error instanceof PostgresTrouble) || !error.passing || performance.now() > giveUpAt) throw error;
      if (said !== error.message) warn(`the database cannot be used yet (${error.message}); trying again`);
      said = error.message;
      await sleep(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** Files that the address names (certificates) are read when a connection is made: better now, and once. */
function refuseBadAddress(url: string): void {
  try {
    void new pg.Client(clientConfig(url, 'proxy-desk'));
  } catch (error) {
    const how = error instanceof Error ? error.message : String(error);
    throw new LedgerUnusable(
      `its options cannot be used: ${how}`,
      'Check the part of DATABASE_URL after the question mark.',
    );
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
function unusable(url: string, error: unknown): Error {
  if (!(error instanceof PostgresTrouble)) return error instanceof Error ? error : new Error(String(error));
  const place = placeOf({ kind: 'postgres', url });
  switch (error.code) {
    case '28P01':
    case '28000':
      return new LedgerUnusable(`${place} does not let the bot in: ${error.message}`, 'Check user and password.');
    case '3D000':
      return new LedgerUnusable(`there is no such database: ${place}`, 'Create it, owned by the user of the bot.');
    case '42501':
      return new LedgerUnusable(
        `${place} lacks a permission: ${error.message}`,
        'Let the user of the bot own the database.',
      );
    case '42P01':
      return new NoLedger(`in ${place}`);
    default:
      return error.passing
        ? new LedgerUnusable(
            `${place} cannot be reached: ${error.message}`,
            'See that the server runs and is let through.',
            true,
          )
        : new LedgerUnusable(
            `${place} cannot be used: ${error.message}`,
            'Check sslmode and the password in DATABASE_URL, and the log of the PostgreSQL server.',
          );
  }
}
