import {
  chmodSync,
  type DisposableTempDir,
  existsSync,
  mkdtempDisposableSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../sandbox/demo/data-folder.ts';

export const PREFIX = 'proxy-desk-tests-';
export const MEMORY = '/dev/shm';
const ROOM_BYTES = 1_000_000_000;
/** Names the root in memory to this process's children. */
const IN_MEMORY = 'PROXY_DESK_TESTS_IN_MEMORY';

/**
 * From now on the temporary folder of this process, and of those that it starts, is one of this run alone. The returned function
 * removes it with all that is left in it. One whose process was killed before is removed by the next run.
 */
export default function openScratchRoot(): () => void {
  const parents = [tmpdir(), MEMORY].filter((parent) => existsSync(parent));
  for (const parent of parents) removeAbandoned(parent);
  const roots = parents.map((parent) => mkdtempSync(join(parent, `${PREFIX}${process.pid}-`)));
  // Somebody else than root, as whom PostgreSQL runs, has to get through.
  for (const root of roots) chmodSync(root, 0o711);
  const [onDisk, inMemory = onDisk] = roots;
  Object.assign(process.env, { TMPDIR: onDisk, [IN_MEMORY]: inMemory });
  return () => {
    for (const root of roots) remove(root);
  };
}

/** A folder in it, for whoever makes it to remove. */
export function makeScratch(parent = tmpdir()): DisposableTempDir {
  return mkdtempDisposableSync(join(parent, 'desk-'));
}

/** The same in memory, where flushing every write costs nothing; on disk where memory has no room. */
export function makeScratchInMemory(): DisposableTempDir {
  const root = process.env[IN_MEMORY];
  if (root === undefined) return makeScratch();
  const { bavail, bsize } = statfsSync(root);
  return makeScratch(bavail * bsize > ROOM_BYTES ? root : tmpdir());
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^(\d+)-/.exec(name.replace(PREFIX, '')) ?? [];
    if (name.startsWith(PREFIX) && !isAlive(Number(pid))) removeIfPossible(join(parent, name));
  }
}

/** A run that was killed may have left a file system mounted there: this run goes on all the same. */
function removeIfPossible(folder: string): void {
  try {
    remove(folder);
  } catch (error) {
    process.stderr.write(`cannot remove ${folder}, which an earlier run left: ${String(error)}\n`);
  }
}

/** A process that is just ending may still write into it. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
