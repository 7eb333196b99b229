import type { Snapshot } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';

/**
 * A screen that gets no edits: what stood on it when it was held stays as it was, buttons included, while new messages still
 * come. It is how a card goes stale in front of somebody.
 */
export function withoutEdits(live: Snapshot, held: readonly Message[]): Snapshot {
  const copies = new Map(held.map((message) => [keyOf(message), message]));
  return { ...live, messages: live.messages.map((message) => copies.get(keyOf(message)) ?? message) };
}

const keyOf = ({ channel, ts }: Message) => `${channel} ${ts}`;
