import type { Message } from '../slack/types.ts';

/** Until which message somebody has read a conversation: person and channel → ts. Kept by the browser. */
export type Seen = Readonly<Record<string, string>>;

const KEY = 'proxy-desk-sandbox-seen';

export function loadSeen(): Seen {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Seen;
  } catch {
    return {};
  }
}

export function saveSeen(seen: Seen): void {
  localStorage.setItem(KEY, JSON.stringify(seen));
}

export const seenKey = (person: string, channel: string) => `${person} ${channel}`;

/** `ts` has a fixed form, so that texts compare as times do. Private answers are no news: their reader asked for them. */
export function unread(messages: readonly Message[], seen: Seen, person: string, channel: string): number {
  const until = seen[seenKey(person, channel)] ?? '';
  return messages.filter(
    (message) =>
      message.channel === channel && !message.deleted && message.ephemeralTo === undefined && message.ts > until,
  ).length;
}
