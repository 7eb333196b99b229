import type { DatabaseConfig } from '../../place.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres.ts';
import { sqliteDialect } from './sqlite.ts';

export const DIALECTS = {
  sqlite: sqliteDialect,
  postgres: postgresDialect,
} as const satisfies Record<DatabaseConfig['kind'], Dialect>;
