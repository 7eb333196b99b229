import type { Purchase } from '../model/purchase.ts';

/** A lease that ends later than this from now was taken before a clock was set back, and counts as ended. */
export const LONGEST_LEASE_MS = 60_000;

/** Work that one process does at a time, so that others need not ask the same. No promise rests on a lease. */
export interface Leases {
  /** Leases every reading that is due, with its purchase, for `leaseMs`: no other process is given them meanwhile. */
  dueReadings(leaseMs: number): Promise<readonly { readonly purchase: Purchase; readonly nth: number }[]>;
  /**
   * Leases the head of the lane for `leaseMs`, or for longer where this one has it already, so that only one process does the checks
   * before sending; grants no right to send.
   * @returns whether this one has it.
   */
  takeHead(purchaseId: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Another may lease it at once. */
  leaveHead(holder: string): Promise<void>;
  /**
   * Leases the balance reading at an interval for `leaseMs`, where the last link is `everyMs` old and nothing is being sent.
   * @returns how often it has failed in a row; null where it is not due, or another has it.
   */
  takeInterval(everyMs: number, leaseMs: number): Promise<number | null>;
  /** It was taken, or failed: then nobody takes it for so long. */
  endInterval(failed: { readonly againAfterMs: number } | null): Promise<void>;
}
