import { number, text } from '../../rows.ts';
import type { Row, Sql } from '../../sql.ts';
import type { Dialect, Table } from './dialect.ts';

/** What belongs to a place and its processes, not to the ledger that is kept there: every place writes its own. */
const OF_THE_PLACE: readonly string[] = [
  'schema_migrations',
  'listed_transitions',
  'instances',
  'policies',
  'home',
  'commits',
];

/** Has one row from the beginning: what holds for the whole ledger. */
export const DESK_TABLE = 'desk';

/** The tables of a ledger, in an order in which they can be filled: none before those that it refers to. */
export async function tablesOf(sql: Sql, dialect: Dialect): Promise<readonly Table[]> {
  const columns = await sql.all(dialect.columns);
  const references = await sql.all(dialect.references);
  const tables = Map.groupBy(columns, (row) => text(row, 'table_name'));
  return sorted(
    [...tables].map(([name, rows]) => toTable(name, rows)).filter(({ name }) => !OF_THE_PLACE.includes(name)),
    references.map((row) => [text(row, 'from_table'), text(row, 'to_table')] as const),
  );
}

function toTable(name: string, rows: readonly Row[]): Table {
  const key = rows.filter((row) => number(row, 'key_place') > 0);
  return {
    name,
    columns: rows.map((row) => text(row, 'column_name')).sort(),
    key: key.sort((a, b) => number(a, 'key_place') - number(b, 'key_place')).map((row) => text(row, 'column_name')),
  };
}

function sorted(tables: readonly Table[], references: readonly (readonly [from: string, to: string])[]): Table[] {
  const waits = ({ name }: Table) => references.some(([from, to]) => from === name && to !== name);
  const first = tables.filter((table) => !waits(table));
  if (first.length === 0 || first.length === tables.length) return [...tables];
  const names = first.map(({ name }) => name);
  const left = references.filter(([, to]) => !names.includes(to));
  return [...first, ...sorted(tables.filter(waits), left)];
}

const PAGE = 200;

/** All rows, a page at a time, in the order of the primary key. */
export async function* rowsOf(sql: Sql, { name, columns, key }: Table): AsyncGenerator<readonly Row[]> {
  const list = (of: readonly string[]) => of.map((column) => `"${column}"`).join(', ');
  const select = `SELECT ${list(columns)} FROM "${name}"`;
  const end = `ORDER BY ${list(key)} LIMIT :page`;
  let rows = await sql.all(`${select} ${end}`, { page: PAGE });
  for (;;) {
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < PAGE) return;
    const after = Object.fromEntries(key.map((column) => [column, last[column] ?? null]));
    const beyond = `(${list(key)}) > (${key.map((column) => `:${column}`).join(', ')})`;
    rows = await sql.all(`${select} WHERE ${beyond} ${end}`, { ...after, page: PAGE });
  }
}
