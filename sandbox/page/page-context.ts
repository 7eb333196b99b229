import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Snapshot } from '../demo/wire.ts';

/** What every part of the page may read. */
export interface Page {
  readonly snapshot: Snapshot;
  /** Slack user id of the person whose screen this is. */
  readonly me: string;
  /** Opens the thread of this message beside the conversation; null closes it. */
  readonly openThread: (ts: string | null) => void;
  /** The time of the sandbox. */
  readonly now: () => Date;
  /** A sentence of Slack's client or of the sandbox, shown for a while. */
  readonly toast: (text: string) => void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('There is no page around this');
  return page;
}

export function channelsOf({ channels }: Snapshot, me: string) {
  return Object.values(channels).filter(({ members, archived }) => members.includes(me) && !archived);
}
