import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { BEN, closeAfterwards, filed, START, setFreeze, stateOf, WAY_TO, walked } from './fixture.ts';
import { approvedOne, countingVendor, laneOn } from './lanes.ts';
import { schemaOf } from './written-by.ts';

async function openAt(path: string) {
  return closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
}

async function backUp(path: string, file: string): Promise<{ code: number; err: string }> {
  const { out, ...rest } = await ledgerCommand({ kind: 'sqlite', path }, 'backup', file);
  expect(out).toBe('');
  return rest;
}

/** A ledger with a purchase waiting for the lane, and a backup that was made while it was open. */
async function backedUp() {
  const path = scratchFile();
  const bot = await openAt(path);
  const id = await walked(bot.ledger, await filed(bot.ledger), 'approved');
  const copy = scratchFile();
  expect((await backUp(path, copy)).code).toBe(0);
  return { ...bot, path, copy, id };
}

describe('a backup', () => {
  test('holds all that was committed, in one file that only its owner can read', async () => {
    const { ledger, copy, id } = await backedUp();
    expect(readdirSync(dirname(copy))).toEqual(['desk.db']);
    expect(statSync(copy).mode & 0o077).toBe(0);
    const { purchase, entries = [] } = (await ledger.record(id)) ?? {};
    const restored = await (await openAt(copy)).ledger.record(id);
    // Opening it calls unknown what was open; nothing else is changed.
    expect(restored?.entries.slice(0, -1)).toEqual(entries);
    const { state, version, changedAt, why } = restored?.purchase ?? {};
    expect({ ...purchase, state, version, changedAt, why }).toEqual(restored?.purchase);
  });

  test('says where it is and what it holds, beside an empty standard output', async () => {
    const { path } = await backedUp();
    const copy = scratchFile();
    const { code, err } = await backUp(path, copy);
    expect({ code, err }).toEqual({
      code: 0,
      err: `wrote ${copy}: 1 purchase, ${statSync(copy).size} bytes; spending on it is frozen until somebody unfreezes it\n`,
    });
  });

  test.each([10, 15])('can be made by this version of a ledger of schema %i, before an update', async (version) => {
    const path = scratchFile();
    using file = new DatabaseSync(path);
    file.exec(schemaOf(version, 'sqlite'));
    file.exec(`INSERT INTO schema_migrations VALUES (${version}, 1)`);
    const copy = scratchFile();
    expect(await backUp(path, copy)).toMatchObject({ code: 0 });
    expect(await (await openAt(copy)).ledger.freeze()).toMatchObject({
      reason: expect.stringContaining('restored from the backup of '),
    });
  });

  test('is no stream: the name of a dash is refused', async () => {
    const { path } = await backedUp();
    const { code, err } = await backUp(path, '-');
    expect(code).toBe(2);
    expect(err).toContain('only to a file: name one');
    expect(existsSync('-')).toBe(false);
  });

  test('is frozen: what starts on it sends nothing, and tells why', async () => {
    const { copy } = await backedUp();
    const { ledger, database } = await openAt(copy);
    const reason = expect.stringMatching(/^restored from the backup of \d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await ledger.freeze()).toMatchObject({ by: 'desk', reason });
    expect(await ledger.lane()).toMatchObject({ frozen: true });
    const entries = await database.read((sql) => sql.all(`SELECT by, kind FROM entries WHERE purchase_id IS NULL`));
    expect(entries).toEqual([{ by: 'desk', kind: 'frozen' }]);
    const told = await openLedger({ kind: 'sqlite', path: copy }).then(closeAfterwards);
    expect(await told.outbox.leaseNotices(9, 1)).toMatchObject([
      { kind: 'frozen', by: 'desk', text: reason },
      { kind: 'outcome', about: 'unknown' },
      { kind: 'unknown_card' },
    ]);
  });

  test('sends nothing of what was open when it was made, once a person unfreezes it: it may have been sent since', async () => {
    const path = scratchFile();
    const original = await openAt(path);
    const { ledger } = original;
    const approved = await approvedOne(original);
    const requested = await filed(ledger);
    const again = await walked(ledger, await filed(ledger), ...WAY_TO.sending, 'approved');
    const sending = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
    const copy = scratchFile();
    await backUp(path, copy);
    const { seen, vendor } = countingVendor();
    await walked(ledger, sending, 'completed');
    const lane = laneOn(original, vendor);
    await lane.send();
    expect(await stateOf(ledger, approved)).toBe('completed');
    expect(seen.sent).toHaveLength(1);

    const restored = await openAt(copy);
    for (const id of [approved, requested, again, sending]) {
      const { purchase, entries = [] } = (await restored.ledger.record(id)) ?? {};
      expect(purchase?.why).toBe('the ledger may have gone back in time, and have forgotten that it was sent');
      expect(entries.at(-1)).toMatchObject({ by: 'desk', to: 'unknown' });
    }
    await setFreeze(restored.ledger, null, BEN);
    expect(await restored.ledger.lane()).toMatchObject({ frozen: false, sending: null, next: null });
    expect(await laneOn(restored, vendor).send()).toBe(false);
    expect(seen.sent).toHaveLength(1);
  });

  test('is used again as soon as a person unfreezes it, and stays so when it is opened again', async () => {
    const { copy } = await backedUp();
    const { ledger, close } = await openLedger({ kind: 'sqlite', path: copy }, () => START);
    const filedWhileFrozen = await filed(ledger);
    await close();
    const again = await openAt(copy);
    expect(await stateOf(again.ledger, filedWhileFrozen)).toBe('requested');
    await setFreeze(again.ledger, null, BEN);
    await walked(again.ledger, filedWhileFrozen, 'approved');
    expect(await (await openAt(copy)).ledger.lane()).toMatchObject({ frozen: false, next: { id: filedWhileFrozen } });
  });

  test('leaves the original untouched', async () => {
    const { ledger, database, outbox } = await backedUp();
    expect(await ledger.freeze()).toBeNull();
    expect(await database.read((sql) => sql.all(`SELECT kind FROM entries WHERE purchase_id IS NULL`))).toEqual([]);
    expect(await outbox.leaseNotices(9, 1)).toEqual([]);
  });

  test('remembers why the original was frozen already', async () => {
    const path = scratchFile();
    const { ledger } = await openAt(path);
    await setFreeze(ledger, 'lost token', BEN);
    const copy = scratchFile();
    await backUp(path, copy);
    const freeze = await (await openAt(copy)).ledger.freeze();
    expect(freeze?.reason).toMatch(/^restored from the backup of .+; frozen before that by U0BEN: lost token$/);
  });

  test('holds nothing of a transaction that is not committed, and does not wait for it', async () => {
    const path = scratchFile();
    const { ledger, database } = await openAt(path);
    const id = await filed(ledger);
    const copy = scratchFile();
    await database.write(async (sql) => {
      await sql.run(`UPDATE purchases SET state = 'withdrawn' WHERE id = :id`, { id });
      await backUp(path, copy);
    });
    const { entries } = (await (await openAt(copy)).ledger.record(id)) ?? {};
    expect(entries?.map(({ to }) => to)).toEqual(['requested', 'unknown']);
  });

  test('never overwrites a file, and leaves nothing when it fails', async () => {
    const { path, copy } = await backedUp();
    const before = readFileSync(copy);
    const { code, err } = await backUp(path, copy);
    expect(code).toBe(1);
    expect(err).toContain('exists already');
    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(await backUp(path, join(dirname(copy), 'nowhere', 'b.db'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ledger: there is no folder .*nowhere; nothing was written\n$/),
    });
    expect((await backUp(path, path)).code).toBe(1);
    expect(readdirSync(dirname(copy))).toEqual(['desk.db']);
  });
});

