/** What a column can hold. Booleans are 0 and 1, JSON is text, order ids are text. */
export type Value = string | number | null;
export type Params = Readonly<Record<string, Value>>;
export type Row = Record<string, Value>;

/**
 * Statements run within one transaction. They are written once, for both databases: `:name` parameters, every one of which
 * must be given.
 */
export interface Sql {
  /** Milliseconds since 1970: the database server's clock where there is one. */
  now(): Promise<number>;
  all(statement: string, params?: Params): Promise<Row[]>;
  /** @returns how many rows it changed. */
  run(statement: string, params?: Params): Promise<number>;
  /** Several statements of our own, without parameters: a migration. */
  script(statements: string): Promise<void>;
}

/**
 * When a commit has to be on disk: before anybody hears of it, or a little later. What goes `later` is on disk before whatever is written
 * `now` after it; nothing loses it but the end of the machine itself (a power cut), and then the ledger is as it was a moment before. Only
 * for what no money and no outcome hangs on.
 */
export type Flush = 'now' | 'later';

/** A database that can hold the ledger. */
export interface Database {
  /**
   * In a read-write transaction, serialised with every other, in this and all other processes, and perhaps shared with others of this one.
   * `work` awaits nothing but `sql`, and is done again where nothing of it was kept: it has no effect but through `sql`.
   * @param flush `now` unless said; a database may flush all the same
   */
  write<T>(work: (sql: Sql) => Promise<T>, flush?: Flush): Promise<T>;
  /** Reads that need no lock; each statement sees what is committed. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function one(sql: Sql, statement: string, params?: Params): Promise<Row | undefined> {
  return (await sql.all(statement, params))[0];
}

/** @throws if it did not change exactly one row. */
export async function runOne(sql: Sql, statement: string, params: Params): Promise<void> {
  const changed = await sql.run(statement, params);
  if (changed !== 1) throw new Error(`expected one row to change, not ${changed}: ${statement.trim().slice(0, 60)}`);
}

/** An `IN (…)` list of constants of our own: never of anything that came from outside. */
export function list(constants: readonly string[]): string {
  if (!constants.every((constant) => /^[a-z_]+$/.test(constant))) throw new Error('not a list of constants');
  return constants.map((constant) => `'${constant}'`).join(', ');
}

/** An `IN (…)` list of values that came from outside, as parameters; of none, nothing matches. */
export function anyOf(
  values: readonly (string | number)[],
  name = 'any',
): { readonly list: string; readonly params: Params } {
  const params = Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]));
  const names = Object.keys(params).map((key) => `:${key}`);
  return { list: names.length === 0 ? 'NULL' : names.join(', '), params };
}

/** Fewer than either database takes parameters in one statement. */
export const AT_ONCE = 200;

/** Of so many as one statement asks for. */
export function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, nth) =>
    all.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  );
}

/** So many rows of a long answer are read and understood without letting anybody else go first. */
export const PAGE = 500;

/**
 * The rows of a long answer, by their `seq`, a page at a time: whoever waits in this process need not wait for all of them. Within one
 * transaction all pages show the same moment. None is empty.
 * @param statement wants those after `:after`, in the order of `seq`, and `:page` of them
 */
export function pages(
  sql: Sql,
  statement: string,
  params: Params,
  { from = 0, page = PAGE } = {},
): AsyncGenerator<readonly Row[]> {
  return paging(sql, statement, { ...params, page }, { after: from }, ({ seq = null }) => ({ after: seq }));
}

/**
 * The same in the order of time, which may not be that of `seq`: those after `from`.
 * @param statement wants those after `(:at, :seq)`, by their `at` and `seq`, in that order, and `:page` of them
 */
export function pagesByTime(
  sql: Sql,
  statement: string,
  params: Params,
  { from, page = PAGE }: { readonly from: number; readonly page?: number },
): AsyncGenerator<readonly Row[]> {
  const first = { at: from, seq: Number.MAX_SAFE_INTEGER };
  return paging(sql, statement, { ...params, page }, first, ({ at = null, seq = null }) => ({ at, seq }));
}

async function* paging(
  sql: Sql,
  statement: string,
  params: Params & { readonly page: number },
  first: Params,
  after: (last: Row) => Params,
): AsyncGenerator<readonly Row[]> {
  for (let place = first; ; ) {
    const rows: readonly Row[] = await sql.all(statement, { ...params, ...place });
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < params.page) return;
    place = after(last);
  }
}

/** All of it, understood page by page. */
export async function paged<T>(
  sql: Sql,
  statement: string,
  params: Params,
  understand: (row: Row) => T,
  range: { readonly from?: number; readonly page?: number } = {},
): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const rows of pages(sql, statement, params, range)) for (const row of rows) found.push(understand(row));
  return found;
}

/** Rows of one statement: few sizes, so that each is prepared once. */
const ROWS_AT_ONCE = [200, 20, 1] as const;

/** Many rows in few statements. */
export async function insertRows(sql: Sql, table: string, rows: readonly Params[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const into = `INSERT INTO ${table} (${columns.join(', ')}) VALUES`;
  for (let from = 0; from < rows.length; ) {
    const count = ROWS_AT_ONCE.find((size) => size <= rows.length - from) ?? 1;
    const some = rows.slice(from, from + count);
    const values = some.map((_, nth) => `(${columns.map((column) => `:${column}_${nth}`).join(', ')})`);
    const params = some.flatMap((row, nth) => columns.map((column) => [`${column}_${nth}`, row[column] ?? null]));
    const written = await sql.run(`${into} ${values.join(', ')}`, Object.fromEntries(params));
    if (written !== count) throw new Error(`expected ${count} rows to be written, not ${written}: ${into}`);
    from += count;
  }
}

/**
 * A condition that only sifts what others have found: no index is asked for it. Nearly all purchases are completed, but SQLite takes every
 * index for a narrow one, and would read them all.
 */
export function sifted(condition: string): string {
  return `(${condition}) IS TRUE`;
}
