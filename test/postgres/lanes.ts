import { randomUUID } from 'node:crypto';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { Lane } from '../../src/purchasing/lane.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import type { Order, Vendor } from '../../src/purchasing/ports/vendor.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { ANN, ANSWER, aPurchase, BEN, filed, HOUR } from '../ledger/fixture.ts';
import { policyOf } from '../support/office.ts';

const everybodyMay: Directory = {
  standing: async (user, rights) => ({
    readable: true,
    person: user,
    barred: null,
    rights: new Set(rights),
    nobodyHas: new Set(),
  }),
  approvers: async () => [BEN],
};

/** A vendor that only counts: what it is asked, and what is sent. */
export function countingVendor() {
  const sent: Order[] = [];
  const seen = { readings: 0, sent };
  const vendor: Vendor = {
    async readBalance() {
      seen.readings += 1;
      return { ok: true, balance: '100.00' as Money, at: Date.now() };
    },
    async send(order, guard) {
      if (!guard.mayStart()) return { ...ANSWER, outcome: 'not_sent', why: 'too late', rawBody: null, orderIds: [] };
      sent.push(order);
      return { ...ANSWER, orderIds: [] };
    },
    close: async () => {},
  };
  return { seen, vendor };
}

const nothing = () => {};
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export function laneOn({ ledger, leases, outbox }: OpenLedger, vendor: Vendor): Lane {
  return new Lane({
    ledger,
    leases,
    outbox,
    vendor,
    directory: everybodyMay,
    policy: policyOf(),
    clock: systemClock,
    log: SILENT,
    newId: randomUUID,
    answerWithinMs: 2_000,
    vendorRefuses: async () => {},
  });
}

/** One purchase that waits for the lane. */
export async function approvedOne({ ledger }: OpenLedger): Promise<string> {
  const now = await ledger.now();
  const id = await filed(ledger, aPurchase({ createdAt: now, expiresAt: now + HOUR, requester: ANN }));
  await ledger.change(id, () => ({
    result: null,
    by: BEN,
    to: 'approved',
    set: { approver: BEN, sendBy: now + HOUR },
  }));
  return id;
}
