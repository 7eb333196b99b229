import type { ClickedMessage } from './model/clicked-message.ts';
import type { Policy } from './model/policy.ts';
import type { Outbox } from './ports/outbox.ts';

/**
 * Whether a click on this purchase was made where it does not count. It counts on a message that the ledger knows as one of the
 * purchase, and on the bot's own private answer. A message whose posting was not confirmed is not known: it counts in the approvals
 * channel, and in direct messages, which only the one person can click in.
 * @param cardsAreDirect there is no approvals channel, and the click is on a card
 */
export async function isElsewhere(
  outbox: Outbox,
  { approvals }: Policy,
  id: string,
  message: ClickedMessage,
  cardsAreDirect = false,
): Promise<boolean> {
  if (message.isPrivateAnswer) return false;
  const known = await outbox.noticeAt(message);
  if (known) return known.purchaseId !== id;
  const isDirect = message.channel.startsWith('D');
  if (isDirect ? cardsAreDirect : approvals.mode === 'channel' && message.channel === approvals.channel) return false;
  const places = await outbox.placesOf(id);
  if (places.some(({ channel }) => channel === message.channel)) return false;
  return !isDirect || places.some(({ channel }) => channel?.startsWith('D'));
}

/** Whether it is a message that the ledger does not know, of a purchase that has one in the same channel which it knows. */
export async function isCopy(outbox: Outbox, id: string, message: ClickedMessage): Promise<boolean> {
  if (message.ts === '' || message.isPrivateAnswer) return false;
  if (await outbox.noticeAt(message)) return false;
  const places = await outbox.placesOf(id);
  return places.some(({ channel }) => channel === message.channel);
}
