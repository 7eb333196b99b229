import { randomUUID } from 'node:crypto';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { Lane, type LaneDeps } from '../../src/purchasing/lane.ts';
import type { NewPurchase } from '../../src/purchasing/model/filing.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Clock } from '../../src/purchasing/ports/clock.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import type { Vendor, VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { MONTHLY } from '../support/plan.ts';
import { NO_DOLLARS, NO_INTERVAL, NO_REPORTS, NOBODY_PRESSED, REMINDERS } from '../support/policy.ts';
import { ANN, ANSWER, aPurchase, BEN, filed, HOUR, MINUTE, type TestClock } from './purchases.ts';

const POLICY: Policy = {
  access: { balance: [], buy: ['S0BUYERS'], renew: ['S0BUYERS'], approve: ['S0LEADS'] },
  approvals: {
    mode: 'channel',
    channel: 'C0APPROVALS',
    freeUpTo: 5,
    renewalsNeedApproval: true,
    ...NOBODY_PRESSED,
    expireAfterMs: 24 * HOUR,
    sendWithinMs: 15 * MINUTE,
  },
  plans: [MONTHLY],
  limits: { ipsPerOrder: 500, ipsPerPersonPerDay: 1000, ...NO_DOLLARS },
  reminders: REMINDERS,
  balance: NO_INTERVAL,
  reports: NO_REPORTS,
};

const silent = () => {};
const SILENT: Log = { debug: silent, info: silent, warn: silent, error: silent };

/** Everybody may do everything; those who are named cannot be read, for so many seconds by Slack's word. */
export function everybodyMay(unreadable: () => ReadonlyMap<string, number> = () => new Map()): Directory {
  return {
    standing: async (user, rights) => {
      const retryAfterSeconds = unreadable().get(user);
      return retryAfterSeconds === undefined
        ? {
            readable: true,
            ids: new Set([user]),
            person: user,
            barred: null,
            rights: new Set(rights),
            nobodyHas: new Set(),
          }
        : { readable: false, retryAfterSeconds };
    },
    idsOf: async (user) => new Set([user]),
    timeZone: async () => null,
    approvers: async () => [{ user: BEN, ids: new Set([BEN]) }],
  };
}

/** A vendor that only counts: what it is asked, and what is sent. */
export function countingVendor() {
  const sent: VendorOrder[] = [];
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

export function laneOn(
  { ledger, leases }: Pick<OpenLedger, 'ledger' | 'leases'>,
  vendor: Vendor,
  deps: Partial<LaneDeps> = {},
): Lane {
  return new Lane({
    ledger,
    leases,
    vendor,
    directory: everybodyMay(),
    policy: () => POLICY,
    clock: systemClock,
    log: SILENT,
    newId: randomUUID,
    answerWithinMs: 2_000,
    vendorRefuses: async () => {},
    ...deps,
  });
}

/** The lane's clock and the ledger's are one, which a test moves. */
export function standing(clock: TestClock): Clock {
  return { now: () => clock.now, monotonic: () => clock.now, sleep: async () => {} };
}

/** One purchase that waits for the lane. */
export async function approvedOne(
  { ledger }: Pick<OpenLedger, 'ledger'>,
  overrides: Partial<NewPurchase> = {},
): Promise<string> {
  const now = await ledger.now();
  const purchase = aPurchase({ createdAt: now, expiresAt: now + HOUR, requester: ANN, ...overrides });
  const id = await filed(ledger, purchase);
  await ledger.change(id, () => ({
    result: null,
    by: BEN,
    to: 'approved',
    set: { approver: BEN, sendBy: now + HOUR },
  }));
  return id;
}
