import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Params, Row, Sql } from '../sql.ts';

/** Our statements on one SQLite connection, each prepared once. */
export function sqliteStatements(connection: DatabaseSync, now: () => number): Sql {
  const prepared = new Map<string, { statement: StatementSync; names: readonly string[] }>();
  const bind = (text: string, params: Params = {}) => {
    let found = prepared.get(text);
    if (!found) {
      const names = [...new Set(Array.from(text.matchAll(/:([a-z_]\w*)/gi), ([, name]) => name ?? ''))];
      found = { statement: connection.prepare(text), names };
      prepared.set(text, found);
    }
    // SQLite would take a missing one for NULL, silently.
    const values = found.names.map((name) => {
      const value = params[name];
      if (value === undefined) throw new Error(`parameter :${name} is missing`);
      return [name, value] as const;
    });
    return { statement: found.statement, values: Object.fromEntries(values) };
  };
  return {
    now: async () => now(),
    async all(text, params) {
      const { statement, values } = bind(text, params);
      return statement.all(values) as Row[];
    },
    async run(text, params) {
      const { statement, values } = bind(text, params);
      return Number(statement.run(values).changes);
    },
    script: async (statements) => connection.exec(statements),
  };
}
