import type { ChangeRule } from '../model/change.ts';
import type { ClickedMessage, ClickResult } from '../model/click.ts';
import type { Notice } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';

/**
 * Lets a click count once, however often Slack delivers it. A later delivery changes nothing: where the first was done it is answered
 * by `again`; where it was refused, with why it is refused now, or that it is not done any more.
 * @param again given what the decision would say now.
 */
export function countOnce<R extends object>(
  decide: ChangeRule<R | Refusal>,
  again: (purchase: Purchase, now: R | Refusal) => R | Refusal,
): ChangeRule<R | Refusal> {
  return (purchase, facts) => {
    const change = decide(purchase, facts);
    // Looked at with what is no longer so: it is looked at anew, and counts then.
    if (isRefusal(change.result) && change.result.refused === 'first_yes_changed')
      return { result: change.result, by: change.by };
    if (facts.deliveredBefore === null) return { ...change, click: clickResult(change.result) };
    const { result, by } = change;
    if (facts.deliveredBefore === 'done') return { result: again(purchase, result), by };
    return { result: isRefusal(result) ? result : { refused: 'delivered_again' }, by };
  };
}

export function clickResult(result: object): ClickResult {
  return isRefusal(result) ? 'refused' : 'done';
}

/** The message whose button was pressed, with what the ledger knows of it and of the purchase's messages. */
export interface Clicked {
  readonly message: ClickedMessage;
  /** What the bot posted there; undefined where the ledger knows of nothing. */
  readonly notice: Pick<Notice, 'purchaseId'> | undefined;
  /** Where messages of the purchase have been posted. */
  readonly posted: readonly Pick<Notice, 'channel'>[];
}

/**
 * Whether a click on this purchase was made where it does not count. It counts on a message that the ledger knows as one of the
 * purchase, and on the bot's own private answer. A message whose posting was not confirmed is not known: it counts in the approvals
 * channel, and in direct messages, which only the one person can click in.
 * @param onCard the click is on a card; without an approvals channel, cards are posted in each approver's direct messages
 */
export function isElsewhere(
  { id }: Pick<Purchase, 'id'>,
  { message, notice, posted }: Clicked,
  { approvals }: Policy,
  onCard = false,
): boolean {
  if (message.isPrivateAnswer) return false;
  if (notice) return notice.purchaseId !== id;
  const { channel } = message;
  if (approvals.mode === 'channel' ? channel === approvals.channel : onCard && isDirect(channel)) return false;
  if (posted.some((place) => place.channel === channel)) return false;
  return !isDirect(channel) || posted.some((place) => isDirect(place.channel ?? ''));
}

/** Whether it is a message that the ledger does not know, of a purchase that has one in the same channel which it knows. */
export function isCopy({ message, notice, posted }: Clicked): boolean {
  if (message.ts === '' || message.isPrivateAnswer || notice) return false;
  return posted.some(({ channel }) => channel === message.channel);
}

function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}
