import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Hold = { readonly ok: true; release(): void } | { readonly ok: false; readonly why: string };

/** One run at a time on one folder: two would write over what the other keeps. */
export function holdFolder(path: string): Hold {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = join(path, 'running.pid');
  const other = readPid(file);
  if (other !== undefined && isAlive(other))
    return {
      ok: false,
      why: `A sandbox already runs on ${path} (process ${other}). End it, or choose another folder with --data.`,
    };
  writeFileSync(file, String(process.pid));
  return { ok: true, release: () => rmSync(file, { force: true }) };
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 && pid !== process.pid ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
