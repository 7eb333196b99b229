import type { ClickResult } from './click.ts';
import { THE_BOT } from './entries.ts';
import type { NewNotice } from './outbox.ts';

export interface Freeze {
  /** Slack user id, `desk` for the bot itself, or an operator. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** How the reason of a freeze begins where the ledger went back in time, also of one that an earlier version has written. */
export const GONE_BACK = {
  backup: 'restored from the backup of ',
  database: 'the database was ',
  answer: 'the ledger has forgotten that ',
} as const;

export function isGoneBack({ by, reason }: Pick<Freeze, 'by' | 'reason'>): boolean {
  return by === THE_BOT && Object.values(GONE_BACK).some((why) => reason.startsWith(why));
}

/** Read inside the transaction that freezes or unfreezes. */
export interface FreezeFacts {
  readonly now: number;
  readonly freeze: Freeze | null;
  /** What an earlier delivery of this click led to; null for the first. */
  readonly deliveredBefore: ClickResult | null;
}

/** What a decision about the freeze writes, all in one transaction. */
export interface FreezeChange<R> {
  readonly result: R;
  readonly by: string;
  /** The freeze from now on, or its end; what is absent stays as it is. */
  readonly to?: Freeze | null;
  readonly notice?: NewNotice;
  readonly click?: ClickResult;
}

/** Pure: run inside the transaction that writes what it returns, perhaps more than once. */
export type FreezeRule<R> = (facts: FreezeFacts) => FreezeChange<R>;
