import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { ledgerCommand } from '../ledger/command.ts';
import { closeAfterwards, START } from '../ledger/fixture.ts';
import { HOT_PATH } from '../ledger/hot-path.ts';
import { LOOKS, looked, looksAtBatch, MANY, manyOrders, overheard, partsOn, plansOf } from '../ledger/many-orders.ts';
import { freshDatabase } from './databases.ts';
import { settledPlans } from './plans.ts';

test('of 10,000 orders a page is found without reading them all, whatever is asked for, nor what concerns a batch; the ledger command prints each once', async () => {
  const url = await freshDatabase();
  const opened = closeAfterwards(await openLedger({ kind: 'postgres', url }, () => START));
  await manyOrders(opened, `SET LOCAL statement_timeout = '60s'`);
  await opened.database.write((sql) => sql.script('ANALYZE'));
  for (const [look, query, total] of LOOKS) {
    const { page, statements } = await looked(opened.database, query);
    expect(page.total, look).toBe(total);
    const plans = await plansOf(opened.database, 'EXPLAIN', statements);
    // Which of them, how many, what was paid, what was said, and what has no order id.
    expect(plans, look).toHaveLength(total === 0 ? 3 : 5);
    for (const plan of [...plans, ...(await settledPlans(url, statements))]) expect(plan, look).not.toMatch(/Seq Scan/);
  }
  // Tables of a handful of rows are read whole.
  const looks = await looksAtBatch(opened);
  for (const plan of [...(await plansOf(opened.database, 'EXPLAIN', looks)), ...(await settledPlans(url, looks))])
    expect(plan).not.toMatch(/Seq Scan on (purchases|entries)/);
  const { code, out } = await ledgerCommand({ kind: 'postgres', url }, 'orders', '--json');
  const ids = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).orderId);
  expect({ code, count: ids.length, once: new Set(ids).size }).toEqual({ code: 0, count: MANY, once: MANY });
});

test('of 10,000 purchases none is read that is neither recent nor open, whatever is done', async () => {
  const url = await freshDatabase();
  const opened = closeAfterwards(await openLedger({ kind: 'postgres', url }, () => START));
  await manyOrders(opened, `SET LOCAL statement_timeout = '60s'`);
  await opened.database.write((sql) => sql.script('ANALYZE'));
  for (const [what, step] of Object.entries(HOT_PATH)) {
    const { seen, statements } = overheard(opened.database);
    await step(partsOn(seen, opened));
    const plans = await plansOf(opened.database, 'EXPLAIN', statements);
    for (const plan of [...plans, ...(await settledPlans(url, statements))])
      expect(plan, what).not.toMatch(/Seq Scan on (?:purchases|entries|orders|order_countries)\b/);
  }
});
