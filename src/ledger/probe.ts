import { HISTORY, latestSchema, readableSchema, schemaVersion } from './migrate.ts';
import type { Sql } from './sql.ts';

/** What was found of a database that can be read and written. */
export interface Probe {
  /** 0 where there is no ledger yet: the first start makes it. */
  readonly schema: number;
  /** To which the next start brings it. */
  readonly latest: number;
  /** On the disk, where that can be told. */
  readonly freeBytes?: number;
}

/** Ends the transaction, so that nothing stays of it. */
class Undone extends Error {}

/**
 * Makes a table, writes a row into it, reads that, and undoes all of it: so a migration could be made too.
 * @param write runs one transaction, which an error undoes.
 */
export async function tryOut(
  write: (work: (sql: Sql) => Promise<never>) => Promise<never>,
  migrations: URL,
): Promise<Probe> {
  let schema = 0;
  try {
    await write(async (sql) => {
      await sql.run(HISTORY);
      schema = await schemaVersion(sql);
      await readableSchema(sql, migrations);
      await sql.script('CREATE TABLE tried_out (tried INTEGER NOT NULL)');
      await sql.run('INSERT INTO tried_out (tried) VALUES (:tried)', { tried: 1 });
      const [row] = await sql.all('SELECT tried FROM tried_out');
      if (row?.['tried'] !== 1) throw new Error('the database does not hold what was written into it');
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return { schema, latest: latestSchema(migrations) };
}
