import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../src/ledger/open.ts';
import type { DatabaseConfig } from '../../src/ledger/place.ts';
import { ledgerCommand, ledgerCommandHeard } from '../ledger/command.ts';
import { BEN, closeAfterwards, filed, setFreeze, walked } from '../ledger/fixture.ts';
import { contentOf, fillWhole } from '../ledger/whole.ts';
import { scratchFile } from '../support/scratch.ts';
import { asAdmin, copyOf, emptyDatabase, theServer } from './databases.ts';

type Kind = DatabaseConfig['kind'];

const OPERATOR = `operator:${userInfo().username}`;

/** What is of the place, and no part of what is kept there. */
const OF_THE_PLACE = ['schema_migrations', 'listed_transitions', 'instances', 'policies'];

/** Written beside what was copied, since the copy is frozen. */
const OF_THE_FREEZE = ['desk', 'entries', 'notices', 'home_tabs'];

/** The messages of what is open, and the Home tabs, are owed anew, to show the freeze. */
const notYetOwed = (row: string) =>
  row
    .replace('["pending",1]', '["pending",0]')
    .replace(/\["revision",\d+\]/, '["revision",0]')
    .replace('["wanted",2]', '["wanted",1]');

const ACROSS: readonly (readonly [Kind, Kind])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
];
const WITHIN: readonly (readonly [Kind, Kind])[] = [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
];

async function nowhere(kind: Kind): Promise<DatabaseConfig> {
  return kind === 'sqlite' ? { kind, path: scratchFile() } : { kind, url: await emptyDatabase() };
}

async function filledAt(kind: Kind) {
  const config = await nowhere(kind);
  const filling = await openLedger(config);
  const ids = await fillWhole(filling);
  const content = await contentOf(filling, await tables());
  await filling.close();
  return { config, ids, content };
}

const opened = async (config: DatabaseConfig): Promise<OpenLedger> => closeAfterwards(await openLedger(config));

const address = (config: DatabaseConfig) => (config.kind === 'sqlite' ? `sqlite:${config.path}` : config.url);

const printed: string[] = [];

async function copy(from: DatabaseConfig, to: DatabaseConfig, heard?: (text: string) => Promise<void>) {
  const deps = { config: from, ...(heard && { stderr: heard }) };
  const result = await ledgerCommandHeard(deps, 'copy', '--from', address(from), '--to', address(to));
  printed.push(result.out, result.err);
  return result;
}

afterEach(async () => {
  const { password } = new URL((await theServer()).url('desk'));
  for (const text of printed.splice(0)) {
    expect(text).not.toContain(password);
    expect(text).not.toContain(decodeURIComponent(password));
  }
});

/** Empty as soon as a transaction has ended, or a balance was read: what is in it is computed again then. */
const COMPUTED_AT_ONCE = ['stale_orders', 'stale_costs'];

let known: Promise<readonly string[]> | undefined;

