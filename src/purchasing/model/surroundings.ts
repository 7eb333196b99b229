import type { ToldMovement } from './alerts.ts';
import type { BalanceReading } from './answer.ts';
import type { ExpectedCost } from './cost.ts';
import type { ReminderRow } from './end-reminder.ts';
import type { Freeze } from './freeze.ts';
import type { Money } from './money.ts';
import type { MonthlyReport } from './monthly-report.ts';
import type { OrderFacts } from './order.ts';

/** Two different people have to approve. */
export interface TwoPeople {
  /** IPs that the requester has asked for on the same plan besides, and that count together with these. */
  readonly besides: number;
  /** Of how many others besides, and what all of it comes to as far as that is known; null where dollars are not what asks for two. */
  readonly dollars: { readonly others: number; readonly total: Money; readonly unpriced: number } | null;
}

/** What a message shows beside its purchase. */
export interface Surroundings {
  readonly freeze: Freeze | null;
  readonly now: number;
  /** The user groups to mention: only when a message is posted, never when it is edited. */
  readonly mention: readonly string[];
  /** As of now, for a request that waits for a decision; null where it was not read in time. */
  readonly balance: BalanceReading | null;
  /** What the ledger knows of the order to renew. */
  readonly order: OrderFacts | null;
  /** The same of the orders that wait for a decision on the card of a batch; none for anything else. */
  readonly orders: readonly OrderFacts[];
  /** What each request costs that waits for a decision, as of now; by its id. Where it was not read, it is not there. */
  readonly costs: ReadonlyMap<string, ExpectedCost>;
  /** The orders that a reminder tells of; none for anything else. */
  readonly reminder: readonly ReminderRow[];
  /** The change of the balance that it tells of; null for anything else. */
  readonly change: ToldMovement | null;
  /** The month that it reports; null for anything else. */
  readonly report: MonthlyReport | null;
  /** How many people can approve and settle who are on no side of it themselves; undefined when that was not read. */
  readonly othersWhoApprove: number | undefined;
  /** Of a request that waits for a decision; null where one yes is enough. */
  readonly twoPeople: TwoPeople | null;
  /** The digest of the policy in force. */
  readonly policy: string;
  /** Who the policy names to turn to. */
  readonly contact: string | null;
  /** Addresses of other messages of the same purchase; null where one is not posted, or Slack names no address. */
  readonly links: {
    /** The requester's message, with all the facts. */
    readonly receipt: string | null;
    /** The card on which an unknown outcome is settled. */
    readonly unknownCard: string | null;
  };
  /** The approvals channel; null where there is none. */
  readonly cardsIn: string | null;
}
