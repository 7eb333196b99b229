import { text } from '../../rows.ts';
import type { Dialect } from './dialect.ts';

const OURS = 'JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = current_schema()';

export const postgresDialect: Dialect = {
  columns: `SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name,
      -- That list counts from 0.
      COALESCE(array_position(CAST(i.indkey AS SMALLINT[]), a.attnum) + 1, 0) AS key_place
    FROM pg_class t ${OURS}
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
    WHERE t.relkind = 'r' ORDER BY t.relname, a.attnum`,
  references: `SELECT CAST(t.relname AS TEXT) AS from_table, CAST(o.relname AS TEXT) AS to_table
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid ${OURS} JOIN pg_class o ON o.oid = c.confrelid
    WHERE c.contype = 'f'`,
  // Numbers that are otherwise always given by the database.
  overriding: 'OVERRIDING SYSTEM VALUE',

  async liftGuards(sql, tables) {
    // The bot's limits are for transactions that somebody waits for; this one is long, and waits for the other database.
    await sql.script('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    const all = (what: string) => tables.map(({ name }) => `ALTER TABLE "${name}" ${what} TRIGGER USER`).join('; ');
    await sql.script(all('DISABLE'));
    return () => sql.script(all('ENABLE'));
  },

  async continueNumbers(sql) {
    const numbered = await sql.all(
      `SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name
       FROM pg_class t ${OURS} JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attidentity <> ''`,
    );
    for (const row of numbered) {
      const [table, column] = [text(row, 'table_name'), text(row, 'column_name')];
      // Of an empty table it is NULL, and nothing is set.
      await sql.all(
        `SELECT setval(pg_get_serial_sequence('"${table}"', '${column}'), (SELECT MAX("${column}") FROM "${table}"))`,
      );
    }
  },
};