describe('restoring', () => {
  /** As after a power cut: the file with its log, and nobody who has them open. */
  async function crashed() {
    const { path, copy, ledger, id } = await backedUp();
    await walked(ledger, id, 'sending', 'completed');
    const place = scratchFile();
    for (const suffix of ['', '-wal', '-shm', '.exists']) copyFileSync(path + suffix, place + suffix);
    expect(statSync(`${place}-wal`).size).toBeGreaterThan(0);
    return { place, copy, id };
  }

  test('works by moving the three files away and putting the backup in their place', async () => {
    const { place, copy, id } = await crashed();
    for (const suffix of ['', '-wal', '-shm']) renameSync(place + suffix, `${place}.old${suffix}`);
    copyFileSync(copy, place);
    const { ledger } = await openAt(place);
    expect(await ledger.freeze()).not.toBeNull();
    expect(await stateOf(ledger, id)).toBe('unknown');
    // What was moved away is still whole.
    expect(await stateOf((await openAt(`${place}.old`)).ledger, id)).toBe('completed');
  });

  test('is refused while the old log stands beside it: SQLite would mix the two, and lose the freeze', async () => {
    const { place, copy } = await crashed();
    copyFileSync(copy, place);
    const log = readFileSync(`${place}-wal`);
    await expect(openAt(place)).rejects.toThrow(LedgerUnusable);
    await expect(openAt(place)).rejects.toThrow('belongs to another file');
    const listed = await ledgerCommand({ kind: 'sqlite', path: place }, 'list');
    expect(listed).toMatchObject({ code: 1, err: expect.stringContaining('belongs to another file') });
    expect(readFileSync(`${place}-wal`).equals(log)).toBe(true);
  });

  test('is needed for no crash: a ledger with its own log goes on where it was', async () => {
    const { place, id } = await crashed();
    expect(await stateOf((await openAt(place)).ledger, id)).toBe('completed');
  });
});
