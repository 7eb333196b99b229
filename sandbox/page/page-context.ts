import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Snapshot } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';

/** What every part of the page may read. */
export interface Page {
  readonly snapshot: Snapshot;
  /** Slack user id of the person whose screen this is. */
  readonly me: string;
  /** A sentence of Slack's client or of the sandbox, shown for a while. */
  readonly toast: (text: string) => void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('There is no page around this');
  return page;
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
