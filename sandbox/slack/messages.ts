import type { Core } from './core.ts';
import { withIds } from './inputs.ts';
import type { Dict } from './json.ts';
import type { Message } from './types.ts';

export interface Content {
  text: string;
  blocks: Dict[];
}

export interface NewMessage extends Content {
  channel: string;
  byBot?: boolean;
  bySlack?: boolean;
  ephemeralTo?: string;
  threadTs?: string | undefined;
  metadata?: unknown;
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
    ...(content.metadata === undefined ? {} : { metadata: content.metadata }),
    ...(content.ephemeralTo === undefined ? {} : { ephemeralTo: content.ephemeralTo }),
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

/** The wire form of a message in answers and payloads. */
export function messageOutput(core: Core, message: Message): Dict {
  const { bot, team } = core.state;
  return {
    ...(message.byBot ? { bot_id: bot.botId, app_id: bot.appId, user: bot.userId } : { user: 'USLACKBOT' }),
    type: 'message',
    text: message.text,
    ts: message.ts,
    team: team.id,
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.edits > 0 ? { edited: { user: bot.userId, ts: message.ts } } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
  };
}
