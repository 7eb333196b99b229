import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { ANN, BEN, closeAfterwards, filed, walked } from './fixture.ts';

const US_10 = { basket: [{ country: 'US', quantity: 10 }], quantity: 10 };

/** One purchase of 48 dollars, a top-up, and a purchase that no balance shows; as of now, since the months are. */
async function spent() {
  const path = scratchFile();
  const { account, ledger } = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
  const read = async (balance: string) =>
    account.keep(await account.ticket(), {
      balance: balance as Money,
      asker: 'command',
      taken: { process: 'one', ms: 0 },
    });
  await read('100.00');
  const shown = await walked(ledger, await filed(ledger, US_10), 'approved', 'sending', 'completed');
  await read('52.00');
  await read('552.00');
  const run = (...args: string[]) => ledgerCommand({ kind: 'sqlite', path }, 'spend', ...args);
  return { run, shown };
}

test('ledger spend tells sums by kind, and whom they went to, as JSON and as a table', async () => {
  const { run, shown } = await spent();
  const { code, out, err } = await run('90d', 'by', 'country', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.split('\n')).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({
    period: '90d',
    by: 'country',
    begins: null,
    ends: { balance: '552.00' },
    kinds: { ours: { movements: 1, sum: '-48.00' }, top_up: { movements: 1, sum: '500.00' } },
    rows: [{ key: 'US', spent: '48.00', purchases: 1, ips: 10, withoutCost: 0 }],
    together: null,
    notObserved: [],
    doubtful: 0,
  });
  const table = await run('90d');
  expect(table.out).toMatch(/^90d: .* \(UTC\)\nbalance before: no reading that old; at its end: 552\.00, read /);
  expect(table.out).toMatch(/spent here +-48\.00 +1\n/);
  expect(table.out).toContain('48.00  1');
  const csv = await run('90d', '--csv');
  expect(csv.out.split('\r\n')[1]).toMatch(new RegExp(`,100\\.00,52\\.00,-48\\.00,ours,${shown},${ANN},${BEN},buy,`));
});

test('ledger spend says which word it does not take', async () => {
  const { run } = await spent();
  for (const args of [
    ['this', 'year'],
    ['by', 'team'],
    ['--json', '--csv'],
  ])
    expect(await run(...args)).toMatchObject({ code: 2, out: '' });
  expect((await run('this', 'year')).err).toContain(
    'spend does not take this year: this month, last month, 90d or a month like 2026-11',
  );
});
