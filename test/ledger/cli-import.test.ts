import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { orderOf } from '../../src/purchasing/rules/orders.ts';
import { MAIN, run } from '../support/bot.ts';
import { policyYaml } from '../support/policy.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommandHeard } from './command.ts';
import { ANN, BEN, closeAfterwards, filed, WAY_TO, walked } from './fixture.ts';

const OPERATOR = `operator:${userInfo().username}`;
const HEADER = 'order_id,product_id,countries,bought_on,owner,note';
const GOOD = `${HEADER}\n9007199254740993,lt-monthly,US 10; DE 5,2026-01-31,U0ANN,"ours, =really"\n8,lt-yearly,FR 1,,,\n`;

async function running() {
  const path = scratchFile();
  const config = { kind: 'sqlite', path } as const;
  const opened = closeAfterwards(await openLedger(config));
  const file = `${path}.csv`;
  /** A text is the list, in a file. */
  const importing = (list: string | Uint8Array, ...args: string[]) => {
    writeFileSync(file, list);
    return ledgerCommandHeard({ config }, 'import', file, ...args);
  };
  const entries = () =>
    opened.database.read((sql) =>
      sql.all('SELECT by, kind, order_id FROM entries WHERE order_id IS NOT NULL ORDER BY seq'),
    );
  return { config, file, importing, entries, ...opened };
}

