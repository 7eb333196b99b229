import { DatabaseSync } from 'node:sqlite';

// As little as reading a ledger can be.

const database = new DatabaseSync(process.env.DATABASE, { readOnly: true });
for (const row of database.prepare('SELECT * FROM purchases ORDER BY seq').iterate())
  process.stdout.write(`${JSON.stringify(row)}\n`);
