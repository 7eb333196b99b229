import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { DatabaseConfig } from '../../src/ledger/place.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { ImportedOrder } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { run } from '../support/bot.ts';
import { MONTHLY } from '../support/plan.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand, ledgerCommandHeard } from './command.ts';
import { ANN, anAttempt, BEN, closeAfterwards, filed, HOUR, setFreeze, WAY_TO, walked } from './fixture.ts';
import { MANY, manyOrders } from './many-orders.ts';

const DAY = 24 * HOUR;
const id = (text: string) => text as OrderId;

/** A ledger whose bot still runs, with the time as it is: ends are seen from now. */
async function bookIn(config: DatabaseConfig = { kind: 'sqlite', path: scratchFile() }) {
  const now = Date.now();
  const opened = closeAfterwards(await openLedger(config));
  const writeDown = (orderId: string, over: Partial<ImportedOrder> = {}) => {
    const detail = {
      kind: 'order_imported',
      plan: MONTHLY,
      basket: [{ country: 'US', quantity: 10 }],
      boughtAt: now - 10 * DAY,
      owner: null,
      note: null,
      ...over,
    } as const;
    return opened.orders.change([id(orderId)], () => ({
      result: null,
      entries: [{ orderId: id(orderId), by: BEN, detail }],
    }));
  };
  return { ...opened, config, now, writeDown };
}

