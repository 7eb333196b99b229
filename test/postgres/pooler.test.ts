import { describe, expect, test } from 'vitest';
import { afterwards, BEN, setFreeze, stateOf } from '../ledger/fixture.ts';
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

async function behindPooler(url: string) {
  const pooler = await startPooler(url);
  afterwards(() => pooler.close());
  return { pooler, opened: await openAt(pooler.url) };
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
