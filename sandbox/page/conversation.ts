import type { ChatLine, ShownMessage, Snapshot } from '../demo/wire.ts';

/** One message as it stands in a conversation: the app's or Slack's, a person's words, or what is left of a deleted one. */
export interface Entry {
  readonly ts: string;
  readonly content: { readonly message: ShownMessage } | { readonly line: ChatLine } | 'deleted';
  /** Its thread, oldest first. */
  readonly replies: readonly Entry[];
}

/** What this person sees in this conversation, oldest first, with each thread under its first message. */
export function conversation(snapshot: Snapshot, me: string, channel: string): readonly Entry[] {
  const messages = snapshot.messages
    .filter((message) => message.channel === channel && !message.deleted && isSeenBy(message, me))
    .map((message) => ({ ts: message.ts, threadTs: message.threadTs, content: { message }, replies: [] }));
  const lines = snapshot.chat
    .filter((line) => line.channel === channel)
    .map((line) => ({ ts: line.ts, threadTs: line.threadTs, content: { line }, replies: [] }));
  const threads = Map.groupBy(inOrder([...messages, ...lines]), ({ threadTs }) => threadTs);
  const firsts = threads.get(undefined) ?? [];
  const known = new Set(firsts.map(({ ts }) => ts));
  const deleted = [...threads.keys()].flatMap((ts) =>
    ts === undefined || known.has(ts) ? [] : [{ ts, content: 'deleted' as const }],
  );
  return inOrder([...firsts, ...deleted]).map((first) => ({ ...first, replies: threads.get(first.ts) ?? [] }));
}

function inOrder<T extends { readonly ts: string }>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => Number(a.ts) - Number(b.ts));
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
