import type { Push, ShownMessage, Snapshot } from '../demo/wire.ts';
import type { ViewRecord } from '../slack/types.ts';

/** What the page knows: the last snapshot with every push since put into it. Never changed in place. */
export interface Known {
  /** null until the first snapshot. */
  readonly snapshot: Snapshot | null;
  readonly isConnected: boolean;
  readonly bygone: Bygone | null;
}

/** What a reload takes from a Slack client: the views of open modals, by id, and private messages. */
interface Bygone {
  readonly views: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

export const NOTHING_KNOWN: Known = { snapshot: null, isConnected: true, bygone: null };

const TRACES_KEPT = 400;
const LINES_KEPT = 500;

export function take(known: Known, push: Push): Known {
  if (push.type === 'snapshot') {
    const bygone = bygoneIn(push.snapshot, known.bygone);
    return { snapshot: withoutBygone(push.snapshot, bygone), isConnected: true, bygone };
  }
  const { snapshot, bygone } = known;
  return snapshot && bygone ? { ...known, snapshot: merge(snapshot, push, bygone) } : known;
}

/**
 * The first snapshot comes with the loading of the page: all of it is bygone. A later one comes after a lost connection: only what
 * was bygone before stays so. A restarted sandbox has none of it left, so that ids it uses again are not taken for the old ones.
 */
function bygoneIn({ stacks, messages }: Snapshot, before: Bygone | null): Bygone {
  const views = Object.values(stacks).flatMap((stack) => stack.map(({ id }) => id));
  const privates = messages.filter(({ ephemeralTo }) => ephemeralTo !== undefined).map(messageKey);
  return {
    views: new Set(views.filter((id) => before === null || before.views.has(id))),
    messages: new Set(privates.filter((key) => before === null || before.messages.has(key))),
  };
}

function withoutBygone(snapshot: Snapshot, { views, messages }: Bygone): Snapshot {
  const stacks = Object.entries(snapshot.stacks).map(([user, stack]) => [user, withoutViews(stack, views)] as const);
  return {
    ...snapshot,
    messages: snapshot.messages.filter((message) => !messages.has(messageKey(message))),
    stacks: Object.fromEntries(stacks),
  };
}

function withoutViews(stack: readonly ViewRecord[], views: Bygone['views']): readonly ViewRecord[] {
  return stack.filter(({ id }) => !views.has(id));
}

function merge(snapshot: Snapshot, push: Exclude<Push, { type: 'snapshot' }>, bygone: Bygone): Snapshot {
  switch (push.type) {
    case 'message':
      if (bygone.messages.has(messageKey(push.message))) return snapshot;
      return { ...snapshot, messages: upsert(snapshot.messages, push.message, isSameMessage) };
    case 'home':
      return { ...snapshot, homes: { ...snapshot.homes, [push.view.user]: push.view } };
    case 'clock':
      return { ...snapshot, aheadMs: push.aheadMs };
    case 'views':
      return { ...snapshot, stacks: { ...snapshot.stacks, [push.user]: withoutViews(push.stack, bygone.views) } };
    case 'world':
      return { ...snapshot, ...push.world };
    case 'trace':
      return { ...snapshot, traces: upsert(snapshot.traces, push.trace, (a, b) => a.id === b.id).slice(-TRACES_KEPT) };
    case 'violation':
      return { ...snapshot, violations: [...snapshot.violations, push.violation] };
    case 'vendor':
      return { ...snapshot, vendor: push.vendor };
    case 'bot':
      return { ...snapshot, botStatus: push.status };
    case 'log':
      return { ...snapshot, log: [...snapshot.log, push.line].slice(-LINES_KEPT) };
    default:
      return push satisfies never;
  }
}

const messageKey = ({ channel, ts }: ShownMessage) => `${channel} ${ts}`;

function isSameMessage(a: ShownMessage, b: ShownMessage): boolean {
  return messageKey(a) === messageKey(b);
}

function upsert<T>(entries: readonly T[], entry: T, isSame: (a: T, b: T) => boolean): readonly T[] {
  const at = entries.findLastIndex((other) => isSame(other, entry));
  return at === -1 ? [...entries, entry] : entries.with(at, entry);
}
