import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { manyReadings, plansOfLooks } from '../ledger/account-looks.ts';
import { closeAfterwards, filed, START } from '../ledger/fixture.ts';
import { manyOrders, plansOf, type Statement } from '../ledger/many-orders.ts';
import { freshDatabase } from './databases.ts';
import { settledPlans } from './plans.ts';

const ofMonth = ['`/proxy balance`', 'a look for alerts, the first and another'];

test('of 10,000 purchases and as many movements none is read that is not asked for', async () => {
  const url = await freshDatabase();
  const opened = closeAfterwards(await openLedger({ kind: 'postgres', url }, () => START));
  const patience = `SET LOCAL statement_timeout = '60s'`;
  await manyOrders(opened, patience);
  await manyReadings(opened, patience);
  await opened.database.write((sql) => sql.script('ANALYZE'));
  const waits = await filed(opened.ledger);
  // Tables of a handful of rows are read whole.
  const explained = async (statements: readonly Statement[]) => [
    ...(await plansOf(opened.database, 'EXPLAIN', statements)),
    ...(await settledPlans(url, statements)),
  ];
  for (const { look, plans } of await plansOfLooks(opened, explained, waits)) {
    // Of a month, which is the fourteenth part of all here, they may be read in one go.
    const more = ofMonth.includes(look) ? '' : '|balance_readings|balance_change_purchases';
    for (const plan of plans)
      expect(plan, look).not.toMatch(new RegExp(`Seq Scan on (purchases|entries|purchase_costs${more})\\b`));
  }
});
