import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GONE_BACK } from '../../purchasing/model/freeze.ts';
import { freezeGoneBack } from '../gone-back.ts';
import { number } from '../rows.ts';
import { one } from '../sql.ts';
import { refuseIfDamaged } from './connection.ts';
import { sqliteStatements } from './statements.ts';

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly purchases: number;
}

/**
 * A consistent copy of the live ledger, in one file that is complete as soon as it has its name. It is frozen already: it will
 * not know what was bought after it was made, so whoever starts on it must first compare with the vendor's console.
 * @param copyTo writes all that is committed into a file that is empty.
 * @throws when the file is there already, or cannot be written.
 */
export async function backUp(copyTo: (file: string) => void, path: string, now: () => number): Promise<Backup> {
  const file = resolve(path);
  for (const taken of [file, `${file}-wal`, `${file}-journal`])
    if (existsSync(taken)) throw new Error(`${taken} exists already; nothing was written`);

  if (!existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)}; nothing was written`);

  const part = `${file}.${process.pid}.part`;
  // The vendor's answers in it may hold proxy logins.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    const madeAt = now();
    copyTo(part);
    const purchases = await freezeCopy(part, madeAt);
    flush(part);
    giveName(part, file);
    flush(dirname(file));
    return { file, bytes: statSync(file).size, purchases };
  } finally {
    rmSync(part, { force: true });
    rmSync(`${part}-journal`, { force: true });
  }
}

/** @returns how many purchases the copy holds. */
async function freezeCopy(file: string, madeAt: number): Promise<number> {
  const copy = new DatabaseSync(file);
  try {
    await refuseIfDamaged(copy, file, 'fully');
    const sql = sqliteStatements(copy, () => madeAt);
    copy.exec('BEGIN IMMEDIATE');
    // What was open becomes unknown when a bot opens it: the copy is of the schema that the original has.
    await freezeGoneBack(sql, `${GONE_BACK.backup}${new Date(madeAt).toISOString()}`);
    copy.exec('COMMIT');
    return number((await one(sql, 'SELECT COUNT(*) AS count FROM purchases')) ?? {}, 'count');
  } finally {
    copy.close();
  }
}

/** A link fails where the name is taken by now, which a rename would not. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (error) {
    // Some network and memory-stick file systems have no links.
    const noLinks =
      error instanceof Error && 'code' in error && /^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(String(error.code));
    if (!noLinks || existsSync(file)) throw error;
    renameSync(part, file);
  }
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
