import type { LocalSlack, Message } from '../slack/index.ts';

/** Every copy of a message that may still stand on somebody's screen: a click may come from an old one. */
export interface Copies {
  find(channel: string, ts: string, edits: number): Message | undefined;
  close(): void;
}

export function keepCopies(slack: LocalSlack): Copies {
  const copies = new Map<string, Message>();
  const key = ({ channel, ts, edits }: Pick<Message, 'channel' | 'ts' | 'edits'>) => `${channel} ${ts} ${edits}`;
  for (const message of slack.state.messages) copies.set(key(message), message);
  const close = slack.on((event) => {
    if (event.type === 'message_posted' || event.type === 'message_edited')
      copies.set(key(event.message), event.message);
  });
  return { find: (channel, ts, edits) => copies.get(key({ channel, ts, edits })), close };
}
