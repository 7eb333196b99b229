import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Params, Row, Sql } from '../sql.ts';

/**
 * Our statements on one SQLite connection, each prepared once. Parameters are bound by their place: by name, each would be looked for
 * among all the others. A limit is an expression: a bare parameter's value is part of the plan, and whenever one is bound, the statement is
 * prepared anew.
 */
export function sqliteStatements(connection: DatabaseSync, now: () => number): Sql {
  const prepared = new Map<string, { statement: StatementSync; names: readonly string[] }>();
  const bind = (text: string, params: Params = {}) => {
    let found = prepared.get(text);
    if (!found) {
      const names: string[] = [];
      const placed = text.replace(/(LIMIT )?:([a-z_]\w*)/gi, (_, limit: string | undefined, name: string) => {
        names.push(name);
        return limit ? `${limit}+?` : '?';
      });
      found = { statement: connection.prepare(placed), names };
      prepared.set(text, found);
    }
    // SQLite would take a missing one for NULL, silently.
    const values = found.names.map((name) => {
      const value = params[name];
      if (value === undefined) throw new Error(`parameter :${name} is missing`);
      return value;
    });
    return { statement: found.statement, values };
  };
  return {
    now: async () => now(),
    async all(text, params) {
      const { statement, values } = bind(text, params);
      return statement.all(...values) as Row[];
    },
    async run(text, params) {
      const { statement, values } = bind(text, params);
      return Number(statement.run(...values).changes);
    },
    script: async (statements) => connection.exec(statements),
  };
}
