import { resolve } from 'node:path';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where a ledger is, as people may see it: without user and password. */
export function placeOf(config: DatabaseConfig): string {
  if (config.kind === 'sqlite') return `SQLite at ${resolve(config.path)}`;
  const { host, pathname } = new URL(config.url);
  return `PostgreSQL at ${host || 'its socket'}${decodeURIComponent(pathname)}`;
}
