import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { scratchFile } from '../support/scratch.ts';
import { aBatch, filedBatch } from './batches.ts';
import { ledgerCommand } from './command.ts';
import { ANN, ANSWER, BEN, closeAfterwards, filed, START, setFreeze, WAY_TO, walked } from './fixture.ts';

const run = (path: string, ...args: string[]) => ledgerCommand({ kind: 'sqlite', path }, ...args);

/** A ledger that a bot has open. */
async function running() {
  const path = scratchFile();
  return { path, ...closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START)) };
}

const ADDRESS = 'postgres://desk:s3cret-s3cret@db/desk';

const parsed = (out: string) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('ledger list', () => {
  test('prints one JSON line a purchase, oldest first, while the bot runs and is frozen', async () => {
    const { path, ledger } = await running();
    const buy = await walked(
      ledger,
      await filed(ledger, { reason: 'two\nlines "quoted"' }),
      'approved',
      'sending',
      'completed',
    );
    const orderId = '90071992547409931234';
    await ledger.change(buy, () => ({ result: null, by: ANN, set: { orderId } }));
    const renewal = await filed(ledger, { kind: 'renew', orderId: '7', quantity: null, basket: [], state: 'approved' });
    await setFreeze(ledger, 'stop', BEN);

    const { code, out, err } = await run(path, 'list', '--json');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(parsed(out)).toEqual([
      {
        id: buy,
        kind: 'buy',
        state: 'completed',
        requester: ANN,
        approver: BEN,
        firstApprover: null,
        plan: 'lt-monthly',
        planName: 'Static residential, monthly',
        basket: [
          { country: 'DE', quantity: 1 },
          { country: 'US', quantity: 2 },
        ],
        quantity: 3,
        orderId,
        reason: 'two\nlines "quoted"',
        needsApproval: true,
        createdAt: '2026-01-31T12:00:00.000Z',
        changedAt: '2026-01-31T12:00:00.000Z',
        expiresAt: '2026-02-01T12:00:00.000Z',
        sendBy: '2026-01-31T12:15:00.000Z',
        attempts: 1,
        sentAt: '2026-01-31T12:00:00.000Z',
        balanceBefore: '12.50',
        balanceBeforeAt: '2026-01-31T12:00:00.000Z',
        declinedHow: null,
        why: null,
        batch: null,
      },
      expect.objectContaining({
        id: renewal,
        kind: 'renew',
        state: 'approved',
        approver: null,
        basket: [],
        quantity: null,
        orderId: '7',
        needsApproval: false,
        sentAt: null,
        balanceBefore: null,
      }),
    ]);
  });

  test('names both who approved where two had to, and the first of them from the first yes on', async () => {
    const { path, ledger } = await running();
    const id = await filed(ledger);
    const yes = () => ledger.change(id, () => ({ result: null, by: 'U0FIRST', set: { firstApprover: 'U0FIRST' } }));
    await yes();
    const listed = async () => parsed((await run(path, 'list', '--json')).out);
    expect(await listed()).toMatchObject([{ state: 'requested', firstApprover: 'U0FIRST', approver: null }]);
    await walked(ledger, id, 'approved');
    expect(await listed()).toMatchObject([{ firstApprover: 'U0FIRST', approver: BEN }]);
    await walked(ledger, id, 'expired');
    expect(await listed()).toMatchObject([{ firstApprover: null, approver: null }]);
  });

  test('prints nothing at all for a ledger without purchases', async () => {
    const { path } = await running();
    expect(await run(path, 'list', '--json')).toEqual({ code: 0, out: '', err: '' });
  });

  test.each(['withdrawn', 'expired'] as const)(
    'names no approver where the decision did not hold in the end: %s after it was approved',
    async (end) => {
      const { path, ledger } = await running();
      const id = await walked(ledger, await filed(ledger), 'approved', end);
      const kept = await walked(ledger, await filed(ledger), 'approved');
      expect((await ledger.record(id))?.purchase.approver).toBe(BEN);
      expect(parsed((await run(path, 'list', '--json')).out)).toMatchObject([
        { id, state: end, approver: null },
        { id: kept, state: 'approved', approver: BEN },
      ]);
      const table = (await run(path, 'list')).out.split('\n');
      expect(table.map((line) => line.includes(BEN))).toEqual([false, false, true, false]);
    },
  );

  test('is an aligned table for people, with nothing in it that a terminal obeys', async () => {
    const { path, ledger } = await running();
    await filed(ledger, { id: 'short', reason: 'red \u001b[31m\u202etxt\nnext' });
    await filed(ledger, { id: 'a-longer-id', reason: 'plain' });
    const { out } = await run(path, 'list');
    expect(out).toBe(
      [
        'ID           CREATED (UTC)     STATE      KIND  REQUESTER  APPROVER  ORDER  IPS         REASON',
        'short        2026-01-31 12:00  requested  buy   U0ANN      -         -      DE 1, US 2  red \\u001b[31m\\u202etxt\\nnext',
        'a-longer-id  2026-01-31 12:00  requested  buy   U0ANN      -         -      DE 1, US 2  plain',
        '',
      ].join('\n'),
    );
  });
});

