import { resolve } from 'node:path';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Said when a ledger is made: an address with a mistake in it leads to a new one, which has forgotten every purchase. */
export function begun(config: DatabaseConfig): string {
  return `a new, empty ledger was begun in ${placeOf(config)}: if there should be one already, check DATABASE_URL`;
}

/** Where a ledger is, as people may see it: without user and password. */
export function placeOf(config: DatabaseConfig): string {
  if (config.kind === 'sqlite') return `SQLite at ${resolve(config.path)}`;
  const { host, pathname } = new URL(config.url);
  return `PostgreSQL at ${host || 'its socket'}${decodeURIComponent(pathname)}`;
}
