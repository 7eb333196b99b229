import { type Core, Refused, violate } from './core.ts';
import { repliesTo } from './messages.ts';

/**
 * Under which message a reply comes to stand. Slack refuses only what is no `ts` at all: where the first message is gone, the
 * reply becomes a message of the channel, without a word; the answer then lacks `thread_ts`.
 */
export function threadFor(core: Core, channel: string, ts: string | undefined, where: string): string | undefined {
  if (ts === undefined || ts === '') return undefined;
  if (!/^\d{10}\.\d{6}$/.test(ts))
    throw new Refused('invalid_thread_ts', {
      response_metadata: { messages: [`[ERROR] ${ts} is not a valid thread_ts`] },
    });
  const first = core.state.messages.find((message) => message.channel === channel && message.ts === ts);
  if (first?.threadTs !== undefined) {
    violate(core, "thread_ts is a reply's; Slack asks for that of the first message", where, { thread_ts: ts });
    return threadFor(core, channel, first.threadTs, where);
  }
  // A deleted message that has replies leaves its place behind, and the thread with it.
  const isThere = first !== undefined && (!first.deleted || repliesTo(core, first).length > 0);
  return isThere ? ts : undefined;
}
