import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { whyUnreadable } from '../config/files.ts';
import type { Problem } from '../config/problem.ts';

/** A file as it was before any question. */
export interface Target {
  readonly path: string;
  /** Null where there is none. */
  readonly text: string | null;
  readonly stats: Stats | undefined;
}

/** Looks whether the file could be replaced, before anybody answers a question in vain. */
export function lookAtTarget(path: string): Target | Problem {
  const problem = (what: string, remedy: string): Problem => ({ key: path, problem: what, remedy });
  const folder = dirname(resolve(path));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink())
    return problem('is a symbolic link, and setup would put a file in its place', 'run setup where the file itself is');
  if (stats && !stats.isFile()) return problem('is not a file', 'put a file in its place, or take it away');
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    const remedy = 'run setup as the user whose folder it is, or on another machine, and copy the files';
    return problem(`cannot be written in ${folder}`, remedy);
  }
  if (!stats) return { path, text: null, stats };
  try {
    return { path, text: readFileSync(path, 'utf8'), stats };
  } catch (error) {
    const { why, remedy } = whyUnreadable(error);
    return problem(`is ${why}`, remedy);
  }
}

/** Has somebody else changed it since? */
export function hasChanged({ path, text }: Target): boolean {
  const now = lookAtTarget(path);
  return !('path' in now) || now.text !== text;
}

/**
 * Puts a whole file in the place of what was there, or leaves that as it is. It is its owner's as before.
 * @throws what the file system says
 */
export function replaceFile({ path, stats }: Target, text: string, mode: number): void {
  // Of the same folder, so that a rename puts it in place at once.
  const made = `${dirname(resolve(path))}/${basename(path)}.${randomBytes(4).toString('hex')}`;
  const file = openSync(made, 'wx', 0o600);
  try {
    try {
      if (stats && (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.()))
        fchownSync(file, stats.uid, stats.gid);
      fchmodSync(file, mode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
  const folder = openSync(dirname(resolve(path)), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
