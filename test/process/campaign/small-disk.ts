import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch } from '../../support/scratch-root.ts';

/** A disk so small that it can be filled. */
export interface SmallDisk {
  fill(): void;
  free(): void;
  close(): void;
}

const SIZE = '6m';
const CHUNK = Buffer.alloc(4_096);

/** Mounts one that stands, for the bot, at this path. Needs root. */
export function mountSmallDisk(path: string): SmallDisk {
  const scratch = makeScratch();
  const mount = scratch.path;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', mount], { stdio: 'ignore' });
  symlinkSync(mount, path);
  const filling = join(mount, 'filling');
  return {
    fill() {
      const file = openSync(filling, 'w');
      try {
        for (;;) writeSync(file, CHUNK);
      } catch {
        // Full, which was wanted.
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filling, { force: true }),
    close() {
      execFileSync('umount', ['-l', mount], { stdio: 'ignore' });
      scratch.remove();
    },
  };
}

export function canMount(): boolean {
  using folder = makeScratch();
  try {
    mountSmallDisk(join(folder.path, 'disk')).close();
    return true;
  } catch {
    return false;
  }
}

/** Unwritable even for those that have it open. Needs root, and a disk that knows it. */
export function setImmutable(files: readonly string[], on: boolean): void {
  execFileSync('chattr', [on ? '+i' : '-i', ...files], { stdio: 'ignore' });
}

export function canSetImmutable(): boolean {
  using folder = makeScratch();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  try {
    setImmutable([file], true);
    setImmutable([file], false);
    return true;
  } catch {
    return false;
  }
}
