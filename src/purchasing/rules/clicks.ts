import type { BatchRule } from '../model/batch-change.ts';
import type { Change, ChangeFacts } from '../model/change.ts';
import type { ClickedMessage, ClickResult } from '../model/click.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Notice } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';

/**
 * Lets a click count once, however often Slack delivers it. A later delivery changes nothing: where the first was done it is answered
 * by `again`; where it was refused, with why it is refused now, or that it is not done any more.
 * @param again given what the decision would say now.
 */
export function countOnce<S, F extends Pick<ChangeFacts, 'deliveredBefore'>, R extends object>(
  decide: (subject: S, facts: F) => Change<R | Refusal>,
  again: (subject: S, now: R | Refusal) => R | Refusal,
): (subject: S, facts: F) => Change<R | Refusal> {
  return (subject, facts) => {
    const change = decide(subject, facts);
    if (isLookedAtAnew(change.result)) return { result: change.result, by: change.by };
    if (facts.deliveredBefore === null) return { ...change, click: clickResult(change.result) };
    const { result, by } = change;
    if (facts.deliveredBefore === 'done') return { result: again(subject, result), by };
    return { result: isRefusal(result) ? result : { refused: 'delivered_again' }, by };
  };
}

/** The same for a decision about all rows of a batch. */
export function countBatchOnce<R extends object>(
  decide: BatchRule<R | Refusal>,
  again: (rows: readonly Purchase[], now: R | Refusal) => R | Refusal,
): BatchRule<R | Refusal> {
  return (rows) => {
    const change = decide(rows);
    const { result } = change;
    const changes = new Map();
    if (isLookedAtAnew(result)) return { result, changes };
    const deliveredBefore = rows[0]?.facts.deliveredBefore ?? null;
    if (deliveredBefore === null) return { ...change, click: clickResult(result) };
    if (deliveredBefore === 'refused')
      return { result: isRefusal(result) ? result : { refused: 'delivered_again' }, changes };
    const now = rows.map(({ purchase }) => purchase);
    return { result: again(now, result), changes };
  };
}

/**
 * The same for what is no purchase.
 * @param again what a later delivery is told where the first was done
 */
export function countedOnce<C extends { readonly result: object }>(
  deliveredBefore: ClickResult | null,
  again: C['result'],
  decide: () => C,
): (C & { readonly click: ClickResult }) | { readonly result: C['result'] | Refusal } {
  if (deliveredBefore === 'done') return { result: again };
  const decided = decide();
  const { result } = decided;
  if (deliveredBefore === 'refused') return { result: isRefusal(result) ? result : { refused: 'delivered_again' } };
  return { ...decided, click: clickResult(result) };
}

/** It was looked at with what is no longer so: it is looked at once more, and counts then. */
function isLookedAtAnew(result: object): boolean {
  return isRefusal(result) && result.refused === 'first_yes_changed';
}

export function clickResult(result: object): ClickResult {
  return isRefusal(result) ? 'refused' : 'done';
}

/** The message whose button was pressed, with what the ledger knows of it and of the purchase's messages. */
export interface Clicked {
  readonly message: ClickedMessage;
  /** What the bot posted there; undefined where the ledger knows of nothing. */
  readonly notice: (Pick<Notice, 'purchaseId'> & Partial<Pick<Notice, 'batchId'>>) | undefined;
  /** Where messages of the purchase have been posted. */
  readonly posted: readonly Pick<Notice, 'channel'>[];
}

/**
 * Whether a click on this purchase was made where it does not count. It counts on a message that the ledger knows as one of the
 * purchase or of its batch, and on the bot's own private answer. A message whose posting was not confirmed is not known: it counts in the approvals
 * channel, and in direct messages, which only the one person can click in.
 * @param onCard the click is on a card; without an approvals channel, cards are posted in each approver's direct messages
 */
export function isElsewhere(
  { id, batch }: Pick<Purchase, 'id' | 'batch'>,
  { message, notice, posted }: Clicked,
  { approvals }: Policy,
  onCard = false,
): boolean {
  if (message.isPrivateAnswer) return false;
  if (notice) return notice.purchaseId !== id && (batch === null || notice.batchId !== batch.id);
  const { channel } = message;
  if (approvals.mode === 'channel' ? channel === approvals.channel : onCard && isDirect(channel)) return false;
  if (posted.some((place) => place.channel === channel)) return false;
  return !isDirect(channel) || posted.some((place) => isDirect(place.channel ?? ''));
}

/**
 * The same for an order in a reminder.
 * @param notice what the bot posted there; undefined where the ledger knows of nothing
 * @param orders those that it tells of
 */
export function isOutsideReminder(
  orderId: OrderId,
  { channel, isPrivateAnswer }: ClickedMessage,
  notice: Pick<Notice, 'kind'> | undefined,
  orders: readonly OrderId[],
  { approvals }: Policy,
): boolean {
  if (isPrivateAnswer) return true;
  if (notice) return notice.kind !== 'ending' || !orders.includes(orderId);
  return !isDirect(channel) && !(approvals.mode === 'channel' && channel === approvals.channel);
}

/** Whether it is a message that the ledger does not know, of a purchase that has one in the same channel which it knows. */
export function isCopy({ message, notice, posted }: Clicked): boolean {
  if (message.ts === '' || message.isPrivateAnswer || notice) return false;
  return posted.some(({ channel }) => channel === message.channel);
}

function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}
