import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { createOutbox } from '../../src/ledger/outbox.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards, START } from './fixture.ts';
import { LOOKS, looked, looksAtBatch, manyOrders, overheard, plansOf } from './many-orders.ts';

test('of 10,000 orders a page is found without reading them all, whatever is asked for', async () => {
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await manyOrders(opened);
  for (const [look, query, total] of LOOKS) {
    const { page, statements } = await looked(opened.database, query);
    expect(page.total, look).toBe(total);
    const plans = await plansOf(opened.database, 'EXPLAIN QUERY PLAN', statements);
    // Which of them, how many, what was paid, what was said, and what has no order id.
    expect(plans, look).toHaveLength(total === 0 ? 3 : 5);
    for (const plan of plans) expect(plan, look).not.toMatch(/^SCAN (?!counted)/m);
  }
});

test('what nobody has decided is found without reading every purchase or notice', async () => {
  const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  const { seen, statements } = overheard(database);
  await createOutbox(seen).undecidedFor(0);
  const [plan, ...others] = await plansOf(database, 'EXPLAIN QUERY PLAN', statements);
  expect(others).toEqual([]);
  expect(plan).toMatch(/SEARCH p USING INDEX purchases_by_state/);
  expect(plan).toMatch(/SEARCH n USING INDEX notices_by_purchase/);
  expect(plan).not.toMatch(/^SCAN/m);
});

test('what concerns a batch is found by the batch, whatever else there is: no purchase of anybody else’s is read for it', async () => {
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await manyOrders(opened);
  const plans = await plansOf(opened.database, 'EXPLAIN QUERY PLAN', await looksAtBatch(opened));
  expect(plans.length).toBeGreaterThan(15);
  expect(plans.join('\n')).toMatch(/purchases_by_batch/);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (p|w|held|e|n|purchases|entries|notices|batches)\b/);
});
