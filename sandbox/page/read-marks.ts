import type { Message } from '../slack/types.ts';

/** Until which message somebody has read a conversation: person and channel → ts. Kept by the browser. */
export type ReadMarks = Readonly<Record<string, string>>;

const KEY = 'proxy-desk-sandbox-read-marks';

export function loadReadMarks(): ReadMarks {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as ReadMarks;
  } catch {
    return {};
  }
}

export function saveReadMarks(readMarks: ReadMarks): void {
  localStorage.setItem(KEY, JSON.stringify(readMarks));
}

export const readMarkKey = (person: string, channel: string) => `${person} ${channel}`;

/** `ts` has a fixed form, so that texts compare as times do. Private answers are no news: their reader asked for them. */
export function unread(messages: readonly Message[], readMarks: ReadMarks, person: string, channel: string): number {
  const until = readMarks[readMarkKey(person, channel)] ?? '';
  return messages.filter(
    (message) =>
      message.channel === channel && !message.deleted && message.ephemeralTo === undefined && message.ts > until,
  ).length;
}
