import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LedgerUnusable, NoLedger, unusable } from '../errors.ts';
import { distrustWhatWasOpen } from '../gone-back.ts';
import { latestSchema, migrate, readableSchema } from '../migrate.ts';
import { begun } from '../place.ts';
import { type Probe, tryOut } from '../probe.ts';
import type { Database, Sql } from '../sql.ts';
import { connectForReading, refuseIfDamaged } from './connection.ts';
import { openSqlite } from './database.ts';
import {
  foundSound,
  isToBeCheckedFully,
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
    const { database: opened, expected } = await openGuarded(file, now);
    database = opened;
    if (!expected) await opened.read((sql) => isBegun(sql, file));
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

/**
 * Whether there is a ledger in it already; an empty file, or one that another process has just made, has none.
 * @throws where something else is.
 */
async function isBegun(sql: Sql, file: string): Promise<boolean> {
  const tables = (await sql.all(`SELECT name FROM sqlite_master WHERE type = 'table'`)).map(({ name }) => name);
  if (tables.includes('schema_migrations')) return true;
  if (tables.length === 0) return false;
  throw new LedgerUnusable(
    `${file} is the database of another program`,
    'Set DATABASE_URL to a file that is for the bot alone.',
  );
}

/** @returns also whether a ledger must be there. */
async function openGuarded(file: string, now: () => number) {
  const expected = refuseIfLost(file);
  refuseForeignLog(file);
  const check = isToBeCheckedFully(file) ? 'fully' : 'quickly';
  await refuseRemovedLog(file, ['-wal', '-shm']);
  const database = await openSqlite(file, now, check);
  foundSound(file);
  return { database, expected };
}

/** Reads, and writes what is undone again. Where there is no ledger yet, the folder that it will be in is written to. */
export async function probeSqliteLedger(path: string): Promise<Probe> {
  const file = resolve(path);
  const folder = nearestFolder(dirname(file));
  try {
    refuseIfLost(file);
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    writeInto(folder);
    if (!existsSync(file)) return { schema: 0, latest: latestSchema(MIGRATIONS), freeBytes };
    const { database } = await openGuarded(file, Date.now);
    try {
      return { ...(await tryOut((work) => database.write(work), MIGRATIONS)), freeBytes };
    } finally {
      await database.close();
    }
  } catch (error) {
    throw unusable(file, error);
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** To the disk, so that a full one or a bad one is noticed. */
function writeInto(folder: string): void {
  const file = join(folder, `.proxy-desk-${randomUUID()}`);
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, Buffer.alloc(TRIED_BYTES, 1));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
    rmSync(file, { force: true });
  }
}

const TRIED_BYTES = 65_536;

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
