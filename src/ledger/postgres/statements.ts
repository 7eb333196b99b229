import type { ClientBase } from 'pg';
import type { Params, Row, Sql, Value } from '../sql.ts';
import { driven, StatementsAtOnce } from './errors.ts';

type Translate = (statement: string) => { readonly text: string; readonly names: readonly string[] };

/** `:name` becomes `$1`, `$2`, … in the order in which the names first appear. Each statement is looked at once. */
export function translator(): Translate {
  const known = new Map<string, ReturnType<Translate>>();
  return (statement) => {
    const found = known.get(statement);
    if (found) return found;
    const names: string[] = [];
    const text = statement.replace(/(?<!:):([a-z_]\w*)/gi, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
    const made = { text, names };
    known.set(statement, made);
    return made;
  };
}

/** Those on which a statement is under way. */
const busy = new WeakSet<ClientBase>();

/**
 * One statement after the other on each connection. Two at once in one transaction run in the order in which they happen to be sent: what
 * the second sees, and what of both is undone where one fails, would be luck.
 * @throws {StatementsAtOnce} which is a mistake of ours; nothing was sent
 */
export async function alone<T>(client: ClientBase, statement: () => Promise<T>): Promise<T> {
  if (busy.has(client)) throw new StatementsAtOnce();
  busy.add(client);
  try {
    return await driven(statement);
  } finally {
    busy.delete(client);
  }
}

interface StatementsDeps {
  readonly translate: Translate;
  readonly now: () => Promise<number>;
  /** Under what name the server keeps a statement; where it keeps none this is not given. */
  readonly nameOf?: (text: string) => string | undefined;
  /** Hears how many rows a statement has changed. */
  readonly wrote?: (rows: number) => void;
}

/** Our statements on one connection. */
export function postgresStatements(client: ClientBase, deps: StatementsDeps): Sql {
  const query = async (statement: string, params: Params = {}) => {
    const { text, names } = deps.translate(statement);
    const values = names.map((name) => storable(name, params[name]));
    const name = deps.nameOf?.(text);
    return alone(client, () => client.query<Row>({ text, values, ...(name !== undefined && { name }) }));
  };
  return {
    now: deps.now,
    all: async (statement, params) => (await query(statement, params)).rows,
    async run(statement, params) {
      const { rowCount } = await query(statement, params);
      if (rowCount) deps.wrote?.(rowCount);
      return rowCount ?? 0;
    },
    async script(statements) {
      await alone(client, () => client.query(statements));
      deps.wrote?.(1);
    },
  };
}

/** PostgreSQL keeps no NUL in a text. An answer of the vendor's that has one must be kept all the same, and at once. */
function storable(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`parameter :${name} is missing`);
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
