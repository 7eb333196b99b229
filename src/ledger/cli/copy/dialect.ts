import type { Sql } from '../../sql.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[];
}

/** What copying rows as they are wants of a database, each in its own words. */
export interface Dialect {
  /** One row a column: `table_name`, `column_name`, and `key_place` from 1, 0 outside of the primary key. */
  readonly columns: string;
  /** One row a foreign key: `from_table`, `to_table`. */
  readonly references: string;
  /** Between a table's columns and its VALUES. */
  readonly overriding: string;
  /** Lets rows be written as they were, whatever the triggers say. @returns what puts the triggers back. */
  liftGuards(sql: Sql, tables: readonly Table[]): Promise<() => Promise<void>>;
  /** Numbers that the database gives go on after the highest that is there. */
  continueNumbers(sql: Sql): Promise<void>;
}
