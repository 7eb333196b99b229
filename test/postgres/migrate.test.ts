import { openLedger } from '../../src/ledger/open.ts';
import { closeAfterwards } from '../ledger/fixture.ts';
import { describeMigrating } from '../ledger/migrating.ts';
import { schema2 } from '../ledger/schema-2.ts';
import { asAdmin, emptyDatabase, theServer } from './databases.ts';
import { USER } from './server.ts';

describeMigrating(async (now, more = '') => {
  const url = await emptyDatabase();
  const { schema, rows } = schema2('postgres');
  const sequences = ['purchases.seq', 'entries.seq', 'notices.id'].map((place) => {
    const [table = '', column = ''] = place.split('.');
    return `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), MAX(${column})) FROM ${table};`;
  });
  await asAdmin(
    await theServer(),
    [
      `SET ROLE ${USER}`,
      schema,
      'RESET ROLE',
      'SET session_replication_role = replica',
      rows,
      'RESET session_replication_role',
      ...sequences,
      ...(more === '' ? [] : [more]),
    ],
    new URL(url).pathname.slice(1),
  );
  return closeAfterwards(await openLedger({ kind: 'postgres', url }, now));
});
