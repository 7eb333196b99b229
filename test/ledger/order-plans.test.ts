import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { createOrders } from '../../src/ledger/orders.ts';
import { createOutbox } from '../../src/ledger/outbox.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards, filed, START } from './fixture.ts';
import { LOOKS, looked, looksAtBatch, MANY, manyOrders, overheard, plansOf } from './many-orders.ts';

test('of 10,000 orders a page is found without reading them all, whatever is asked for', async () => {
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await manyOrders(opened);
  for (const [look, query, total] of LOOKS) {
    const { page, statements } = await looked(opened.database, query);
    expect(page.total, look).toBe(total);
    const plans = await plansOf(opened.database, 'EXPLAIN QUERY PLAN', statements);
    // Which of them, how many, what was paid, what was said, and what has no order id.
    expect(plans, look).toHaveLength(total === 0 ? 3 : 5);
    for (const plan of plans) expect(plan, look).not.toMatch(/^SCAN (?!counted|CONSTANT ROW)/m);
  }
});

test('of 10,000 orders every one is reached page by page, the last page by an index as the first is', async () => {
  const { database } = closeAfterwards(await writtenMany());
  const { seen, statements } = overheard(database);
  const orders = createOrders(seen);
  const ids = new Set<string>();
  for (let at = 0, more = true; more; at += 250) {
    const found = await orders.page({ which: 'all', endingWithinMs: 0 }, at, 250);
    for (const { orderId } of found.orders) ids.add(orderId);
    more = found.total > at + 250;
    expect({ at, more: found.more }).toEqual({ at, more: at + 1_000 <= MANY });
  }
  expect(ids.size).toBe(MANY);
  for (const plan of await plansOf(database, 'EXPLAIN QUERY PLAN', statements.slice(-3)))
    expect(plan).not.toMatch(/^SCAN (?!counted|CONSTANT ROW)/m);
});

async function writtenMany() {
  const opened = await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START);
  await manyOrders(opened);
  return opened;
}

test('what nobody has decided is found without reading every purchase or notice', async () => {
  const { database, ledger } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await filed(ledger);
  const { seen, statements } = overheard(database);
  await createOutbox(seen).undecidedFor(0);
  const [waiting, told, ...others] = await plansOf(database, 'EXPLAIN QUERY PLAN', statements);
  expect(others).toEqual([]);
  expect(waiting).toMatch(/SEARCH p USING INDEX purchases_by_state/);
  expect(told).toMatch(/SEARCH notices USING INDEX notices_by_purchase/);
  for (const plan of [waiting, told]) expect(plan).not.toMatch(/^SCAN/m);
});

test('what concerns a batch is found by the batch, whatever else there is: no purchase of anybody else’s is read for it', async () => {
  const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }, () => START));
  await manyOrders(opened);
  const plans = await plansOf(opened.database, 'EXPLAIN QUERY PLAN', await looksAtBatch(opened));
  expect(plans.length).toBeGreaterThan(15);
  expect(plans.join('\n')).toMatch(/purchases_by_batch/);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (p|w|held|e|n|purchases|entries|notices|batches)\b/);
});
