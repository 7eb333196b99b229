import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { IMPORT_HEADER, MOST_LINES } from '../../src/input/order-list.ts';
import { PAGE } from '../../src/ledger/cli/select.ts';
import { viewLedger } from '../../src/ledger/view.ts';
import { ledgerCommand, ledgerCommandHeard } from '../ledger/command.ts';
import { ANN, afterwards, filed, START, setFreeze, walked } from '../ledger/fixture.ts';
import { fileMany, mostHeld } from '../ledger/many.ts';
import { scratchFile } from '../support/scratch.ts';
import { asAdmin, emptyDatabase, freshDatabase, theServer } from './databases.ts';
import { lockDesk, openAt } from './fixture.ts';

const OPERATOR = `operator:${userInfo().username}`;

const run = (url: string, ...args: string[]) => ledgerCommand({ kind: 'postgres', url }, ...args);

/** Without the entries that triggers would write: so many of them take a while. */
async function fileManyAt(url: string, count: number): Promise<void> {
  const statements = ['SET session_replication_role = replica', fileMany(count)];
  await asAdmin(await theServer(), statements, new URL(url).pathname.slice(1));
}

describe('the ledger command on PostgreSQL', () => {
  test('lists, shows and exports purchases, and lists orders, while the bot writes, with every digit', async () => {
    const url = await freshDatabase();
    const { ledger } = await openAt(url);
    const id = await walked(ledger, await filed(ledger), 'approved', 'sending', 'completed');
    await ledger.change(id, () => ({ result: null, by: ANN, set: { orderId: '90071992547409931234' } }));
    const unlock = await lockDesk(url);
    const looked = [
      await run(url, 'list', '--json'),
      await run(url, 'show', id, '--json'),
      await run(url, 'export'),
      await run(url, 'orders', '--json'),
    ];
    await unlock();
    expect(looked.map(({ code, err }) => ({ code, err }))).toEqual(Array(4).fill({ code: 0, err: '' }));
    const [listed, shown, exported, orders] = looked.map(({ out }) => out);
    expect(JSON.parse(listed ?? '')).toMatchObject({
      id,
      state: 'completed',
      orderId: '90071992547409931234',
      quantity: 3,
    });
    expect(JSON.parse(shown ?? '').entries).toHaveLength(4);
    expect(exported).toContain("'90071992547409931234");
    expect(JSON.parse(orders ?? '')).toMatchObject({ orderId: '90071992547409931234', quantity: 3, source: 'bought' });
  });

  test('prints a ledger of any size without holding it, a page at a time', async () => {
    const url = await freshDatabase();
    await fileManyAt(url, 5_000);
    const view = await viewLedger({ kind: 'postgres', url });
    afterwards(() => view.close());
    const held = await mostHeld(view.sql);
    expect(Object.values(held).map(({ lines }) => lines)).toEqual([5_001, 5_000, 5_001]);
    for (const format of Object.values(held)) expect(format.held).toBeLessThanOrEqual(PAGE);
  });

  test('imports the longest list that it takes in one transaction, and the same list adds nothing', async () => {
    const url = await freshDatabase();
    const { orders, database } = await openAt(url);
    const lines = Array.from(
      { length: MOST_LINES },
      (_, nth) => `${2n ** 53n + BigInt(nth)},lt-monthly,US 1; DE 2,,U0ANN,`,
    );
    const readStdin = async () => new TextEncoder().encode([IMPORT_HEADER, ...lines].join('\n'));
    const importing = () => ledgerCommandHeard({ config: { kind: 'postgres', url }, readStdin }, 'import', '-');
    expect(await importing()).toEqual({ code: 0, out: '10000 orders added, 0 already there\n', err: '' });
    expect(await importing()).toMatchObject({ code: 0, out: '0 orders added, 10000 already there\n' });
    const counts = 'SELECT (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM order_countries) AS places';
    const [found] = await database.read((sql) => sql.all(counts));
    expect(found).toEqual({ orders: MOST_LINES, places: 2 * MOST_LINES });
    expect(await orders.refresh()).toBe(false);
  }, 60_000);

  test('shows one moment, however long the printing takes', async () => {
    const url = await freshDatabase();
    const { ledger } = await openAt(url);
    await fileManyAt(url, PAGE + 1);
    const last = `p${PAGE + 1}`;
    let changed = false;
    const stdout = async () => {
      if (!changed) await walked(ledger, last, 'withdrawn');
      changed = true;
    };
    const { out } = await ledgerCommandHeard({ config: { kind: 'postgres', url }, stdout }, 'list', '--json');
    expect(JSON.parse(out.split('\n').at(-2) ?? '')).toMatchObject({ id: last, state: 'requested' });
  });

  test('takes the same filters, and shows all purchases of an order', async () => {
    const url = await freshDatabase();
    const { ledger } = await openAt(url);
    const rejected = await walked(ledger, await filed(ledger), 'rejected');
    const renewal = await filed(ledger, { kind: 'renew', orderId: '70', quantity: null, basket: [] });
    const newest = await filed(ledger, { requester: 'U0CLARA', requesterPerson: 'W0CLARA', createdAt: START + 1 });
    const selected = async (...args: string[]) =>
      (await run(url, 'list', '--json', ...args)).out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id);
    expect(await selected('--state', 'rejected,expired')).toEqual([rejected]);
    expect(await selected('--order', '70', '--person', ANN)).toEqual([renewal]);
    expect(await selected('--person', 'W0CLARA')).toEqual([newest]);
    expect(await selected('--since', new Date(START + 1).toISOString())).toEqual([newest]);
    expect(await selected('--limit', '2')).toEqual([renewal, newest]);
    expect(JSON.parse((await run(url, 'show', '70', '--json')).out)).toMatchObject({ id: renewal, entries: [{}] });
  });

  test('looks in a transaction that cannot write', async () => {
    const url = await freshDatabase();
    await openAt(url);
    const view = await viewLedger({ kind: 'postgres', url });
    afterwards(() => view.close());
    await expect(view.sql.run('DELETE FROM drafts')).rejects.toThrow('read-only');
  });

  test('tells how things stand, by the clock of the server', async () => {
    const url = await freshDatabase();
    const { ledger, instances } = await openAt(url);
    await filed(ledger);
    await instances.beat(
      { id: 'one', version: '0.1.0', policyHash: 'p', vendorHash: 'v', policySince: 1, slack: 'connected' },
      1,
    );
    const { code, out, err } = await run(url, 'status', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      database: 'postgres',
      frozen: null,
      purchases: { requested: 1 },
      undelivered: 0,
      instances: [{ id: 'one' }],
    });
    const text = (await run(url, 'status')).out;
    expect(text).toMatch(/^ledger +PostgreSQL at 127\.0\.0\.1:\d+\/desk_\d+, schema \d+$/m);
    expect(text).not.toContain(new URL(url).password);
  });

  test('freezes and unfreezes beside a running bot', async () => {
    const url = await freshDatabase();
    const { ledger, outbox } = await openAt(url);
    expect(await run(url, 'freeze', 'lost', 'token')).toMatchObject({ code: 0, out: '' });
    expect(await ledger.freeze()).toMatchObject({ by: OPERATOR, reason: 'lost token' });
    expect(await run(url, 'unfreeze')).toMatchObject({ code: 0, out: '' });
    expect(await ledger.freeze()).toBeNull();
    expect(await outbox.leaseNotices(9, 1)).toMatchObject([{ kind: 'frozen' }, { kind: 'unfrozen', by: OPERATOR }]);
  });

  test('does not unfreeze what was frozen in the very moment, since the database was moved', async () => {
    const url = await freshDatabase();
    const { ledger, database, close } = await openAt(url);
    await setFreeze(ledger, 'lost token', ANN);
    await database.write((sql) => sql.run(`UPDATE home SET identity = 'another server'`));
    await close();
    const { code, err } = await run(url, 'unfreeze');
    expect(code).toBe(1);
    expect(err).toMatch(/frozen only now, by desk since .*: the database was restored, copied or moved.*lost token/);
    expect(await (await openAt(url)).ledger.freeze()).toMatchObject({ by: 'desk' });
    expect((await run(url, 'unfreeze')).code).toBe(0);
    expect(await (await openAt(url)).ledger.freeze()).toBeNull();
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
