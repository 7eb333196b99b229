import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';
import { BUSY, growLedger } from './grown.ts';
import { HOT_PATH } from './hot-path.ts';
import { overheard, partsOn, plansOf } from './many-orders.ts';
import { aPurchase, subjectOf } from './purchases.ts';

/** What is due, the one row of the desk, the last of an index, and the few falls of which people were alerted. */
const SMALL =
  /^SCAN (?!desk|counted|CONSTANT ROW|last|twin|readings|balance_readings USING INDEX balance_links$|notices USING INDEX notices_of_fall$)/m;

/** What moves something on: not done again and again by the benchmark, which would run out of it. */
const MOVING: typeof HOT_PATH = {
  'a rejection': async ({ ledger }) => {
    const [first] = await ledger.open();
    await ledger.change(first?.id ?? '', () => ({ result: null, to: 'rejected', by: 'U0LEAD' }));
  },
  'a filing that two people have to approve': ({ ledger }) => {
    const purchase = aPurchase({ requesterPerson: BUSY, twoPeople: true });
    return ledger.file(subjectOf(purchase), () => ({ result: null, file: purchase }));
  },
  'a freeze, and what is drawn again for it': async ({ ledger, outbox }) => {
    await ledger.changeFreeze((facts) => ({
      result: null,
      to: { by: 'U0LEAD', reason: 'looking', at: facts.now },
      by: 'U0LEAD',
    }));
    await outbox.leaseNotices(10, 1_000);
  },
};

describe('however old the ledger, what is read is what is recent or open', () => {
  test.each(Object.entries({ ...HOT_PATH, ...MOVING }))('%s', async (_, step) => {
    const path = scratchFile();
    await growLedger(path, 200);
    const opened = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
    // Something to be told.
    await opened.outbox.redrawOpen(0);
    const { seen, statements } = overheard(opened.database);
    await step(partsOn(seen, opened));
    expect(statements).not.toEqual([]);
    for (const plan of await plansOf(opened.database, 'EXPLAIN QUERY PLAN', statements)) {
      expect(plan).not.toMatch(SMALL);
      // All that was written after something.
      expect(plan).not.toMatch(/rowid>\?/);
      // Nearly all are completed: an index of states finds all of them.
      if (plan.includes('purchases_by_state')) expect(plan).not.toMatch(/'completed'/);
      // All that was ever asked for with this content, or by this person.
      expect(plan).not.toMatch(/purchases_by_(?:content|person)_closed \(\w+=\?\)$/m);
      // All that somebody has ever bought; from the end of it, some.
      if (/purchases_by_person \(requester_person=\?\)$/m.test(plan)) expect(plan).not.toMatch(/TEMP B-TREE/);
      // All that was ever told of no purchase.
      if (plan.includes('purchase_id IS NULL')) expect(plan).toMatch(/USING INDEX notices_nowhere/);
    }
  });
});
