import { useEffect, useState } from 'preact/hooks';
import type { Snapshot } from '../demo/wire.ts';

/** Until which message somebody has read a conversation: person and channel → ts. Kept by the browser. */
export type ReadMarks = Readonly<Record<string, string>>;

const KEY = 'proxy-desk-sandbox-read-marks';

const keyOf = (person: string, channel: string) => `${person} ${channel}`;

/** All marks; the one of the conversation that is looked at follows its newest message. */
export function useReadMarks(person: string, channel: string, newest: string | undefined): ReadMarks {
  const [readMarks, setReadMarks] = useState<ReadMarks>(load);
  useEffect(() => {
    if (newest === undefined) return;
    setReadMarks((before) => {
      const key = keyOf(person, channel);
      if ((before[key] ?? '') >= newest) return before;
      const after = { ...before, [key]: newest };
      localStorage.setItem(KEY, JSON.stringify(after));
      return after;
    });
  }, [newest, person, channel]);
  return readMarks;
}

function load(): ReadMarks {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as ReadMarks;
  } catch {
    return {};
  }
}

export interface Unread {
  /** Written in bold. */
  readonly isAny: boolean;
  /** The number on the badge: direct messages, and mentions. */
  readonly count: number;
}

/**
 * As Slack counts. Private answers are no news, their reader asked for them; nor is an edit, since it leaves a message where it is.
 * A reply in a channel's thread is news only to those whom it mentions.
 */
export function unread(
  { messages, directs }: Pick<Snapshot, 'messages' | 'directs'>,
  readMarks: ReadMarks,
  person: string,
  channel: string,
): Unread {
  // `ts` has a fixed form, so that texts compare as times do.
  const until = readMarks[keyOf(person, channel)] ?? '';
  const isDirect = directs[person] === channel;
  const fresh = messages.filter(
    (message) =>
      message.channel === channel &&
      !message.deleted &&
      message.ephemeralTo === undefined &&
      message.author !== person &&
      message.ts > until,
  );
  const count = fresh.filter(({ mentions }) => isDirect || mentions.includes(person)).length;
  const isAny = count > 0 || fresh.some(({ threadTs, broadcast }) => threadTs === undefined || broadcast);
  return { isAny, count };
}
