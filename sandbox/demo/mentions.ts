import { type LocalSlack, liveParts, type Message, type State } from '../slack/index.ts';

/** Whom a message notifies. */
export interface Mentions {
  of(message: Message): readonly string[];
  close(): void;
}

/** Read from each message as it was posted: as in Slack, an edit notifies nobody. */
export function recordMentions(slack: LocalSlack): Mentions {
  const all = new Map<string, readonly string[]>();
  const key = ({ channel, ts }: Message) => `${channel} ${ts}`;
  const take = (message: Message) => all.set(key(message), mentionedIn(message, slack.state));
  for (const message of slack.state.messages) if (message.edits === 0) take(message);
  const close = slack.on((event) => {
    if (event.type === 'message_posted') take(event.message);
  });
  return { of: (message) => all.get(key(message)) ?? [], close };
}

function mentionedIn(message: Message, { channels, groups }: State): readonly string[] {
  const people = liveParts(message).flatMap(({ kind, target }) => {
    switch (kind) {
      case 'person':
        return [target];
      case 'group':
        return groups[target]?.members ?? [];
      case 'broadcast':
        return channels[message.channel]?.members ?? [];
      case 'channel':
      case 'link':
        return [];
      default:
        return kind satisfies never;
    }
  });
  return [...new Set(people)];
}
