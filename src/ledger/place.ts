import { resolve } from 'node:path';
import type { DatabaseConfig } from './open.ts';

/** Where a ledger is, as people may see it: without user and password. */
export function placeOf(config: DatabaseConfig): string {
  if (config.kind === 'sqlite') return `SQLite at ${resolve(config.path)}`;
  const { host, pathname } = new URL(config.url);
  return `PostgreSQL at ${host || 'its socket'}${decodeURIComponent(pathname)}`;
}
