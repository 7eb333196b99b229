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
  readonly startedAt: number;
}

export interface Instances {
  /** Says that this one is alive. @returns all that were, within `aliveMs`, itself among them; the last started is the last. */
  beat(me: Omit<Instance, 'startedAt'>, aliveMs: number): Promise<readonly Instance[]>;
  leave(id: string): Promise<void>;
}
