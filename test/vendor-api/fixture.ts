import { beforeEach, expect } from 'vitest';
import { type LocalVendor, type LocalVendorOptions, startLocalVendor } from '../../sandbox/vendor-api/index.ts';
import type { Vendor, VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import { createVendor, type VendorOptions } from '../../src/vendor-api/client.ts';
import { afterwards, closeAfterwards } from '../support/afterwards.ts';
import { MONTHLY } from '../support/plan.ts';

/** With symbols that URL-encoding, JSON and base64 treat differently. */
export const TOKEN = 'mut_9fQ+x/7"Kz\\w&=4bR~sEcReT';

export const clock = { now: () => Date.now(), monotonic: () => performance.now() };

export const BUY: VendorOrder = {
  kind: 'buy',
  plan: MONTHLY,
  basket: [
    { country: 'DE', quantity: 1 },
    { country: 'US', quantity: 2 },
  ],
};

export const RENEW: VendorOrder = { kind: 'renew', orderId: '9007199254740993', plan: MONTHLY };

export const YES = { mayStart: () => true };

/** A handle that outlives the test and all of its clean-ups is a failure. */
beforeEach(() => afterwards(noHandleIsLeft));

async function noHandleIsLeft(): Promise<void> {
  // The kernel's handles close a few turns after their objects.
  for (let turns = 0; turns < 1000 && openHandles().length > 0; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(openHandles()).toEqual([]);
}

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP'));
}

export async function localVendor(options: LocalVendorOptions = {}): Promise<LocalVendor> {
  return closeAfterwards(await startLocalVendor({ token: TOKEN, ...options }));
}

export function client(baseUrl: string, options: Partial<VendorOptions> = {}): Vendor {
  return closeAfterwards(createVendor({ baseUrl, token: TOKEN, timeoutMs: 2000, retryWaitMs: 5, clock, ...options }));
}

/** The common pair. */
export async function setUp(options: Partial<VendorOptions> = {}): Promise<{ local: LocalVendor; vendor: Vendor }> {
  const local = await localVendor();
  return { local, vendor: client(local.baseUrl, options) };
}
