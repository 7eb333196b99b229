import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { afterwards, BEN, filed, setFreeze, stateOf, walked } from '../ledger/fixture.ts';
import { approvedOne, countingVendor, laneOn } from '../ledger/lanes.ts';
import { asAdmin, copyOf, freshDatabase, theServer } from './databases.ts';
import { openAt } from './fixture.ts';
import { startPooler } from './pooler.ts';

/** A ledger with one purchase to send, by way of a pooler; and a copy of it, made before. */
async function withAnOlderCopy() {
  const url = await freshDatabase();
  const before = await openAt(url);
  const id = await approvedOne(before);
  await before.close();
  const copy = await copyOf(url);
  return { id, copy, ...(await behindPooler(url)), ...countingVendor() };
}

async function behindPooler(url: string, options: Parameters<typeof startPooler>[1] = {}) {
  const pooler = await startPooler(url, options);
  afterwards(() => pooler.close());
  return { pooler, opened: await openAt(pooler.url) };
}

/** So often that whatever is kept for the next time is kept. */
async function withdrawnAgainAndAgain({ ledger }: OpenLedger): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await walked(ledger, await filed(ledger), 'approved', 'withdrawn'));
  return ids;
}

async function stepsOf({ ledger }: OpenLedger, id: string): Promise<readonly unknown[]> {
  return (await ledger.record(id))?.entries.map(({ to }) => to) ?? [];
}

describe('a pooler that leads each transaction where it likes', () => {
  test('and comes to an older copy of the ledger, with nobody clicking: what was sent is not sent again, before or after a person unfreezes', async () => {
    const { id, copy, pooler, opened, seen, vendor } = await withAnOlderCopy();
    const lane = laneOn(opened, vendor);
    expect(await lane.send()).toBe(true);
    await lane.read();

    pooler.aim(copy);
    while (await lane.send());
    expect(seen.sent).toHaveLength(1);
    expect(await opened.ledger.freeze()).toMatchObject({
      reason: expect.stringContaining('restored, copied or moved'),
    });
    expect(await stateOf(opened.ledger, id)).toBe('unknown');
    await setFreeze(opened.ledger, null, BEN);
    while (await lane.send());
    expect(seen.sent).toHaveLength(1);
  });

  test('in the middle of what precedes sending: the transaction that would enter it finds that it is elsewhere', async () => {
    const { id, copy, pooler, opened, seen, vendor } = await withAnOlderCopy();
    const lane = laneOn(opened, {
      ...vendor,
      async readBalance() {
        pooler.aim(copy);
        return vendor.readBalance('before');
      },
    });
    await lane.send();
    expect(seen.sent).toEqual([]);
    expect(await stateOf(opened.ledger, id)).toBe('unknown');
  });

  test('loses none of what keeps a commit: it waits for the disk, whatever the server is set up to do', async () => {
    const url = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await asAdmin(await theServer(), [`ALTER DATABASE ${name} SET synchronous_commit = off`]);
    const { opened } = await behindPooler(url);
    const shown = await opened.database.write((sql) => sql.all('SHOW synchronous_commit'));
    expect(shown).toEqual([{ synchronous_commit: 'on' }]);
  });
});

describe('a server process that does not keep what a connection has had kept', () => {
  const ONCE = ['requested', 'approved', 'withdrawn'];

  test('another for each transaction: each step is taken once, nobody is told of trouble, and the server refuses no more than once', async () => {
    const { pooler, opened } = await behindPooler(await freshDatabase());
    for (const id of await withdrawnAgainAndAgain(opened)) expect(await stepsOf(opened, id)).toEqual(ONCE);
    expect(pooler.refused).toEqual(['26000']);
  });

  test('but what other replicas have had kept: nothing is taken for something else, each step is taken once, and nobody is told of trouble', async () => {
    const { pooler, opened } = await behindPooler(await freshDatabase(), { reuses: true });
    const first = await withdrawnAgainAndAgain(opened);
    const other = await openAt(pooler.url);
    const more = await Promise.all([opened, other, opened, other].map(withdrawnAgainAndAgain));
    for (const id of [first, ...more].flat()) expect(await stepsOf(other, id)).toEqual(ONCE);
    expect(pooler.refused).toContain('42P05');
  });
});
