import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Vendor } from '../../src/purchasing/ports/vendor.ts';
import { afterwards, BEN, filed, setFreeze, stateOf, walked } from '../ledger/fixture.ts';
import { approvedOne, countingVendor, laneOn } from '../ledger/lanes.ts';
import { startCutter } from './cutter.ts';
import { asAdmin, copyOf, freshDatabase, rowsAt, theServer } from './databases.ts';
import { openAt } from './fixture.ts';
import { CREATE_USER, startPostgres, USER } from './server.ts';

const MAY_HAVE_FORGOTTEN = /^the database was restored, copied or moved, and may have forgotten purchases/;
const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** A ledger with a purchase that waits for the lane, and nobody who has it open. */
async function used(): Promise<{ url: string; id: string }> {
  const url = await freshDatabase();
  const { ledger, close } = await openAt(url);
  const id = await walked(ledger, await filed(ledger), 'approved');
  await close();
  return { url, id };
}

describe('a copy of a ledger', () => {
  test('starts frozen, with all that it holds, and tells those who approve and those who run it why', async () => {
    const { url, id } = await used();
    const warnings: string[] = [];
    const { ledger, outbox } = await openAt(await copyOf(url), warnings);
    expect(await ledger.freeze()).toMatchObject({ by: 'desk', reason: expect.stringMatching(MAY_HAVE_FORGOTTEN) });
    expect(await ledger.lane()).toMatchObject({ frozen: true });
    expect(await stateOf(ledger, id)).toBe('unknown');
    expect(await outbox.leaseNotices(9, 1)).toMatchObject([
      { kind: 'frozen', by: 'desk', audience: 'approvers' },
      { kind: 'outcome', about: 'unknown', purchaseId: id },
      { kind: 'unknown_card', purchaseId: id },
    ]);
    expect(warnings).toEqual([expect.stringContaining('spending is frozen: the database was restored')]);
  });

  test('is frozen once: after a person has unfrozen it, it stays so at the next start', async () => {
    const { url } = await used();
    const copy = await copyOf(url);
    const { ledger, close } = await openAt(copy);
    await setFreeze(ledger, null, BEN);
    await close();
    expect(await (await openAt(copy)).ledger.freeze()).toBeNull();
  });

  test('is frozen once when several replicas start on it together', async () => {
    const { url } = await used();
    const copy = await copyOf(url);
    const replicas = await Promise.all([1, 2, 3].map(() => openAt(copy)));
    const notices = await replicas[0]?.outbox.leaseNotices(9, 1);
    expect(notices?.map(({ kind }) => kind)).toEqual(['frozen', 'outcome', 'unknown_card']);
  });

  test('remembers why the original was frozen already', async () => {
    const { url } = await used();
    const { ledger, close } = await openAt(url);
    await setFreeze(ledger, 'lost token', BEN);
    await close();
    const freeze = await (await openAt(await copyOf(url))).ledger.freeze();
    expect(freeze?.reason).toMatch(/; frozen before that by U0BEN: lost token$/);
  });

  test('leaves the original as it was', async () => {
    const { url } = await used();
    await openAt(await copyOf(url));
    expect(await (await openAt(url)).ledger.freeze()).toBeNull();
  });
});

/** Whoever has the original open is thrown out, and comes back to the copy. */
async function exchange(url: string, copy: string): Promise<void> {
  await asAdmin(await theServer(), [
    `ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`,
    `ALTER DATABASE ${nameOf(url)} RENAME TO ${nameOf(url)}_old`,
    `ALTER DATABASE ${nameOf(copy)} RENAME TO ${nameOf(url)}`,
  ]);
}

describe('a database that is exchanged while the bot runs', () => {
  test('is frozen by the first who connects to it, before anything else is done there', async () => {
    const { url, id } = await used();
    const copy = await copyOf(url);
    const warnings: string[] = [];
    const { ledger } = await openAt(url, warnings);
    expect(await ledger.freeze()).toBeNull();
    await exchange(url, copy);
    const seen = await ledger.change(id, (_, facts) => ({ result: facts.freeze?.reason, by: BEN }));
    expect(seen).toMatch(MAY_HAVE_FORGOTTEN);
    expect(warnings).toHaveLength(1);
  });

  /** A lane on a ledger whose database is exchanged for a copy between a POST and its answer. */
  async function exchanged(url: string, copy: string) {
    const opened = await openAt(url);
    const { seen, vendor } = countingVendor();
    const exchanging: Vendor = {
      ...vendor,
      async send(order, guard) {
        const answer = await vendor.send(order, guard);
        await exchange(url, copy);
        return answer;
      },
    };
    return { opened, seen, lane: laneOn(opened, exchanging) };
  }

  test('between a POST and its answer: the purchase is unknown with its answer, and is not sent again after a person unfroze', async () => {
    const url = await freshDatabase();
    const before = await openAt(url);
    const id = await approvedOne(before);
    await before.close();
    const { opened, seen, lane } = await exchanged(url, await copyOf(url));
    await lane.send();
    expect(seen.sent).toHaveLength(1);
    const { purchase, entries = [] } = (await opened.ledger.record(id)) ?? {};
    expect(purchase).toMatchObject({ state: 'unknown', attempt: { forgotten: true } });
    expect(entries.at(-1)?.detail).toMatchObject({ kind: 'answer', answer: { outcome: 'completed' }, late: true });
    expect(await opened.outbox.leaseNotices(9, 1)).toMatchObject([
      { kind: 'frozen' },
      { kind: 'outcome', about: 'unknown' },
      { kind: 'unknown_card' },
      { kind: 'alert', audience: 'approvers', text: expect.stringContaining(`${id}, which is unknown`) },
    ]);
    await setFreeze(opened.ledger, null, BEN);
    expect(await lane.send()).toBe(false);
    expect(seen.sent).toHaveLength(1);
  });

  test('between a POST and its answer, for one that has never heard of the purchase: it is put back, unknown', async () => {
    const { url } = await used();
    const copy = await copyOf(url);
    const before = await openAt(url);
    await walked(before.ledger, (await before.ledger.open())[0]?.id ?? '', 'withdrawn');
    const id = await approvedOne(before);
    await before.close();
    const { opened, seen, lane } = await exchanged(url, copy);
    await lane.send();
    expect(await stateOf(opened.ledger, id)).toBe('unknown');
    await setFreeze(opened.ledger, null, BEN);
    expect(await lane.send()).toBe(false);
    expect(seen.sent).toHaveLength(1);
  });
});