/** Of the ledger as it is today: a table that a later migration adds is copied too, or these tests say so. */
function tables(): Promise<readonly string[]> {
  known ??= openLedger({ kind: 'sqlite', path: scratchFile() }).then(async ({ database, close }) => {
    const rows = await database.read((sql) =>
      sql.all(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'`),
    );
    await close();
    return rows.map(({ name }) => String(name)).filter((name) => !OF_THE_PLACE.includes(name));
  });
  return known;
}

describe.each([...ACROSS, ...WITHIN])('a ledger copied from %s to %s', (fromKind, toKind) => {
  test('is the same, down to the places of messages, and is left frozen', async () => {
    const { config: from, ids, content } = await filledAt(fromKind);
    const to = await nowhere(toKind);
    const { code, out, err } = await copy(from, to);
    expect({ code, out, err }).toMatchObject({ code: 0, out: '' });
    expect(err).toMatch(/^copied 10 purchases with \d+ entries, \d+ rows in all, and compared them: they are equal$/m);

    const target = await opened(to);
    const found = await contentOf(target, await tables());
    for (const [table, rows] of Object.entries(content)) {
      if (!COMPUTED_AT_ONCE.includes(table)) expect(rows.length, table).toBeGreaterThan(0);
      if (!OF_THE_FREEZE.includes(table)) expect(found[table], table).toEqual(rows);
      else if (table !== 'desk')
        expect(found[table]?.map(notYetOwed), table).toEqual(expect.arrayContaining(rows.map(notYetOwed)));
    }
    const source = await opened(from);
    const placesIn = async ({ outbox }: OpenLedger, id: string) =>
      (await outbox.placesOf(id)).map(({ revision: _revision, ...place }) => place);
    for (const id of ids) expect(await placesIn(target, id)).toEqual(await placesIn(source, id));

    const reason = expect.stringMatching(
      /^copied from (?:SQLite|PostgreSQL) at .+: before this is unfrozen, no bot may be left on that one$/,
    );
    expect(await target.ledger.freeze()).toMatchObject({ by: OPERATOR, reason });
    expect(await target.ledger.lane()).toMatchObject({ frozen: true });
    expect((await target.outbox.leaseNotices(99, 1)).filter(({ kind }) => kind === 'frozen')).toMatchObject([
      { audience: 'approvers', by: OPERATOR, text: reason },
    ]);
  });

  test('goes on where the old one stood: numbers, and what may not be done to it', async () => {
    const { config: from } = await filledAt(fromKind);
    const to = await nowhere(toKind);
    expect((await copy(from, to)).code).toBe(0);
    const { ledger, database } = await opened(to);
    const highest = async (table: string) =>
      Number((await database.read((sql) => sql.all(`SELECT MAX(seq) AS highest FROM ${table}`)))[0]?.['highest']);
    const before = { purchases: await highest('purchases'), entries: await highest('entries') };
    const id = await walked(ledger, await filed(ledger), 'approved');
    expect(await highest('purchases')).toBe(before.purchases + 1);
    expect(await highest('entries')).toBe(before.entries + 2);
    for (const [statement, refused] of [
      ['DELETE FROM entries', 'append-only'],
      ['DELETE FROM purchases', 'purchases are kept'],
      [`UPDATE purchases SET state = 'completed' WHERE state = 'requested'`, 'no such transition'],
      [`UPDATE purchases SET reason = 'another'`, 'is frozen'],
    ] as const)
      await expect(database.write((sql) => sql.run(statement))).rejects.toThrow(refused);
    expect((await ledger.record(id))?.entries).toHaveLength(2);
  });

  test('is left as it was, and may be copied again elsewhere', async () => {
    const { config: from, content } = await filledAt(fromKind);
    const bytes = from.kind === 'sqlite' ? readFileSync(from.path) : undefined;
    expect((await copy(from, await nowhere(toKind))).code).toBe(0);
    if (from.kind === 'sqlite') expect(readFileSync(from.path).equals(bytes ?? Buffer.of())).toBe(true);
    const source = await openLedger(from);
    expect(await contentOf(source, await tables())).toEqual(content);
    expect(await source.ledger.freeze()).toBeNull();
    await source.close();
    expect((await copy(from, await nowhere(toKind))).code).toBe(0);
  });
});

describe.each(ACROSS)('a ledger that is to be copied from %s to %s', (fromKind, toKind) => {
  const beat = { id: 'one', version: '1', policyHash: 'p', vendorHash: 'v', policySince: 1, slack: 'connected' };

  test('is refused where a ledger is already that anybody has used, which stays as it is', async () => {
    const { config: from } = await filledAt(fromKind);
    const { config: to, content } = await filledAt(toKind);
    const { code, out, err } = await copy(from, to);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /^ledger: there is a ledger already in .+; nothing was copied\nCopy into a database that has none\.\n$/,
    );
    const target = await opened(to);
    expect(await contentOf(target, await tables())).toEqual(content);
    expect(await target.ledger.freeze()).toBeNull();
  });

  test('is welcome where a bot has only begun a ledger, but not while one runs there', async () => {
    const { config: from } = await filledAt(fromKind);
    const to = await nowhere(toKind);
    const { instances, close } = await openLedger(to);
    await instances.beat(beat, 1);
    const { err } = await copy(from, to);
    expect(err).toMatch(/^ledger: the bot runs on .+ \(one\); nothing was copied\nStop it, and copy again\./);
    await instances.leave(beat.id);
    await close();
    expect((await copy(from, to)).code).toBe(0);
  });

  test('is refused while a bot runs on it, with the remedy', async () => {
    const { config: from } = await filledAt(fromKind);
    const to = await nowhere(toKind);
    const { instances, close } = await openLedger(from);
    await instances.beat(beat, 1);
    const { code, err } = await copy(from, to);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^ledger: the bot runs on .+ \(one\); nothing was copied\nStop it, and copy again\. .* 30 s\.\n$/,
    );
    await instances.leave(beat.id);
    await close();
    expect((await copy(from, to)).code).toBe(0);
  });

  test.each([
    ['starts on it', 'the bot runs on'],
    ['writes to it and is gone', 'was written to in the meantime'],
  ])('is not kept where a bot %s in the meantime', async (what, said) => {
    const { config: from } = await filledAt(fromKind);
    const to = await nowhere(toKind);
    let acted = false;
    const meanwhile = async () => {
      if (acted) return;
      acted = true;
      const { ledger, instances, close } = await openLedger(from);
      if (what === 'starts on it') await instances.beat(beat, 1);
      else await filed(ledger);
      await close();
    };
    const { code, err } = await copy(from, to, meanwhile);
    expect(code).toBe(1);
    expect(err).toContain(said);
    const { ledger, database } = await opened(to);
    expect(await database.read((sql) => sql.all('SELECT id FROM purchases'))).toEqual([]);
    expect(await ledger.freeze()).toBeNull();
  });

  test('must be of the schema that this version writes', async () => {
    const { config: from } = await filledAt(fromKind);
    const { database, close } = await openLedger(from);
    await database.write((sql) =>
      sql.run('DELETE FROM schema_migrations WHERE version = (SELECT MAX(version) FROM schema_migrations)'),
    );
    await close();
    const to = await nowhere(toKind);
    const { code, err } = await copy(from, to);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^ledger: .+ has schema \d+, and a copy would have \d+; nothing was copied\nStart the bot of this version on it/,
    );
    expect((await ledgerCommand(to, 'list')).err).toContain('there is no ledger');
  });

  test('keeps the freeze that it has, whose it is and why, and adds that it was copied', async () => {
    const from = await nowhere(fromKind);
    const { ledger, close } = await openLedger(from);
    await setFreeze(ledger, 'moving house', BEN);
    await close();
    const to = await nowhere(toKind);
    expect((await copy(from, to)).code).toBe(0);
    const reason = expect.stringMatching(/^moving house; copied from \S+ at .+: before this is unfrozen/);
    expect(await (await opened(to)).ledger.freeze()).toMatchObject({ by: BEN, reason });
  });
});

