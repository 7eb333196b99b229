import pg from 'pg';
import { translator } from '../../src/ledger/postgres/statements.ts';
import type { Statement } from '../ledger/many-orders.ts';

/** So often the server plans a statement that it keeps for the values of that use; then it decides whether one plan is to do for all. */
const PLANNED_FOR_VALUES = 5;

/** How the server finds what each statement asks for when it keeps it, and has been asked for it again and again. */
export async function settledPlans(url: string, statements: readonly Statement[]): Promise<readonly string[]> {
  const translate = translator();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const plans: string[] = [];
    for (const { statement, params = {} } of statements) {
      const { text, names } = translate(statement);
      const values = names.map((name) => (params[name] === null ? 'NULL' : pg.escapeLiteral(String(params[name]))));
      const explain = `EXPLAIN EXECUTE kept ${values.length === 0 ? '' : `(${values.join(', ')})`}`;
      await client.query(`PREPARE kept AS ${text}`);
      for (let n = 0; n < PLANNED_FOR_VALUES; n += 1) await client.query(explain);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(explain);
      await client.query('DEALLOCATE kept');
      plans.push([text, ...rows.map((row) => row['QUERY PLAN'])].join('\n'));
    }
    return plans;
  } finally {
    await client.end();
  }
}
