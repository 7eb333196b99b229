import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unusable } from '../errors.ts';
import { distrustWhatWasOpen } from '../gone-back.ts';
import { latestSchema, migrate } from '../migrate.ts';
import { begun } from '../place.ts';
import { type Probe, tryOut } from '../probe.ts';
import type { Database } from '../sql.ts';
import { isBegun } from './begun.ts';
import { openSqlite } from './database.ts';
import {
  foundSound,
  isAsClosed,
  isToBeCheckedFully,
  leaveMarker,
  lost,
  refuseForeignLog,
  refuseIfLost,
  refuseRemovedLog,
} from './file-guards.ts';
import { MIGRATIONS } from './migrations.ts';

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

/** @returns also whether a ledger must be there. */
async function openGuarded(file: string, now: () => number) {
  const expected = refuseIfLost(file);
  refuseForeignLog(file);
  const check = isToBeCheckedFully(file) ? 'fully' : isAsClosed(file) ? 'not at all' : 'quickly';
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
  const file = join(folder, `.proxy-desk-${crypto.randomUUID()}`);
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
