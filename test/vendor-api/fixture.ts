import { beforeEach, expect, vi } from 'vitest';
import { PATIENCE_MS } from '../../sandbox/slack/index.ts';
import { type LocalVendor, type LocalVendorOptions, startLocalVendor } from '../../sandbox/vendor-api/index.ts';
import type { VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import { createVendor, type VendorClient, type VendorOptions } from '../../src/vendor-api/client.ts';
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

/** Waited for in vain: long enough for all that comes before, on a busy machine too. */
export const SOON_OVER_MS = 1_000;

/** A handle that outlives the test and all of its clean-ups is a failure. */
beforeEach(() => afterwards(noHandleIsLeft));

async function noHandleIsLeft(): Promise<void> {
  // The kernel's handles close a few turns after their objects.
  await vi.waitFor(() => expect(openHandles()).toEqual([]), { timeout: PATIENCE_MS, interval: 5 });
}

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP'));
}

export async function localVendor(options: LocalVendorOptions = {}): Promise<LocalVendor> {
  return closeAfterwards(await startLocalVendor({ token: TOKEN, ...options }));
}

export function client(baseUrl: string, options: Partial<VendorOptions> = {}): VendorClient {
  return closeAfterwards(createVendor({ baseUrl, token: TOKEN, timeoutMs: 20_000, retryWaitMs: 5, clock, ...options }));
}

/** The common pair. */
export async function setUp(
  options: Partial<VendorOptions> = {},
): Promise<{ local: LocalVendor; vendor: VendorClient }> {
  const local = await localVendor();
  return { local, vendor: client(local.baseUrl, options) };
}
