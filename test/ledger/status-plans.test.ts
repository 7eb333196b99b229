import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { COUNTS } from '../../src/ledger/status.ts';
import { scratchFile } from '../support/scratch.ts';
import { closeAfterwards } from './fixture.ts';
import { fileMany } from './many.ts';

test('what is counted at a scrape is one statement that reads what is open and what was counted, and no other purchase', async () => {
  const { database, status } = closeAfterwards(await openLedger({ kind: 'sqlite', path: scratchFile() }));
  await database.write((sql) => sql.script(fileMany(2_000)));
  const rows = await database.read((sql) => sql.all(`EXPLAIN QUERY PLAN ${COUNTS}`, { now: 0 }));
  const steps = rows.map(({ detail }) => String(detail)).filter((step) => /^(SCAN|SEARCH)/.test(step));
  expect(steps).toEqual([
    'SCAN c',
    'SEARCH p USING INDEX purchases_by_state (state=?)',
    expect.stringMatching(/^(SCAN|SEARCH) notices USING INDEX notices_pending/),
    expect.stringMatching(/^SEARCH readings USING (COVERING )?INDEX readings_by_due/),
    'SCAN desk',
  ]);
  expect((await status.counts()).purchases).toMatchObject([{ kind: 'buy', state: 'requested', count: 2_000 }]);
});
