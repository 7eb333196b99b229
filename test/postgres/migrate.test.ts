import { openLedger } from '../../src/ledger/open.ts';
import { closeAfterwards } from '../ledger/fixture.ts';
import { describeMigrating } from '../ledger/migrating.ts';
import { describeMigratingOrders } from '../ledger/migrating-orders.ts';
import { type WrittenBy, writtenBy } from '../ledger/written-by.ts';
import { asAdmin, emptyDatabase, theServer } from './databases.ts';
import { USER } from './server.ts';

describeMigrating((now, more) => opened(2, now, more));
describeMigratingOrders((now) => opened(5, now));

async function opened(version: WrittenBy, now: () => number, more = '') {
  const url = await emptyDatabase();
  const { schema, rows } = writtenBy(version, 'postgres');
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
}
