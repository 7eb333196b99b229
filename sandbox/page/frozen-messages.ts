import type { ShownMessage, Snapshot } from '../demo/wire.ts';

/**
 * A screen that gets no edits: the messages that stood on it stay as they were, buttons included, while new ones still come.
 * It is how a card goes stale in front of somebody.
 */
export function withFrozenMessages(live: Snapshot, frozen: readonly ShownMessage[]): Snapshot {
  const copies = new Map(frozen.map((message) => [keyOf(message), message]));
  return { ...live, messages: live.messages.map((message) => copies.get(keyOf(message)) ?? message) };
}

const keyOf = ({ channel, ts }: ShownMessage) => `${channel} ${ts}`;
