import type { Plan } from './plan.ts';
import type { Right } from './right.ts';

/** What people may do, as `policy.yml` says. Read by `readPolicy`; checked afresh at every decision. */
export interface Policy {
  readonly access: Access;
  readonly approvals: Approvals;
  /** At least one, each product id once. */
  readonly plans: readonly Plan[];
  readonly limits: Limits;
  /** Somebody to turn to: a Slack user, group or channel id, or a name. */
  readonly contact?: string;
}

/** Slack user group ids (S…) for each right. An empty list lets nobody in. */
export type Access = Readonly<Record<Right, readonly string[]>>;

export type Approvals =
  | {
      readonly mode: 'channel';
      /** The id (C… or G…) of the channel where the cards are posted. */
      readonly channel: string;
      /** IPs that a person may buy in a rolling 24 h on their own confirmation. */
      readonly freeUpTo: number;
      readonly renewalsNeedApproval: boolean;
      readonly expireAfterMs: number;
      readonly sendWithinMs: number;
    }
  /** Nothing needs approval. The times hold all the same: a purchase that could not be sent in time is given up. */
  | { readonly mode: 'off'; readonly expireAfterMs: number; readonly sendWithinMs: number };

export interface Limits {
  readonly ipsPerOrder: number;
  readonly ipsPerPersonPerDay: number;
}
