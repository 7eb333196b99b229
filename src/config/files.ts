import type { Problem } from './problem.ts';

/** Reads a small text file, or throws. */
export type ReadFile = (path: string) => { readonly text: string; readonly readableByOthers: boolean };

/** Whether a text was read from what is no UTF-8: UTF-16, as some editors and shells write it, or no text at all. */
export function isGarbled(text: string): boolean {
  return /[\0\uFFFD]/.test(text);
}

interface Unreadable {
  readonly absent: boolean;
  /** What the file is instead. */
  readonly why: string;
  readonly remedy: string;
}

export function whyUnreadable(error: unknown): Unreadable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for a reason unknown';
  switch (code) {
    case 'ENOENT':
      return { absent: true, why: 'not there', remedy: 'check the path' };
    case 'EACCES':
    case 'EPERM':
      return { absent: false, why: 'not readable by this user', remedy: 'give it the right to read (chown, chmod)' };
    case 'EISDIR':
      return { absent: false, why: 'a folder', remedy: 'put a file in its place, or name another' };
    default:
      return { absent: false, why: `not readable (${code})`, remedy: 'look at the file and its disk' };
  }
}

/** @param path as it may be shown; null where it may not. */
export function unreadable(key: string, path: string | null, error: unknown, ifAbsent?: string): Problem {
  const { absent, why, remedy } = whyUnreadable(error);
  const problem = path === null ? `names a file that is ${why}` : `names ${path}, which is ${why}`;
  return { key, problem, remedy: absent && ifAbsent !== undefined ? ifAbsent : remedy };
}