const lines = (out: string) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('ledger orders', () => {
  test('--json is one line an order, with what it adds up to from the ledger’s lines', async () => {
    const { config, ledger, now, orders, writeDown } = await bookIn();
    const bought = await filed(ledger, { orderId: id('9007199254740993') });
    await walked(ledger, bought, 'approved');
    await ledger.change(bought, () => ({
      result: null,
      by: BEN,
      to: 'sending',
      set: { attempt: anAttempt({ at: now }) },
    }));
    await walked(ledger, bought, 'completed');
    await writeDown('5', { boughtAt: now - 26 * DAY, owner: ANN, note: 'by hand' });
    await writeDown('6', { boughtAt: now - 90 * DAY });
    await walked(
      ledger,
      await filed(ledger, { kind: 'renew', orderId: id('7'), quantity: null, basket: [] }),
      ...WAY_TO.completed,
    );
    await orders.change([id('5')], () => ({
      result: null,
      entries: [{ orderId: id('5'), by: ANN, detail: { kind: 'order_owner', owner: BEN, before: ANN } }],
    }));
    const { code, out, err } = await ledgerCommand(config, 'orders', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const found = lines(out);
    expect(found.map(({ orderId, state, source }) => [orderId, state, source])).toEqual([
      ['5', 'ending', 'imported'],
      ['6', 'ended', 'imported'],
      ['7', 'end not known', 'renewed'],
      ['9007199254740993', 'active', 'bought'],
    ]);
    expect(found[0]).toEqual({
      orderId: '5',
      plan: MONTHLY.productId,
      basket: [{ country: 'US', quantity: 10 }],
      quantity: 10,
      owner: BEN,
      note: 'by hand',
      boughtAt: new Date(now - 26 * DAY).toISOString(),
      renewals: 0,
      endsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      state: 'ending',
      source: 'imported',
    });
    expect(found[2]).toMatchObject({
      quantity: null,
      basket: [],
      boughtAt: null,
      endsAt: null,
      renewals: 1,
      owner: ANN,
    });
  });

  test('--csv is safe in a spreadsheet: ids keep every digit, and a note is no formula', async () => {
    const { config, writeDown } = await bookIn();
    await writeDown('98765432109876543210', { owner: ANN, note: '=HYPERLINK("https://evil.example")' });
    const { out } = await ledgerCommand(config, 'orders', '--csv');
    const [head, row, ...rest] = out.split('\r\n');
    expect(head).toBe('order_id,plan,basket,quantity,owner,note,bought_at,renewals,ends_at,state,source');
    expect(row).toMatch(
      /^'98765432109876543210,lt-monthly,US 10,10,U0ANN,"'=HYPERLINK\(""https:\/\/evil\.example""\)",20.*Z,0,20.*Z,active,imported$/,
    );
    expect(rest).toEqual(['']);
  });

  test('otherwise is a table, with nothing in it that a terminal obeys', async () => {
    const { config, writeDown } = await bookIn();
    expect((await ledgerCommand(config, 'orders')).out).toMatch(/^ORDER +ENDS \(UTC, COMPUTED\) +STATE.*NOTE\n$/);
    await writeDown('5', { note: 'red \u001b[31m\u202e' });
    expect((await ledgerCommand(config, 'orders')).out).toMatch(
      /\n5 +20\d\d-.* active +- +lt-monthly +0 +US 10 +red \\u001b\[31m\\u202e\n$/,
    );
  });

  test('goes by the ledger’s lines, not by what the bot finds orders by', async () => {
    const { config, database, writeDown } = await bookIn();
    await writeDown('5');
    await database.write((sql) => sql.run('DELETE FROM orders'));
    expect(lines((await ledgerCommand(config, 'orders', '--json')).out)).toHaveLength(1);
  });

  test('prints 10,000 a page at a time, each once, as they were at one moment', async () => {
    const book = await bookIn();
    await manyOrders(book);
    await book.writeDown('10001');
    const texts: string[] = [];
    let changed: Promise<unknown> | undefined;
    const stdout = async (text: string) => {
      texts.push(text);
      changed ??= book.writeDown('99999999');
      await changed;
    };
    const { code, out } = await ledgerCommandHeard({ config: book.config, stdout }, 'orders', '--json');
    const ids = lines(out).map(({ orderId }) => orderId);
    expect({ code, count: ids.length, once: new Set(ids).size }).toEqual({ code: 0, count: MANY + 1, once: MANY + 1 });
    expect(Math.max(...texts.map((text) => text.split('\n').length - 1))).toBeLessThanOrEqual(200);
  });

  test.each([
    [['orders', '--json', '--csv'], 'orders takes --json or --csv, not both'],
    [['orders', 'mine'], 'orders does not take mine'],
  ])('%j is not understood', async (args, words) => {
    const { config } = await bookIn();
    const { code, out, err } = await ledgerCommand(config, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
  });

  test('calls ending what the policy says, and says so on standard error where it cannot be read', async () => {
    const { config, now, writeDown } = await bookIn();
    await writeDown('5', { boughtAt: now - 20 * DAY });
    const env = { DATABASE_URL: `sqlite:${'path' in config ? config.path : ''}` };
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const command = [process.execPath, main, 'ledger', 'orders', '--json'] as const;
    const without = await run({ env: { ...env, POLICY_FILE: '/nowhere/policy.yml' }, cwd: tmpdir(), command });
    expect(without.code).toBe(0);
    expect(lines(without.stdout)).toMatchObject([{ state: 'active' }]);
    expect(without.stderr).toMatch(/^ledger: the policy cannot be read, so .*\n$/);
    const example = fileURLToPath(new URL('../../policy.example.yml', import.meta.url));
    const withOne = await run({ env: { ...env, POLICY_FILE: example }, cwd: tmpdir(), command });
    expect({ code: withOne.code, stderr: withOne.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('what belongs to no purchase', () => {
  const WILD = 'note\u001b[31m "x"\u202e';

  async function talkedAbout() {
    const book = await bookIn();
    await book.writeDown('70', { note: WILD });
    await book.orders.change([id('70')], () => ({
      result: null,
      entries: [{ orderId: id('70'), by: ANN, detail: { kind: 'order_owner', owner: BEN, before: null } }],
    }));
    await book.writeDown('700');
    const saved = { id: 'B1', name: 'Weekly', basket: [{ country: 'US', quantity: 2 }], plan: null };
    await book.baskets.change(() => ({ result: null, entry: { by: ANN, detail: { kind: 'basket_saved', ...saved } } }));
    await setFreeze(book.ledger, 'lost token', BEN);
    return book;
  }

  test('is printed by show of an order, whether it was bought by us or not', async () => {
    const { config } = await talkedAbout();
    const { code, out } = await ledgerCommand(config, 'show', '0070', '--json');
    expect(code).toBe(0);
    expect(lines(out)).toMatchObject([
      {
        orderId: '70',
        entries: [
          { by: BEN, kind: 'order_imported', basket: [{ country: 'US', quantity: 10 }], note: WILD },
          { by: ANN, kind: 'order_owner', owner: BEN, before: null },
        ],
      },
    ]);
    const text = (await ledgerCommand(config, 'show', '70')).out;
    expect(text).toMatch(
      /^order 70\n\n\S+Z {2}U0BEN {2}order 70 {2}order_imported {2}\{.*\}\n\S+Z {2}U0ANN.*order_owner.*\n$/,
    );
    for (const obeyed of ['\u001b', '\u202e']) expect(text).not.toContain(obeyed);
  });

  test('is printed by said, all of it, in the order of the ledger, as JSON and for people', async () => {
    const { config } = await talkedAbout();
    const { out } = await ledgerCommand(config, 'said', '--json');
    expect(lines(out)).toMatchObject([
      { orderId: '70', kind: 'order_imported' },
      { orderId: '70', kind: 'order_owner' },
      { orderId: '700', kind: 'order_imported' },
      { orderId: null, kind: 'basket_saved', by: ANN, name: 'Weekly' },
      { orderId: null, kind: 'frozen', by: BEN, reason: 'lost token' },
    ]);
    const text = (await ledgerCommand(config, 'said')).out;
    expect(text.split('\n')).toHaveLength(6);
    for (const obeyed of ['\u001b', '\u202e']) expect(text).not.toContain(obeyed);
  });

  test('says of a fall of the balance that somebody knows about which movement it is', async () => {
    const { account, alerts, config } = await bookIn();
    for (const balance of ['1000', '952'])
      await account.keep(await account.ticket(), {
        balance: balance as Money,
        asker: 'command',
        taken: { process: 'one', ms: 0 },
      });
    const [fall] = await account.movementsAfter(0);
    const entry = { by: ANN, detail: { kind: 'fall_known', note: 'mine' } } as const;
    await alerts.change(fall?.seq ?? 0, () => ({ result: null, entry, click: 'done' }), 'click');
    const [movement] = lines((await ledgerCommand(config, 'movements', '--json')).out);
    const said = lines((await ledgerCommand(config, 'said', '--json')).out);
    expect(said).toMatchObject([{ by: ANN, kind: 'fall_known', note: 'mine', orderId: null, fellAt: movement.to }]);
    expect((await ledgerCommand(config, 'said')).out).toContain(`fall of ${movement.to}  fall_known`);
  });
});
