import { describe, expect, test } from 'vitest';
import { PAGE } from '../../src/ledger/cli/select.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { viewLedger } from '../../src/ledger/view.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommandHeard } from './command.ts';
import { afterwards, closeAfterwards, START, walked } from './fixture.ts';
import { fileManyInto, mostHeld } from './many.ts';

async function many(count: number) {
  const path = scratchFile();
  const bot = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
  fileManyInto(path, count);
  return { config: { kind: 'sqlite', path } as const, ...bot };
}

describe('a ledger of any size', () => {
  test('is printed without being held: 20,000 purchases, a page of them at a time', async () => {
    const { config } = await many(20_000);
    const view = await viewLedger(config);
    afterwards(() => view.close());
    const held = await mostHeld(view.sql);
    expect(Object.entries(held).map(([name, { lines }]) => [name, lines])).toEqual([
      ['table', 20_001],
      ['jsonLines', 20_000],
      ['csv', 20_001],
    ]);
    for (const format of Object.values(held)) expect(format.held).toBeLessThanOrEqual(PAGE);
  });

  test('is printed no faster than it is read', async () => {
    const { config } = await many(3 * PAGE);
    for (const args of [['list'], ['list', '--json'], ['export']]) {
      let writing = 0;
      let most = 0;
      const stdout = async () => {
        writing += 1;
        most = Math.max(most, writing);
        await new Promise((resolve) => setImmediate(resolve));
        writing -= 1;
      };
      expect(await ledgerCommandHeard({ config, stdout }, ...args)).toMatchObject({ code: 0, err: '' });
      expect(most).toBe(1);
    }
  });

  test('is shown as it was at one moment, however long the printing takes', async () => {
    const { config, ledger } = await many(PAGE + 1);
    const last = `p${PAGE + 1}`;
    let changed = false;
    const stdout = async () => {
      if (!changed) await walked(ledger, last, 'withdrawn');
      changed = true;
    };
    const { out } = await ledgerCommandHeard({ config, stdout }, 'list', '--json');
    const lines = out.split('\n').slice(0, -1);
    expect(lines).toHaveLength(PAGE + 1);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: last, state: 'requested' });
    expect((await ledger.record(last))?.purchase.state).toBe('withdrawn');
  });

  test('is a table whose columns stay aligned, and only grow', async () => {
    const { config } = await many(PAGE + 1);
    const { out } = await ledgerCommandHeard({ config }, 'list');
    const lines = out.split('\n').slice(0, -1);
    expect(new Set(lines.map((line) => line.search(/CREATED|2026-/)))).toEqual(new Set([6]));
    expect(lines).toHaveLength(PAGE + 2);
  });

  test.each([
    ['EPIPE', 0, ''],
    ['ENOSPC', 1, 'ledger: write ENOSPC\n'],
  ])('ends at once where it cannot be printed: %s', async (problem, code, err) => {
    const { config } = await many(2 * PAGE);
    let tries = 0;
    const stdout = () => {
      tries += 1;
      throw Object.assign(new Error(`write ${problem}`), { code: problem });
    };
    expect(await ledgerCommandHeard({ config, stdout }, 'list')).toEqual({ code, out: '', err });
    expect(tries).toBe(1);
  });
});
