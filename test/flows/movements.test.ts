import { describe, expect, it } from 'vitest';
import { runLedgerCommand } from '../../src/ledger/cli/index.ts';
import { type Office, openOffice, VIEWER } from '../support/office.ts';
import { buyNow, command, hears, reaches, until } from '../support/steps.ts';

const QUARTER = 15 * 60_000;

/** What `ledger -- movements --json` prints. */
async function movements({ config }: Office): Promise<readonly Record<string, unknown>[]> {
  let printed = '';
  const code = await runLedgerCommand(['movements', '--json'], {
    config: config.database,
    readAddress: () => config.database,
    timeZone: async () => 'UTC',
    readPlans: async () => [],
    readStdin: async () => new Uint8Array(),
    endingWithinMs: async () => 0,
    keeping: async () => null,
    stdout: (text) => {
      printed += text;
    },
    stderr: (text) => {
      throw new Error(text);
    },
  });
  expect(code).toBe(0);
  return printed.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
}

async function askers({ books }: Office): Promise<readonly unknown[]> {
  const rows = await books.database.read((sql) => sql.all('SELECT asker FROM balance_readings ORDER BY seq'));
  return rows.map(({ asker }) => asker);
}

describe('what the balance does between readings', () => {
  it('is told, whoever asked for them: a person, a purchase, the interval', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: 15m }' });
    await command(office, 'balance', VIEWER);
    await until(async () => (await askers(office)).includes('command'), 'a balance that was asked for');
    const id = await buyNow(office, 'US 3');
    await reaches(office, id, 'completed');
    await until(async () => (await movements(office)).length === 1, 'the purchase');

    // Somebody buys in the vendor's console.
    office.vendor.balance = '942.40';
    office.clock.advance(QUARTER);
    await until(async () => (await movements(office)).length === 2, 'what somebody else spent');
    office.vendor.balance = '1442.40';
    office.clock.advance(QUARTER);
    await until(async () => (await movements(office)).length === 3, 'a top-up');

    const told = await movements(office);
    expect(
      told.map(({ before, after, difference, kind, purchases }) => [before, after, difference, kind, purchases]),
    ).toEqual([
      ['1000.00', '990.40', '-9.60', 'ours', [id]],
      ['990.40', '942.40', '-48.00', 'elsewhere', []],
      ['942.40', '1442.40', '500.00', 'top_up', []],
    ]);
    for (const { from, to } of told) {
      expect(from).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
      expect(Date.parse(String(to))).toBeGreaterThanOrEqual(Date.parse(String(from)));
    }
    const all = await askers(office);
    for (const asker of ['command', 'form', 'before', 'after', 'interval']) expect(all).toContain(asker);
    expect(
      await office.books.account.estimates([
        { kind: 'buy', productId: 'lt-monthly', basket: [{ country: 'US', quantity: 5 }] },
      ]),
    ).toMatchObject([{ amount: { amount: '16.00', divisor: 1n }, observations: 1 }]);
  });

  it('is asked for ever less often while the vendor is away, as late as it says, and by one process of two', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: 15m }' });
    await office.another();
    office.vendor.always('balance', { name: 'rate_limit', retryAfter: '7200' });
    const asked = () => office.vendor.requests.filter(({ raw }) => raw.startsWith('GET ')).length;
    office.clock.advance(60_000);
    await until(async () => (await failures(office)) === 1, 'the first failure');
    const first = asked();
    office.clock.advance(7_100_000);
    await looks(office);
    expect(asked()).toBe(first);
    office.vendor.behave();
    office.clock.advance(100_000);
    await until(async () => (await askers(office)).length > 0, 'the first reading');
    expect(await askers(office)).toEqual(['interval']);
    await until(async () => (await failures(office)) === 0, 'an end of the failures');
  });

  it('is waited for as long as the vendor wants it; a purchase is not', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: 15m }' });
    office.vendor.always('balance', { name: 'rate_limit', retryAfter: '7200' });
    office.clock.advance(60_000);
    await until(async () => (await failures(office)) === 1, 'the first failure');
    office.vendor.behave();
    await reaches(office, await buyNow(office, 'US 3'), 'completed');
    const all = await askers(office);
    expect(all).toContain('before');
    expect(all).not.toContain('interval');
  });

  it('cannot be told for want of the ledger, and whoever asks for the balance has it all the same', async () => {
    const office = await openOffice();
    await office.books.database.write((sql) => sql.script('DROP TABLE balance_readings'));
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, '$1,000.00');
    await hears(office, VIEWER, 'What it was before could not be read');
    await reaches(office, await buyNow(office, 'US 3'), 'completed');
  });

  it('freezes spending where the vendor refuses the account to the interval', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: 15m }' });
    office.vendor.always('balance', { name: 'empty', status: 401 });
    office.clock.advance(60_000);
    await until(async () => (await office.books.ledger.freeze()) !== null, 'the freeze');
  });
});

async function failures({ books }: Office): Promise<unknown> {
  const [desk] = await books.database.read((sql) => sql.all('SELECT interval_failures FROM desk'));
  return desk?.['interval_failures'];
}

/** Waits until the bot has looked once more at what is due. */
async function looks(office: Office): Promise<void> {
  await command(office, 'requests', VIEWER);
}