describe('ledger copy', () => {
  test('keeps nothing where what was written does not read the same', async () => {
    const { config: from } = await filledAt('sqlite');
    const url = await emptyDatabase();
    await (await openLedger({ kind: 'postgres', url })).close();
    // Pads what it keeps with blanks.
    const damage = 'ALTER TABLE notices ALTER COLUMN channel TYPE CHAR(40)';
    await asAdmin(await theServer(), [damage], new URL(url).pathname.slice(1));
    const { code, err } = await copy(from, { kind: 'postgres', url });
    expect(code).toBe(1);
    expect(err).toContain('notices did not come out as it went in; nothing was copied');
    const { database } = await opened({ kind: 'postgres', url });
    expect(await database.read((sql) => sql.all('SELECT id FROM purchases'))).toEqual([]);
  });

  test('of a backup that nobody has started on is a backup still: what a freeze of the bot itself says stands first', async () => {
    const { config: from } = await filledAt('sqlite');
    const backup = scratchFile();
    expect((await ledgerCommand(from, 'backup', backup)).code).toBe(0);
    const to = await nowhere('postgres');
    expect((await copy({ kind: 'sqlite', path: backup }, to)).code).toBe(0);
    const reason = expect.stringMatching(/^restored from the backup of \S+; copied from /);
    const { ledger } = await opened(to);
    expect(await ledger.freeze()).toMatchObject({ by: 'desk', reason });
    expect((await ledger.open()).filter(({ state }) => state !== 'unknown')).toEqual([]);
  });

  test('of a ledger that went back in time, and on which a bot has started, trusts what was filed since', async () => {
    const { config: from } = await filledAt('sqlite');
    const backup = scratchFile();
    expect((await ledgerCommand(from, 'backup', backup)).code).toBe(0);
    const restored = await openLedger({ kind: 'sqlite', path: backup });
    const id = await filed(restored.ledger);
    await restored.close();
    const to = await nowhere('postgres');
    expect((await copy({ kind: 'sqlite', path: backup }, to)).code).toBe(0);
    expect((await (await opened(to)).ledger.record(id))?.purchase.state).toBe('requested');
  });

  test('of a database that was restored waits until a bot has started on it, which freezes it and distrusts what was open', async () => {
    const { config: original } = await filledAt('postgres');
    const restored: DatabaseConfig = { kind: 'postgres', url: await copyOf(address(original)) };
    const to = await nowhere('sqlite');
    const { code, err } = await copy(restored, to);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('no bot has started on it since') });
    expect((await ledgerCommand(to, 'list')).err).toContain('there is no ledger at');

    await (await openLedger(restored)).close();
    expect((await copy(restored, to)).code).toBe(0);
    const { ledger } = await opened(to);
    const reason = expect.stringMatching(/^the database was restored, copied or moved, .*; copied from /);
    expect(await ledger.freeze()).toMatchObject({ by: 'desk', reason });
    expect((await ledger.open()).filter(({ state }) => state !== 'unknown')).toEqual([]);
  });

  test('takes the ledger of the settings for the one that is not named', async () => {
    const { config: from } = await filledAt('sqlite');
    const to = await nowhere('postgres');
    expect(await ledgerCommand(from, 'copy', '--to', address(to))).toMatchObject({ code: 0, out: '' });
    const back = await nowhere('sqlite');
    expect(await ledgerCommand(back, 'copy', '--from', address(to))).toMatchObject({ code: 0, out: '' });
  });

  test.each([
    [['copy'], /copy wants --from, --to or both/],
    [['copy', 'sqlite:a', 'sqlite:b'], /copy does not take sqlite:a/],
    [['copy', '--from', 'mysql://desk:s3cret-s3cret@db/desk', '--to', 'sqlite:b'], /--from is neither sqlite: nor/],
    [['copy', '--to', 'postgres://desk:s3cret-s3cret/x@db/desk'], /--to is not a readable address/],
    [['copy', '--to', 'sqlite::memory:'], /--to is .*no file for SQLite/],
  ])('is not understood as %j', async (args, said) => {
    const { code, out, err } = await ledgerCommand({ kind: 'sqlite', path: '/nowhere' }, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(said);
    expect(err).not.toContain('s3cret');
  });

  test('says that there is nothing to copy, and begins nothing', async () => {
    const from = await nowhere('sqlite');
    const to = await nowhere('postgres');
    expect(await copy(from, to)).toMatchObject({ code: 1, err: expect.stringContaining('there is no ledger at') });
    expect((await ledgerCommand(to, 'list')).err).toContain('there is no ledger in');
  });
});
