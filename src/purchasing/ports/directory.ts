import type { Right } from '../model/policy.ts';

/** What the directory knows of a person, or that it could not be read: then the answer is no. */
export type Standing =
  | {
      readonly readable: true;
      /** Every id of this human: Slack may use the workspace's (U…) here and the organisation's (W…) there. */
      readonly ids: ReadonlySet<string>;
      /** `enterprise_user.id` where there is one, else the user id: one human, one value. */
      readonly person: string;
      readonly barred: 'guest' | 'bot' | 'deactivated' | 'outsider' | null;
      readonly rights: ReadonlySet<Right>;
      /** Rights that nobody at all has: their groups are empty, disabled or not configured. */
      readonly nobodyHas: ReadonlySet<Right>;
    }
  | { readonly readable: false; readonly retryAfterSeconds: number };

export interface Approver {
  /** The Slack user id to write to. */
  readonly user: string;
  /** Every id of this human. */
  readonly ids: ReadonlySet<string>;
}

/** Who may do what, asked of Slack itself. Never throws. */
export interface Directory {
  /**
   * @param freshness `cached`: up to 60 s old, only to open views and to answer reads. `fresh`: every answer used was asked for
   * after, or was in flight at, the time of this call; for everything that changes a state.
   * @param withinMs gives up (unreadable) after so long.
   */
  standing(user: string, rights: readonly Right[], freshness: 'cached' | 'fresh', withinMs: number): Promise<Standing>;
  /**
   * Every id of this human, asked afresh.
   * @returns undefined when they could not be read within `withinMs`.
   */
  idsOf(user: string, withinMs: number): Promise<ReadonlySet<string> | undefined>;
  /**
   * The time zone that this person has set in Slack, as of the last hour; null where Slack tells none.
   * @returns undefined when it could not be read.
   */
  timeZone(user: string): Promise<string | null | undefined>;
  /** Usable members of `access.approve` (no guests, bots, deactivated), each human once, or undefined when unreadable. */
  approvers(): Promise<readonly Approver[] | undefined>;
}
