import type { Core } from './core.ts';
import type { SharedFile } from './files.ts';
import { withIds } from './inputs.ts';
import type { Dict } from './json.ts';
import { actingId } from './people.ts';
import type { Message } from './types.ts';

export interface Content {
  text: string;
  blocks: Dict[];
}

export interface NewMessage extends Content {
  channel: string;
  byBot?: boolean;
  bySlack?: boolean;
  author?: string | undefined;
  ephemeralTo?: string;
  threadTs?: string | undefined;
  broadcast?: boolean;
  metadata?: unknown;
  files?: readonly SharedFile[];
}

export function postMessage(core: Core, content: NewMessage): Message {
  const message: Message = {
    channel: content.channel,
    ts: core.ids.ts(core.now()),
    text: content.text,
    blocks: withIds(structuredClone(content.blocks), () => core.ids.random(3)),
    byBot: content.byBot ?? true,
    edits: 0,
    deleted: false,
    ...(content.threadTs === undefined ? {} : { threadTs: content.threadTs }),
    ...(content.broadcast ? { broadcast: true } : {}),
    ...(content.metadata === undefined ? {} : { metadata: content.metadata }),
    ...(content.ephemeralTo === undefined ? {} : { ephemeralTo: content.ephemeralTo }),
    ...(content.author === undefined ? {} : { author: content.author }),
    ...(content.files === undefined ? {} : { files: content.files }),
    ...(content.bySlack ? { bySlack: true } : {}),
  };
  core.state.messages.push(message);
  core.feed.emit({ type: 'message_posted', message });
  return message;
}

/** The record is replaced, not changed: what somebody still has on the screen stays as it was (a stale card). */
export function editMessage(core: Core, current: Message, content: Partial<Content>): Message {
  const message: Message = {
    ...current,
    text: content.text ?? current.text,
    blocks: content.blocks ? withIds(structuredClone(content.blocks), () => core.ids.random(3)) : current.blocks,
    edits: current.edits + 1,
  };
  core.state.messages[core.state.messages.indexOf(current)] = message;
  core.feed.emit({ type: 'message_edited', message });
  return message;
}

export function deleteMessage(core: Core, current: Message): void {
  const message = { ...current, deleted: true };
  core.state.messages[core.state.messages.indexOf(current)] = message;
  core.feed.emit({ type: 'message_deleted', message });
}

export function findMessage(core: Core, channel: string, ts: string): Message | undefined {
  return core.state.messages.find((m) => m.channel === channel && m.ts === ts && !m.deleted);
}

/** The replies under a message, oldest first. */
export function repliesTo({ state }: Core, { channel, ts }: Pick<Message, 'channel' | 'ts'>): Message[] {
  return state.messages.filter((m) => m.channel === channel && m.threadTs === ts && !m.deleted);
}

/** What the first message of a thread tells of it. */
function threadOutput(core: Core, message: Message): Dict {
  const replies = repliesTo(core, message).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  const latest = replies.at(-1);
  if (!latest) return {};
  const users = [...new Set(replies.map((reply) => writerOf(core, reply)))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: latest.ts,
    reply_users: users,
  };
}

function writerOf({ state }: Core, { byBot, author }: Message): string {
  if (byBot) return state.bot.userId;
  return author === undefined ? 'USLACKBOT' : actingId(state, author);
}

/** The wire form of a message in answers and payloads. */
export function messageOutput(core: Core, message: Message): Dict {
  const { bot, team } = core.state;
  return {
    ...(message.byBot ? { bot_id: bot.botId, app_id: bot.appId } : {}),
    user: writerOf(core, message),
    type: 'message',
    ...(message.broadcast ? { subtype: 'thread_broadcast' } : {}),
    text: message.text,
    ts: message.ts,
    team: team.id,
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.files === undefined ? {} : { files: message.files }),
    ...(message.edits > 0 ? { edited: { user: bot.userId, ts: message.ts } } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : threadOutput(core, message)),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
  };
}
