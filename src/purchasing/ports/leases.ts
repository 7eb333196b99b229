import type { Purchase } from '../model/purchase.ts';

/** What one process looks after for a while, so that others need not. No promise rests on a lease. */
/** A lease that ends later was taken before a clock was set back, and counts as ended. */
export const LONGEST_LEASE_MS = 60_000;

export interface Leases {
  /** Every reading that is due, with its purchase, for `leaseMs`: no other process is given them meanwhile. */
  dueReadings(leaseMs: number): Promise<readonly { readonly purchase: Purchase; readonly nth: number }[]>;
  /**
   * Looks after the purchase at the head of the lane, alone among all processes, for `leaseMs`; also to hold it for longer. It
   * spares others the questions that precede sending, and permits nothing.
   * @returns whether this one has it.
   */
  takeHead(purchaseId: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Another may look after it at once. */
  leaveHead(holder: string): Promise<void>;
}
