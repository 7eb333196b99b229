import type { Notice } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Place } from '../ports/outbox.ts';

type Posted = readonly Pick<Notice, 'channel' | 'ts'>[];

/** Where a click was made, and where the messages of its purchase have been posted. */
export interface Card {
  readonly channel: string;
  readonly posted: Posted;
}

/**
 * A click counts only where the messages of its purchase live. One whose posting was not confirmed has no recorded place, and
 * counts in the approvals channel, and in direct messages, which only the one person can click in.
 */
export function isElsewhere({ channel, posted }: Card, { approvals }: Policy): boolean {
  if (approvals.mode === 'channel' && channel === approvals.channel) return false;
  if (posted.some((message) => message.channel === channel)) return false;
  return !isDirect(channel) || posted.some((message) => isDirect(message.channel ?? ''));
}

/** Cards to decide by are posted in the approvals channel, or to each approver where there is none. */
export function isForDecisions({ channel }: Card, { approvals }: Policy): boolean {
  return approvals.mode === 'channel' ? channel === approvals.channel : isDirect(channel);
}

/** A message of the purchase that the ledger does not know, beside one in the same channel that it knows. */
export function isCopy(place: Place, posted: Posted): boolean {
  const here = posted.filter(({ channel }) => channel === place.channel);
  return here.length > 0 && here.every(({ ts }) => ts !== place.ts);
}

function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}
