import { readdirSync } from 'node:fs';

export * from '../support/afterwards.ts';
export * from './purchases.ts';

const MIGRATIONS = new URL('../../src/ledger/migrations/sqlite/', import.meta.url);

/** What a ledger says of its schema once every migration has run, on either database. */
export const EVERY_VERSION = readdirSync(MIGRATIONS).map((_, index) => ({ version: index + 1 }));
