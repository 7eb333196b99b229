import { describe, expect, test } from 'vitest';
import { runLedgerCommand } from '../../src/ledger/cli/index.ts';
import { PAGE } from '../../src/ledger/cli/select.ts';
import { openLedger, viewLedger } from '../../src/ledger/open.ts';
import { afterwards, closeAfterwards, START, walked } from './fixture.ts';
import { fileManyInto, mostHeld } from './many.ts';
import { scratchFile } from './scratch.ts';

async function many(count: number) {
  const path = scratchFile();
  const bot = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
  fileManyInto(path, count);
  return { path, ...bot };
}

describe('a ledger of any size', () => {
  test('is printed without being held: 20,000 purchases, a page of them at a time', async () => {
    const { path } = await many(20_000);
    const view = await viewLedger({ kind: 'sqlite', path });
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
    const { path } = await many(3 * PAGE);
    for (const args of [['list'], ['list', '--json'], ['export']]) {
      let writing = 0;
      let most = 0;
      const stdout = async () => {
        writing += 1;
        most = Math.max(most, writing);
        await new Promise((resolve) => setImmediate(resolve));
        writing -= 1;
      };
      expect(await runLedgerCommand(args, { config: { kind: 'sqlite', path }, stdout, stderr: () => {} })).toBe(0);
      expect(most).toBe(1);
    }
  });

  test('is shown as it was at one moment, however long the printing takes', async () => {
    const { path, ledger } = await many(PAGE + 1);
    const last = `p${PAGE + 1}`;
    let out = '';
    const stdout = async (text: string) => {
      if (out === '') await walked(ledger, last, 'withdrawn');
      out += text;
    };
    await runLedgerCommand(['list', '--json'], { config: { kind: 'sqlite', path }, stdout, stderr: () => {} });
    const lines = out.split('\n').slice(0, -1);
    expect(lines).toHaveLength(PAGE + 1);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: last, state: 'requested' });
    expect((await ledger.record(last))?.purchase.state).toBe('withdrawn');
  });

  test('is a table whose columns stay aligned, and only grow', async () => {
    const { path } = await many(PAGE + 1);
    let out = '';
    const stdout = (text: string) => {
      out += text;
    };
    await runLedgerCommand(['list'], { config: { kind: 'sqlite', path }, stdout, stderr: () => {} });
    const lines = out.split('\n').slice(0, -1);
    expect(new Set(lines.map((line) => line.search(/CREATED|2026-/)))).toEqual(new Set([6]));
    expect(lines).toHaveLength(PAGE + 2);
  });

  test('ends quietly for whoever has read enough, and not for a disk that is full', async () => {
    const { path } = await many(2 * PAGE);
    const failing = async (code: string) => {
      let tries = 0;
      let err = '';
      const exit = await runLedgerCommand(['list'], {
        config: { kind: 'sqlite', path },
        stdout: () => {
          tries += 1;
          throw Object.assign(new Error(`write ${code}`), { code });
        },
        stderr: (text) => {
          err += text;
        },
      });
      return { exit, tries, err };
    };
    expect(await failing('EPIPE')).toEqual({ exit: 0, tries: 1, err: '' });
    expect(await failing('ENOSPC')).toEqual({ exit: 1, tries: 1, err: 'ledger: write ENOSPC\n' });
  });
});
