import type { Money } from './money.ts';

/** What people may do, as `policy.yml` says. Read by `readPolicy`; checked afresh at every decision. */
export interface Policy {
  readonly access: Access;
  readonly approvals: Approvals;
  /** At least one, each product id once. */
  readonly plans: readonly Plan[];
  readonly limits: Limits;
  readonly reminders: Reminders;
  readonly balance: BalancePolicy;
  readonly reports: Reports;
  /** Somebody to turn to: a Slack user, group or channel id, or a name. */
  readonly contact?: string;
}

/** When owners are reminded that their orders end. */
export interface Reminders {
  /** How long before the end; the longest first. Empty where nobody is reminded. */
  readonly beforeEndMs: readonly number[];
  /** An order that ends within this is `ending`, reminders or not. */
  readonly endingWithinMs: number;
  /** Minutes after midnight, in the owner's time zone. */
  readonly atMinutes: number;
  /** An order that is kept files its renewal so long before its end. */
  readonly renewKeptBeforeMs: number;
}

export interface BalancePolicy {
  /** It is read when nobody else has for so long; null where that is not wanted. */
  readonly readEveryMs: number | null;
  /** People are told when there is less; null for never. */
  readonly warnBelow: Money | null;
  /** People are told when it is enough for fewer days; null for never. */
  readonly warnDays: number | null;
  /** Spending freezes by itself when more leaves and nothing explains it; null for never. */
  readonly freezeOnUnexplainedAbove: Money | null;
}

export interface Reports {
  /** Whether those who approve are told of each month. */
  readonly monthly: boolean;
  /** Of the IANA database, as in `Europe/Berlin`: its months are meant wherever money is counted by months. */
  readonly timeZone: string;
}

/** Slack user group ids (S…) for each right. An empty list lets nobody in. */
export type Access = Readonly<Record<Right, readonly string[]>>;

export type Approvals =
  | {
      readonly mode: 'channel';
      /** The id (C… or G…) of the channel where the cards are posted. */
      readonly channel: string;
      /** IPs that a person may buy in a rolling 24 h on their own confirmation; null where dollars alone say so. */
      readonly freeUpTo: number | null;
      /** The same in dollars; null where IPs alone say so. Where both are given, both must hold. */
      readonly freeUpToDollars: Money | null;
      readonly renewalsNeedApproval: boolean;
      /** More IPs than that need two different approvers; null where one is always enough. */
      readonly twoPeopleAbove: number | null;
      /** More dollars than that do. */
      readonly twoPeopleAboveDollars: Money | null;
      /** How long after filing those who approve are reminded of what nobody has decided; the shortest first. */
      readonly remindAfterMs: readonly number[];
      /** Nobody is reminded in these hours. */
      readonly quiet: QuietHours | null;
      /** Undecided for so long: these user groups are mentioned as well. They get no right by it. */
      readonly escalation: { readonly afterMs: number; readonly to: readonly string[] } | null;
      readonly expireAfterMs: number;
      readonly sendWithinMs: number;
    }
  /** Nothing needs approval. The times hold all the same: a purchase that could not be sent in time is given up. */
  | { readonly mode: 'off'; readonly expireAfterMs: number; readonly sendWithinMs: number };

/** From one time of day to another, which may be on the next day. Minutes after midnight. */
export interface QuietHours {
  readonly fromMinutes: number;
  readonly untilMinutes: number;
  /** Of the IANA database, as in `Europe/Berlin`. */
  readonly timeZone: string;
}

export interface Limits {
  readonly ipsPerOrder: number;
  readonly ipsPerPersonPerDay: number;
  /** In a calendar month of {@link Reports.timeZone}; null where there is none. */
  readonly dollarsPerPersonPerMonth: Money | null;
  /** All people together. */
  readonly dollarsPerMonth: Money | null;
}

/** What a person may do; each is a list of Slack user groups in the policy's `access`. */
export const RIGHTS = ['balance', 'buy', 'renew', 'approve'] as const;
export type Right = (typeof RIGHTS)[number];

/** A product that may be bought. */
export interface Plan {
  readonly productId: string;
  readonly name: string;
  readonly type: string;
  readonly networkType: string;
  /** From the policy, since the vendor states none; used for the calendar only. Null when the policy gives none. */
  readonly term: Term | null;
  /** The term as people read it, for example "1 month"; empty when there is none. */
  readonly termText: string;
}

export interface Term {
  readonly amount: number;
  readonly unit: TermUnit;
}

export const TERM_UNITS = ['day', 'week', 'month', 'year'] as const;
type TermUnit = (typeof TERM_UNITS)[number];