describe('ledger show', () => {
  const rawBody = '{"code":200,\r\n"order_id":9007199254740993,"x":"\u009b31m"}';

  async function answered() {
    const { path, ledger } = await running();
    const id = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
    const detail = { kind: 'answer', attemptId: 'attempt 1', answer: { ...ANSWER, rawBody }, late: false } as const;
    const entries = [{ by: 'desk', from: null, to: null, detail }];
    await ledger.change(id, () => ({
      result: null,
      by: 'desk',
      to: 'completed',
      entries,
      evidence: { why: 'it said so' },
    }));
    return { path, id };
  }

  test("prints the purchase and its entries in time order, with the vendor's raw answer", async () => {
    const { path, id } = await answered();
    const { code, out } = await run(path, 'show', id);
    expect(code).toBe(0);
    const order = [
      'filed -> requested',
      'requested -> approved',
      'approved -> sending',
      'answer',
      'sending -> completed',
    ];
    const places = order.map((text) => out.indexOf(`  ${text}  `));
    expect(places.every((place, n) => place > (places[n - 1] ?? 0))).toBe(true);
    expect(out).toContain('    {"code":200,\\r\n    "order_id":9007199254740993,"x":"\\u009b31m"}\n');
  });

  test('prints one JSON object with --json, the raw answer as it came', async () => {
    const { path, id } = await answered();
    const { out } = await run(path, 'show', id, '--json');
    const [record] = parsed(out);
    expect(record).toMatchObject({ id, state: 'completed', plan: 'lt-monthly' });
    expect(record?.['entries']).toMatchObject([
      { by: ANN, from: null, to: 'requested', kind: 'transition', at: '2026-01-31T12:00:00.000Z' },
      { to: 'approved' },
      { to: 'sending' },
      { kind: 'answer', answer: { rawBody } },
      { to: 'completed', evidence: { why: 'it said so' } },
    ]);
    expect(out).not.toContain('\u009b');
  });

  test('prints all purchases of an order id, the oldest first', async () => {
    const { path, ledger } = await running();
    const bought = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
    await ledger.change(bought, () => ({ result: null, by: ANN, set: { orderId: '70' } }));
    const renewed = await filed(ledger, { kind: 'renew', orderId: '70', quantity: null, basket: [] });
    await filed(ledger, { kind: 'renew', orderId: '7', quantity: null, basket: [] });
    const { out } = await run(path, 'show', '0070', '--json');
    expect(parsed(out)).toMatchObject([
      { id: bought, entries: [{}, {}, {}, {}] },
      { id: renewed, entries: [{ to: 'requested' }] },
    ]);
    const text = (await run(path, 'show', '70')).out;
    expect(text.split('\n\nid ')).toHaveLength(2);
    expect(text.indexOf(bought)).toBeLessThan(text.indexOf(renewed));
  });

  test('says so when there is no such purchase', async () => {
    const { path } = await running();
    expect(await run(path, 'show', 'nothing')).toEqual({
      code: 1,
      out: '',
      err: 'ledger: there is no purchase nothing\n',
    });
    expect((await run(path, 'show', '123')).err).toBe('ledger: there is no purchase 123, nor one of an order 123\n');
  });
});

describe('renewals that were asked for together', () => {
  test('tell the id of their batch everywhere, and are shown by it, each with its entries', async () => {
    const { path, ledger } = await running();
    const batch = aBatch(2);
    const ids = await filedBatch(ledger, batch);
    const alone = await filed(ledger);
    expect(parsed((await run(path, 'list', '--json')).out).map(({ id, batch: of }) => [id, of])).toEqual([
      ...ids.map((id) => [id, batch.id]),
      [alone, null],
    ]);
    const shown = parsed((await run(path, 'show', batch.id, '--json')).out);
    expect(shown.map(({ id, batch: of, entries }) => [id, of, (entries as unknown[]).length])).toEqual(
      ids.map((id) => [id, batch.id, 1]),
    );
    expect((await run(path, 'show', ids[0] ?? '')).out).toContain(`batch            ${batch.id}`);
    const rows = (await run(path, 'export')).out.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',').at(-1))).toEqual([batch.id, batch.id, '']);
    expect(await run(path, 'show', 'nobody')).toMatchObject({ code: 1, out: '' });
  });
});

