import type { Push, Snapshot } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';

/** What the page knows: the last snapshot with every push since put into it. Never changed in place. */
export interface Known {
  /** null until the first snapshot. */
  readonly snapshot: Snapshot | null;
  readonly isConnected: boolean;
}

const TRACES_KEPT = 400;
const LINES_KEPT = 500;

export function take(known: Known, push: Push): Known {
  if (push.type === 'snapshot') return { snapshot: push.snapshot, isConnected: true };
  return known.snapshot ? { ...known, snapshot: merge(known.snapshot, push) } : known;
}

function merge(snapshot: Snapshot, push: Exclude<Push, { type: 'snapshot' }>): Snapshot {
  switch (push.type) {
    case 'message':
      return { ...snapshot, messages: upsert(snapshot.messages, push.message, isSameMessage) };
    case 'chat':
      return { ...snapshot, chat: [...snapshot.chat, push.line] };
    case 'views': {
      const { [push.user]: _gone, ...homes } = snapshot.homes;
      return {
        ...snapshot,
        stacks: { ...snapshot.stacks, [push.user]: push.stack },
        homes: push.home ? { ...homes, [push.user]: push.home } : homes,
      };
    }
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

function isSameMessage(a: Message, b: Message): boolean {
  return a.channel === b.channel && a.ts === b.ts;
}

function upsert<T>(entries: readonly T[], entry: T, isSame: (a: T, b: T) => boolean): readonly T[] {
  const at = entries.findLastIndex((other) => isSame(other, entry));
  return at === -1 ? [...entries, entry] : entries.with(at, entry);
}
