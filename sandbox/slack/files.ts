import type { Core } from './core.ts';

/** What an app has uploaded, or is about to: its bytes come to an address of their own. */
export interface StoredFile {
  id: string;
  name: string;
  title: string;
  altText: string;
  /** As announced; other bytes are refused. */
  length: number;
  bytes: Buffer | null;
  /** Until then nobody sees it, and no block may show it. */
  completed: boolean;
}

/** In a message, as its reader sees it. */
export interface SharedFile {
  id: string;
  name: string;
  title: string;
}

export type Files = Map<string, StoredFile>;

/** @returns the status of the answer: 200 where the bytes are what was announced. */
export function takeBytes(core: Core, id: string, bytes: Buffer): number {
  const file = core.files.get(id);
  if (!file || file.completed) return 404;
  if (bytes.byteLength !== file.length) return 400;
  file.bytes = bytes;
  return 200;
}
