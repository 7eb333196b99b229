import { describe, expect, test } from 'vitest';
import type { Vendor } from '../../src/purchasing/ports/vendor.ts';
import { BEN, setFreeze } from '../ledger/fixture.ts';
import { approvedOne, countingVendor, laneOn } from '../ledger/lanes.ts';
import type { Cutter } from './cutter.ts';
import { behindCutter } from './fixture.ts';

/** Cuts the connection at the commit that enters `sending`: when the balance has been read, all else has been asked. */
function cutBeforeSending(vendor: Vendor, { cutter }: { readonly cutter: Cutter }, then = () => {}): Vendor {
  return {
    ...vendor,
    async readBalance() {
      void cutter.cutAtCommit('after').then(then);
      return vendor.readBalance('before');
    },
  };
}

describe('the lane, when the commit that enters `sending` is not answered', () => {
  test('sends once when it learns that it was kept', async () => {
    const opened = await behindCutter();
    const id = await approvedOne(opened);
    const { seen, vendor } = countingVendor();
    expect(await laneOn(opened, cutBeforeSending(vendor, opened)).send()).toBe(true);
    expect(seen.sent).toHaveLength(1);
    expect((await opened.books.ledger.record(id))?.purchase.state).toBe('completed');
  });

  test('sends nothing when it cannot learn that, nor does another; later it finds that it never began, and sends once', async () => {
    const opened = await behindCutter();
    const id = await approvedOne(opened);
    const { seen, vendor } = countingVendor();
    const lane = laneOn(
      opened,
      cutBeforeSending(vendor, opened, () => opened.cutter.down()),
    );
    await expect(lane.send()).rejects.toThrow('did not say whether');
    const other = laneOn(opened.books, vendor);
    expect([await other.send(), await other.sweep()]).toEqual([false, false]);
    expect(seen.sent).toEqual([]);
    const record = () => opened.books.ledger.record(id);
    expect((await record())?.purchase.state).toBe('sending');

    await opened.cutter.up();
    expect(await lane.send()).toBe(true);
    expect(seen.sent).toEqual([]);
    expect((await record())?.purchase).toMatchObject({ state: 'approved', why: expect.stringContaining('never left') });
    const answers = (await record())?.entries.filter(({ detail }) => detail.kind === 'answer');
    expect(answers).toMatchObject([{ detail: { answer: { outcome: 'not_sent', startedAt: null }, late: false } }]);
  });
});

describe('the lane of several replicas', () => {
  test('asks for the balance once for one purchase, and sends it once', async () => {
    const opened = await behindCutter();
    await approvedOne(opened);
    const { seen, vendor } = countingVendor();
    const lanes = [opened, opened.books, opened, opened.books].map((one) => laneOn(one, vendor));
    await Promise.all(lanes.map((lane) => lane.send()));
    expect(seen).toMatchObject({ readings: 1, sent: [{ kind: 'buy' }] });
    await Promise.all(lanes.map((lane) => lane.read()));
    expect(seen.readings).toBe(2);
  });

  test('goes on with another one at once when the one that looked after its head stops', async () => {
    const opened = await behindCutter();
    const id = await approvedOne(opened);
    const { seen, vendor } = countingVendor();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const readBalance = async () => {
      asked.resolve();
      await held.promise;
      return vendor.readBalance('before');
    };
    const first = laneOn(opened, { ...vendor, readBalance });
    const sending = first.send();
    await asked.promise;
    expect(await opened.books.leases.takeHead(id, 'somebody', 1)).toBe(false);
    const stopping = first.stop();
    held.resolve();
    expect(await sending).toBe(false);
    await stopping;
    expect(await laneOn(opened.books, vendor).send()).toBe(true);
    expect(seen.sent).toHaveLength(1);
  });

  test('passes over a freeze of any replica at the last moment', async () => {
    const opened = await behindCutter();
    await approvedOne(opened);
    const { seen, vendor } = countingVendor();
    const freezing: Vendor = {
      ...vendor,
      async readBalance() {
        await setFreeze(opened.books.ledger, 'stop', BEN);
        return vendor.readBalance('before');
      },
    };
    expect(await laneOn(opened, freezing).send()).toBe(false);
    expect(seen.sent).toEqual([]);
  });
});
