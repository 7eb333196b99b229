import type { ShownMessage, Snapshot } from '../demo/wire.ts';

/** One message as it stands in a conversation, or what is left of a deleted one. */
export interface Entry {
  readonly ts: string;
  readonly content: ShownMessage | 'deleted';
  /** The `ts` of the first message of the thread in which it is a reply that was also sent to the channel. */
  readonly repliesTo: string | null;
  /** Its thread, oldest first. */
  readonly replies: readonly Entry[];
}

/** What this person sees in this conversation, oldest first, with each thread under its first message. */
export function conversation(snapshot: Snapshot, me: string, channel: string): readonly Entry[] {
  const messages = snapshot.messages
    .filter((message) => message.channel === channel && !message.deleted && isSeenBy(message, me))
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const threads = Map.groupBy(messages, ({ threadTs }) => threadTs);
  const repliesTo = (ts: string) => (threads.get(ts) ?? []).map((message) => entryOf(message, null, []));
  const known = new Set((threads.get(undefined) ?? []).map(({ ts }) => ts));
  const standing = messages
    .filter(({ threadTs, broadcast }) => threadTs === undefined || broadcast)
    .map((message) =>
      message.threadTs === undefined
        ? entryOf(message, null, repliesTo(message.ts))
        : entryOf(message, message.threadTs, []),
    );
  const deleted = [...threads.keys()].flatMap((ts): Entry[] =>
    ts === undefined || known.has(ts) ? [] : [{ ts, content: 'deleted', repliesTo: null, replies: repliesTo(ts) }],
  );
  return [...standing, ...deleted].toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

function entryOf(message: ShownMessage, repliesTo: string | null, replies: readonly Entry[]): Entry {
  return { ts: message.ts, content: message, repliesTo, replies };
}

function isSeenBy({ ephemeralTo }: ShownMessage, person: string): boolean {
  return ephemeralTo === undefined || ephemeralTo === person;
}

export function newestIn(entries: readonly Entry[]): string | undefined {
  return entries
    .flatMap(({ ts, replies }) => [ts, ...replies.map((reply) => reply.ts)])
    .toSorted()
    .at(-1);
}
