import { readdirSync } from 'node:fs';
import { afterEach } from 'vitest';
import type { OpenLedger } from '../../src/ledger/open.ts';

export * from './purchases.ts';

const MIGRATIONS = new URL('../../src/ledger/migrations/sqlite/', import.meta.url);

/** What a ledger says of its schema once every migration has run, on either database. */
export const EVERY_VERSION = readdirSync(MIGRATIONS).map((_, index) => ({ version: index + 1 }));

const undo: (() => unknown)[] = [];

/** Runs after the test, the latest first. */
export function afterwards(action: () => unknown): void {
  undo.push(action);
}

afterEach(async () => {
  for (const action of undo.splice(0).toReversed()) await action();
});

export function closeAfterwards<T extends Pick<OpenLedger, 'close'>>(open: T): T {
  afterwards(() => open.close());
  return open;
}
