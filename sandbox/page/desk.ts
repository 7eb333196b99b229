import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Snapshot } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';

/** What every part of the page may read. */
export interface Desk {
  readonly snapshot: Snapshot;
  /** Slack user id of the person whose screen this is. */
  readonly me: string;
  /** A sentence of Slack's client or of the sandbox, shown for a while. */
  readonly toast: (text: string) => void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('There is no desk around this');
  return desk;
}

/** What this person sees in this conversation, oldest first. */
export function messagesIn({ messages }: Snapshot, me: string, channel: string): readonly Message[] {
  return messages.filter(
    (message) =>
      message.channel === channel &&
      !message.deleted &&
      (message.ephemeralTo === undefined || message.ephemeralTo === me),
  );
}

export function channelsOf({ channels }: Snapshot, me: string) {
  return Object.values(channels).filter(({ members, archived }) => members.includes(me) && !archived);
}