describe('the same ledger on the same server', () => {
  test('is not frozen by a restart of the server, nor by its crash', async () => {
    const server = await startPostgres();
    afterwards(() => server.close());
    await asAdmin(server, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    const warnings: string[] = [];
    const { ledger } = await openAt(server.url('desk'), warnings);
    for (const how of ['fast', 'immediate'] as const) {
      await server.halt(how);
      await server.resume();
      await filed(ledger);
    }
    const { close } = await openAt(server.url('desk'), warnings);
    await close();
    expect(await ledger.freeze()).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('a new, empty ledger was begun')]);
  });
});

describe('a standby that takes over', () => {
  test('is waited for, and starts frozen: it may lack what the primary had committed last', async () => {
    const primary = await startPostgres();
    afterwards(() => primary.close());
    await asAdmin(primary, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    const standby = await primary.standby();
    const cutter = await startCutter(primary.url('desk'));
    afterwards(() => cutter.close());
    const opened = await openAt(cutter.url);
    const { ledger } = opened;
    const known = await filed(ledger);
    const paid = await approvedOne(opened);
    await expect
      .poll(async () => rowsAt(standby, `SELECT state FROM purchases ORDER BY seq`))
      .toEqual([{ state: 'requested' }, { state: 'approved' }]);

    // It follows no more, and the primary goes on for a while: what is lost in such a case was paid for, perhaps.
    await standby.halt('fast');
    const { seen, vendor } = countingVendor();
    await laneOn(opened, vendor).send();
    expect(await stateOf(ledger, paid)).toBe('completed');
    const forgotten = await walked(ledger, await filed(ledger), 'approved', 'sending');
    await primary.halt('immediate');
    await standby.resume();
    cutter.aim(standby.port);
    await expect(filed(ledger)).rejects.toThrow('standby');

    await asAdmin(standby, ['SELECT pg_promote()']);
    const reason = await ledger.change(known, (_, facts) => ({ result: facts.freeze?.reason, by: BEN }));
    expect(reason).toMatch(/^the database was recovered, or taken over by a standby, and may have forgotten purchases/);
    expect(await ledger.record(forgotten)).toBeUndefined();
    expect(await ledger.lane()).toMatchObject({ frozen: true });

    // Nobody is left who has the answer, and the money has moved.
    expect([await stateOf(ledger, known), await stateOf(ledger, paid)]).toEqual(['unknown', 'unknown']);
    await setFreeze(ledger, null, BEN);
    expect(await laneOn(opened, vendor).send()).toBe(false);
    expect(seen.sent).toHaveLength(1);
  });
});

const DEBIAN = '/usr/lib/postgresql/15/bin';

/** The npm package brings no pg_dump: where the machine has a whole PostgreSQL, the real thing is tried with it, on its version. */
describe.skipIf(!existsSync(`${DEBIAN}/pg_dump`))('a dump of another PostgreSQL (15)', () => {
  test('that is restored elsewhere starts frozen, keeps every entry, and goes on counting', async () => {
    const servers = await Promise.all([1, 2].map(() => startPostgres({ bin: DEBIAN })));
    for (const server of servers) {
      afterwards(() => server.close());
      await asAdmin(server, [CREATE_USER, `CREATE DATABASE desk OWNER ${USER}`]);
    }
    const [from = '', to = ''] = servers.map((server) => server.url('desk'));
    const { ledger } = await openAt(from);
    const id = await walked(ledger, await filed(ledger), 'approved', 'sending', 'completed');
    const dump = execFileSync(`${DEBIAN}/pg_dump`, ['--no-owner', from]);
    execFileSync(`${DEBIAN}/psql`, ['-q', '-v', 'ON_ERROR_STOP=1', to], { input: dump });

    const restored = (await openAt(to)).ledger;
    expect((await restored.freeze())?.reason).toMatch(MAY_HAVE_FORGOTTEN);
    expect(await restored.record(id)).toEqual(await ledger.record(id));
    await filed(restored);
    expect(await ledger.freeze()).toBeNull();
  });
});
