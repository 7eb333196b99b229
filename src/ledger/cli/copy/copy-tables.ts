import type { DatabaseConfig } from '../../place.ts';
import { runOne, type Sql } from '../../sql.ts';
import type { Dialect, Table } from './dialect.ts';
import { DIALECTS } from './dialects.ts';
import { Digest } from './digest.ts';
import { DESK_TABLE, rowsOf, tablesOf } from './tables.ts';

interface Side {
  readonly sql: Sql;
  readonly kind: DatabaseConfig['kind'];
}

/** How many rows each table has. */
export type Copied = ReadonlyMap<string, number>;

/**
 * Within the transaction of `to`, in which nobody has written anything.
 * @throws where what then stands there is not what stood in `from`; the transaction is to be undone.
 */
export async function copyTables(from: Side, to: Side): Promise<Copied> {
  const dialect = DIALECTS[to.kind];
  const tables = await tablesOf(to.sql, dialect);
  refuseOtherTables(tables, await tablesOf(from.sql, DIALECTS[from.kind]));

  const putGuardsBack = await dialect.liftGuards(to.sql, tables);
  const originals: [Table, Digest][] = [];
  for (const table of tables) originals.push([table, await copyTable(from.sql, to.sql, table, dialect)]);
  await dialect.continueNumbers(to.sql);
  await putGuardsBack();

  for (const [table, original] of originals) {
    const copy = new Digest(table);
    for await (const rows of rowsOf(to.sql, table)) copy.add(rows);
    if (!copy.equals(original)) throw new Error(`${table.name} did not come out as it went in; nothing was copied`);
  }
  return new Map(originals.map(([{ name }, { rows }]) => [name, rows]));
}

async function copyTable(from: Sql, to: Sql, table: Table, { overriding }: Dialect): Promise<Digest> {
  const { name, columns } = table;
  const places = columns.map((column) => `"${column}"`).join(', ');
  const values = columns.map((column) => `:${column}`).join(', ');
  const insert = `INSERT INTO "${name}" (${places}) ${overriding} VALUES (${values})`;
  const digest = new Digest(table);
  // The one row that every ledger begins with.
  if (name === DESK_TABLE) await to.run(`DELETE FROM "${name}"`);
  for await (const rows of rowsOf(from, table)) {
    digest.add(rows);
    for (const row of rows) await runOne(to, insert, row);
  }
  return digest;
}

function refuseOtherTables(some: readonly Table[], others: readonly Table[]): void {
  const described = (tables: readonly Table[]) =>
    tables
      .map(({ name, columns }) => `${name} (${columns.join(', ')})`)
      .sort()
      .join('\n');
  if (described(some) !== described(others))
    throw new Error('the two databases have not the same tables and columns; nothing was copied');
}
