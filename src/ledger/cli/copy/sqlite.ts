import { text } from '../../rows.ts';
import type { Dialect } from './dialect.ts';

export const sqliteDialect: Dialect = {
  columns: `SELECT m.name AS table_name, c.name AS column_name, c.pk AS key_place
    FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*' ORDER BY m.name, c.cid`,
  references: `SELECT m.name AS from_table, f."table" AS to_table
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  overriding: '',

  // There is no way to switch them off; dropping them is undone with the transaction.
  async liftGuards(sql) {
    const triggers = await sql.all(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`);
    for (const trigger of triggers) await sql.script(`DROP TRIGGER "${text(trigger, 'name')}"`);
    return async () => {
      for (const trigger of triggers) await sql.script(text(trigger, 'sql'));
    };
  },

  // AUTOINCREMENT takes note of every number that is written.
  continueNumbers: () => Promise.resolve(),
};
