/** One that has not said for so long that it is alive is taken for gone. It says so three times as often: one may be late, and one be lost. */
export const ALIVE_MS = 30_000;

/** A process of the bot, as it is entered in the ledger. */
export interface Instance {
  readonly id: string;
  readonly version: string;
  /** Equal where the policy is. */
  readonly policyHash: string;
  /** Equal where the vendor's address and account are. */
  readonly vendorHash: string;
  /** Since when it goes by that policy; null where its version does not say. */
  readonly policySince: number | null;
  /** `connected`, or why commands would not reach it; null where its version does not say. */
  readonly slack: string | null;
  readonly startedAt: number;
}

export interface Instances {
  /**
   * Says that this one is alive, and by which policy. A policy that is not the one in force last is recorded, and what people decide on
   * is drawn anew. @returns all that were, within `aliveMs`, itself among them; the last
   * started is the last.
   */
  beat(me: Omit<Instance, 'startedAt'>, aliveMs: number): Promise<readonly Instance[]>;
  leave(id: string): Promise<void>;
}