describe('ledger export', () => {
  test('tells what the balance did, and who settled an unknown outcome with which note', async () => {
    const { path, ledger } = await running();
    const id = await walked(ledger, await filed(ledger), ...WAY_TO.unknown);
    const read = (balance: string, alone: boolean) => ({
      by: 'desk',
      from: null,
      to: null,
      detail: { kind: 'reading', nth: 0, balance: balance as Money, readAt: START, why: null, alone } as const,
    });
    await ledger.change(id, () => ({
      result: null,
      by: 'desk',
      entries: [read('12.50', true), read('2.25', true), read('1.00', false)],
    }));
    const evidence = { placed: true, note: '=seen, in the console', orderId: null };
    await ledger.change(id, () => ({ result: null, by: BEN, to: 'completed', evidence, set: { why: evidence.note } }));
    const [, row] = (await run(path, 'export')).out.split('\r\n');
    expect(row).toMatch(/,12\.50,,"'=seen, in the console",2\.25,-10\.25,U0BEN,"'=seen, in the console",$/);
  });

  test('is CSV whose text is harmless, whose numbers are numbers and whose ids keep every digit', async () => {
    const { path, ledger } = await running();
    const id = await walked(ledger, await filed(ledger, { reason: '=HYPERLINK("http://x","y")' }), ...WAY_TO.completed);
    await ledger.change(id, () => ({ result: null, by: ANN, set: { orderId: '9007199254740993' } }));
    const { code, out } = await run(path, 'export');
    expect(code).toBe(0);
    const when = '2026-01-31T12:00:00.000Z';
    expect(out.split('\r\n')).toEqual([
      'id,kind,state,requester,approver,first_approver,plan,plan_name,basket,quantity,order_id,reason,needs_approval,created_at,changed_at,sent_at,balance_before,declined_how,why,balance_after,difference,settled_by,note,batch',
      `${id},buy,completed,U0ANN,U0BEN,,lt-monthly,"Static residential, monthly","DE 1, US 2",3,'9007199254740993,"'=HYPERLINK(""http://x"",""y"")",yes,${when},${when},${when},12.50,,,,,,,`,
      '',
    ]);
  });
});

describe('the ledger command', () => {
  test.each([
    [['lst']],
    [['']],
    [['list', 'extra']],
    [['list', '--unknown']],
    [['show']],
    [['show', 'a', 'b']],
    [['export', 'x']],
    [['export', '--json']],
    [['backup']],
    [['backup', '-']],
  ])('explains itself on stderr when it does not understand %j', async (args) => {
    const { code, out, err } = await run('/nowhere/desk.db', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^ledger: .+\n\nUsage: /);
  });

  test.each([[[]], [['help']], [['--help']], [['-h']], [['list', '--help']], [['export', '-h']]])(
    'tells how it is used, on standard output and needing no ledger, when it is asked: %j',
    async (args) => {
      const { code, out, err } = await run('/nowhere/desk.db', ...args);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^Usage: /);
    },
  );

  test('never repeats an address that stands in the wrong place: it may hold a password', async () => {
    for (const args of [['list', ADDRESS], ['show', 'a', ADDRESS], ['export', `--json=${ADDRESS}`], [ADDRESS]]) {
      const { code, out, err } = await run('/nowhere/desk.db', ...args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).not.toContain('s3cret');
    }
  });

  test('says how an address is written, in place of one that is wrong', async () => {
    const { code, err } = await run('/nowhere/desk.db', 'copy', '--to', 'mysql://desk:s3cret-s3cret@db/desk');
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ledger: --to is neither .*postgres:\/\/.*use sqlite:\.\/data\/desk\.db or postgres:\/\/user:password@host\/name\n/,
    );
    expect(err).not.toContain('s3cret');
  });

  test('says that there is no ledger, and makes none', async () => {
    const path = scratchFile();
    for (const args of [['list', '--json'], ['show', 'p1'], ['export'], ['backup', `${path}.copy`]]) {
      const { code, out, err } = await run(path, ...args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`there is no ledger at ${path}`);
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('works when the bot is not running, and leaves the ledger as it was', async () => {
    const path = scratchFile();
    const { ledger, close } = await openLedger({ kind: 'sqlite', path }, () => START);
    const id = await filed(ledger);
    await close();
    const before = readFileSync(path);
    expect((await run(path, 'list')).out).toContain(id);
    expect(readFileSync(path).equals(before)).toBe(true);
    const { ledger: again } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
    expect(await again.open()).toHaveLength(1);
  });

  test('refuses the ledger of a newer version and a file that is none', async () => {
    const { path, database } = await running();
    await database.write((sql) => sql.run('INSERT INTO schema_migrations (version, applied_at) VALUES (1000, 0)'));
    const { code, err } = await run(path, 'list');
    expect(code).toBe(1);
    expect(err).toContain('schema 1000');
    const other = scratchFile();
    writeFileSync(other, 'not a ledger '.repeat(100));
    expect(await run(other, 'list')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('damaged') });
  });
});
