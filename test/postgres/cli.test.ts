import { describe, expect, test } from 'vitest';
import { runLedgerCommand } from '../../src/ledger/cli/index.ts';
import { viewLedger } from '../../src/ledger/open.ts';
import { ANN, afterwards, filed, walked } from '../ledger/fixture.ts';
import { scratchFile } from '../support/scratch.ts';
import { emptyDatabase, freshDatabase, theServer } from './databases.ts';
import { lockDesk, openAt } from './fixture.ts';

async function run(url: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const code = await runLedgerCommand(args, {
    config: { kind: 'postgres', url },
    stdout: (text) => {
      printed.out += text;
    },
    stderr: (text) => {
      printed.err += text;
    },
  });
  return { code, ...printed };
}

describe('the ledger command on PostgreSQL', () => {
  test('lists, shows and exports while the bot writes, with every digit', async () => {
    const url = await freshDatabase();
    const { ledger } = await openAt(url);
    const id = await walked(ledger, await filed(ledger), 'approved', 'sending', 'completed');
    await ledger.change(id, () => ({ result: null, by: ANN, set: { orderId: '90071992547409931234' } }));
    const unlock = await lockDesk(url);
    const looked = [await run(url, 'list', '--json'), await run(url, 'show', id, '--json'), await run(url, 'export')];
    await unlock();
    expect(looked.map(({ code, err }) => ({ code, err }))).toEqual(Array(3).fill({ code: 0, err: '' }));
    const [listed, shown, exported] = looked.map(({ out }) => out);
    expect(JSON.parse(listed ?? '')).toMatchObject({
      id,
      state: 'completed',
      orderId: '90071992547409931234',
      quantity: 3,
    });
    expect(JSON.parse(shown ?? '').entries).toHaveLength(4);
    expect(exported).toContain("'90071992547409931234");
  });

  test('looks in a transaction that cannot write', async () => {
    const url = await freshDatabase();
    await openAt(url);
    const view = await viewLedger({ kind: 'postgres', url });
    afterwards(() => view.close());
    await expect(view.sql.run('DELETE FROM drafts')).rejects.toThrow('read-only');
  });

  test('says that there is no ledger, and makes none', async () => {
    const url = await emptyDatabase();
    for (let time = 0; time < 2; time += 1)
      expect(await run(url, 'list')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('there is no ledger in'),
      });
  });

  test('points to the tools of PostgreSQL for a backup, and to what protects whoever restores one', async () => {
    const url = await freshDatabase();
    await openAt(url);
    const { code, err } = await run(url, 'backup', scratchFile());
    expect(code).toBe(1);
    expect(err).toMatch(/pg_dump.*\n.*starts frozen by itself/);
  });

  test('shows no password when the server is not there', async () => {
    const url = new URL((await theServer()).url('desk'));
    url.port = '1';
    const { code, out, err } = await run(url.href, 'list');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('cannot be reached');
    expect(err).not.toContain(url.password);
  });
});