describe('ledger import', () => {
  test('adds all orders of a list in the operator’s name, beside a running bot, and prints the number', async () => {
    const { importing, entries, ledger, orders } = await running();
    expect(await importing(GOOD)).toEqual({ code: 0, out: '2 orders added, 0 already there\n', err: '' });
    expect(await entries()).toEqual([
      { by: OPERATOR, kind: 'order_imported', order_id: '9007199254740993' },
      { by: OPERATOR, kind: 'order_imported', order_id: '8' },
    ]);
    expect(orderOf(await ledger.order('9007199254740993'))).toMatchObject({
      source: 'imported',
      plan: { productId: 'lt-monthly', term: { amount: 1, unit: 'month' } },
      quantity: 15,
      owner: 'U0ANN',
      note: 'ours, =really',
      boughtAt: Date.UTC(2026, 0, 31),
      endsAt: Date.UTC(2026, 1, 28),
    });
    expect(await orders.page({ which: 'all', endingWithinMs: 1 }, 0, 10)).toMatchObject({ total: 2 });
  });

  test('adds nothing when the same list comes again, and only the rest of a longer one', async () => {
    const { importing, entries } = await running();
    await importing(GOOD);
    expect(await importing(GOOD)).toMatchObject({ code: 0, out: '0 orders added, 2 already there\n' });
    expect(await importing(`${GOOD}9,lt-monthly,US 1,,,\n`)).toMatchObject({
      code: 0,
      out: '1 order added, 2 already there\n',
    });
    expect(await entries()).toHaveLength(3);
  });

  test('says every line that is wrong with its number, writes nothing, and fails', async () => {
    const { importing, entries, ledger } = await running();
    const bought = await walked(ledger, await filed(ledger, { orderId: null }), ...WAY_TO.completed);
    await ledger.change(bought, () => ({ result: null, by: ANN, set: { orderId: '77' } }));
    await importing(`${HEADER}\n5,lt-monthly,US 1,,,\n`);
    const { code, out, err } = await importing(
      [
        HEADER,
        '6,lt-monthly,US 1,,,',
        '77,lt-monthly,US 1,,,',
        '5,lt-monthly,US 2,,,',
        'x,lt-montly,XX 1,2026-02-30,ann@example.org,',
        '7,lt-monthly,US 1,2199-01-01,,\u001b[31m',
      ].join('\n'),
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n')).toEqual([
      'ledger: nothing was added: 4 lines of the list are wrong',
      expect.stringMatching(
        `^line 3, order_id: The ledger holds this order already: request ${bought}, bought by ${ANN}, \\S+Z\\. Leave the line out\\.$`,
      ),
      expect.stringMatching(
        `^line 4, order_id: It was imported before with other content \\(countries\\), by ${OPERATOR}, \\S+Z\\.`,
      ),
      expect.stringMatching(/^line 5, order_id: “x” is not an order id/),
      'line 5, product_id: “lt-montly” is not the product_id of a plan in the policy. Those are: lt-monthly, lt-yearly.',
      expect.stringMatching(/^line 5, countries: “XX” is not a country\./),
      'line 5, bought_on: 2026-02-30 is not in the calendar.',
      'line 5, owner: “ann@example.org” cannot be looked up without Slack. Write the Slack user id, or import the list in Slack.',
      'line 6, bought_on: This day has not begun yet. (Days begin at midnight UTC.)',
      '',
    ]);
    expect(await entries()).toHaveLength(1);
  });

  test('with --dry-run shows what would be added, writes nothing, and leaves the file as it is', async () => {
    const path = scratchFile();
    const config = { kind: 'sqlite', path } as const;
    await (await openLedger(config)).close();
    const before = readFileSync(path);
    writeFileSync(`${path}.csv`, GOOD);
    expect(await ledgerCommandHeard({ config }, 'import', '--dry-run', `${path}.csv`)).toEqual({
      code: 0,
      err: '',
      out: [
        '9007199254740993  US 10, DE 5  lt-monthly  2026-01-31  U0ANN  ours, =really',
        '8  FR 1  lt-yearly  -  -  -',
        '2 orders would be added, 0 already there; nothing was written',
        '',
      ].join('\n'),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('reads standard input', async () => {
    const { config, entries } = await running();
    const readStdin = async () => new TextEncoder().encode(GOOD);
    expect(await ledgerCommandHeard({ config, readStdin }, 'import', '-')).toMatchObject({ code: 0, err: '' });
    expect(await entries()).toHaveLength(2);
  });

  test.each<[string, Uint8Array]>([
    ['UTF-8 with its mark', Buffer.from(`\ufeff${GOOD.replace('ours', 'Zürich 東京')}`)],
    [
      'UTF-16, as spreadsheets call “Unicode text”',
      Buffer.from(`\ufeff${GOOD.replace('ours', 'Zürich 東京')}`, 'utf16le'),
    ],
  ])('reads %s', async (_, bytes) => {
    const { importing, ledger } = await running();
    expect(await importing(bytes)).toMatchObject({ code: 0, err: '' });
    expect(orderOf(await ledger.order('9007199254740993'))?.note).toBe('Zürich 東京, =really');
  });

  test.each<[string, (file: string) => void, RegExp]>([
    [
      'another encoding',
      (file) => writeFileSync(file, Buffer.from(GOOD.replace('ours', 'Zürich'), 'latin1')),
      /not UTF-8: save it as “CSV UTF-8”/,
    ],
    ['a file that is not there', () => {}, /cannot be read: ENOENT/],
    ['another file altogether', (file) => writeFileSync(file, Buffer.alloc(20_000_001)), /larger than 20 MB/],
  ])('refuses %s', async (_, prepare, words) => {
    const { config, file, entries } = await running();
    prepare(file);
    const { code, out, err } = await ledgerCommandHeard({ config }, 'import', file);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(words);
    expect(await entries()).toEqual([]);
  });

  test.each([[['import']], [['import', 'a', 'b']], [['import', 'a', '--json']]])(
    'is not understood as %j',
    async (args) => {
      const { config } = await running();
      expect(await ledgerCommandHeard({ config }, ...args)).toMatchObject({ code: 2, out: '' });
    },
  );

  test('two at once add each order once', async () => {
    const { config, importing, entries, file } = await running();
    const done = await Promise.all([importing(GOOD), ledgerCommandHeard({ config }, 'import', file)]);
    expect(done.map(({ out }) => out).sort()).toEqual([
      '0 orders added, 2 already there\n',
      '2 orders added, 0 already there\n',
    ]);
    expect(await entries()).toHaveLength(2);
  });

  test('an approver’s import in Slack is another’s too: by whom is told', async () => {
    const { importing, orders, ledger } = await running();
    await importing(GOOD);
    const { entries } = await ledger.order('8');
    const detail = { ...entries[0]?.detail, note: 'x' } as (typeof entries)[number]['detail'];
    await orders.change(['10'], () => ({ result: null, entries: [{ orderId: '10', by: BEN, detail }] }));
    expect((await importing(`${HEADER}\n10,lt-yearly,FR 1,,,y\n`)).err).toMatch(
      /imported before with other content \(note\), by U0BEN/,
    );
  });
});

describe('ledger import as a program', () => {
  const program = (env: Record<string, string>, script: string, cwd: string) =>
    run({ env, cwd, command: ['bash', '-c', script, process.execPath, MAIN] });

  test('takes the plans from POLICY_FILE, and a list from a pipe', async () => {
    const { config, entries, file } = await running();
    writeFileSync(file, GOOD.replace('lt-yearly', 'lt-monthly'));
    const policy = `${config.path}.yml`;
    writeFileSync(policy, policyYaml());
    const env = { DATABASE_URL: `sqlite:${config.path}`, POLICY_FILE: policy, FILE: file };
    const { code, stdout, stderr } = await program(env, '"$0" "$1" ledger import - < "$FILE"', tmpdir());
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '2 orders added, 0 already there\n', stderr: '' });
    expect(await entries()).toHaveLength(2);
  });

  test('says so where there is no policy, and adds nothing', async () => {
    const { config, entries, file } = await running();
    writeFileSync(file, GOOD);
    const env = { DATABASE_URL: `sqlite:${config.path}`, POLICY_FILE: '/nowhere/policy.yml', FILE: file };
    const { code, stdout, stderr } = await program(env, '"$0" "$1" ledger import "$FILE"', tmpdir());
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toBe(
      'POLICY_FILE names "/nowhere/policy.yml", which is not there: copy policy.example.yml there, and fill it in.\n',
    );
    expect(await entries()).toEqual([]);
  });
});
