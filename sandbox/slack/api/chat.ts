import { type Core, Refused } from '../core.ts';
import { type Dict, textAt } from '../json.ts';
import { requireBlocks, requireContent } from '../limits/payloads.ts';
import { deleteMessage, editMessage, findMessage, messageOutput, postMessage } from '../messages.ts';
import { directOwner, findPerson, isMember } from '../people.ts';
import { threadFor } from '../threads.ts';
import type { Message } from '../types.ts';
import { directWith } from '../world.ts';
import { flag, type Method, required } from './method.ts';
import type { Tier } from './tiers.ts';

const method = (tier: Tier, run: Method['run']): Method => ({ token: 'bot', scopes: ['chat:write'], tier, run });

/** Where the bot may edit: a channel it is in, or a D… of its own. */
function writable(core: Core, name: string): string {
  const { channels, people } = core.state;
  const person = people[directOwner(core.state, name) ?? ''];
  if (person) {
    if (person.deleted || person.isBot) throw new Refused('channel_not_found');
    if (!core.settings.messagesTabEnabled) throw new Refused('messages_tab_disabled');
    return name;
  }
  const channel = channels[name];
  if (!channel || (channel.isPrivate && !channel.hasBot)) throw new Refused('channel_not_found');
  if (channel.archived) throw new Refused('is_archived');
  if (!channel.hasBot) throw new Refused('not_in_channel');
  return channel.id;
}

/** Where it may post, which may also be named by a person's id. */
export function postable(core: Core, name: string): string {
  const named = findPerson(core.state, name);
  const id = writable(core, named ? directWith(core, named.id) : name);
  const { channels, people } = core.state;
  const refusal = (channels[id] ?? people[directOwner(core.state, id) ?? ''])?.refuses;
  if (refusal) throw new Refused(refusal);
  return id;
}

function ownMessage(core: Core, channel: string, ts: string, refusal: string): Message {
  const message = findMessage(core, channel, ts);
  if (!message || message.ephemeralTo) throw new Refused('message_not_found');
  if (!message.byBot) throw new Refused(refusal);
  return message;
}

function placeIn(core: Core, channel: string, args: Dict, where: string) {
  const threadTs = threadFor(core, channel, textAt(args, 'thread_ts'), where);
  return threadTs === undefined ? {} : { threadTs, broadcast: flag(args, 'reply_broadcast') };
}

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': method('post', (core, args) => {
    const channel = postable(core, required(args, 'channel', 'channel_not_found'));
    const content = requireContent(core, args, 'chat.postMessage');
    const message = postMessage(core, {
      ...content,
      channel,
      ...placeIn(core, channel, args, 'chat.postMessage'),
      metadata: args['metadata'],
    });
    return { channel, ts: message.ts, message: messageOutput(core, message) };
  }),
  'chat.update': method(3, (core, args) => {
    const channel = writable(core, required(args, 'channel', 'channel_not_found'));
    const current = ownMessage(core, channel, required(args, 'ts'), 'cant_update_message');
    if (args['text'] === undefined && args['blocks'] === undefined) throw new Refused('no_text');
    // Blocks that are not given stay; an empty list removes them.
    const blocks =
      args['blocks'] === undefined ? undefined : requireBlocks(core, args['blocks'], 'message', 'chat.update');
    const content = requireContent(
      core,
      { ...args, text: args['text'] ?? current.text, blocks: blocks ?? current.blocks },
      'chat.update',
    );
    const message = editMessage(core, current, { text: content.text, ...(blocks ? { blocks } : {}) });
    return { channel, ts: message.ts, text: message.text, message: messageOutput(core, message) };
  }),
  'chat.postEphemeral': method(4, (core, args) => {
    const channel = postable(core, required(args, 'channel', 'channel_not_found'));
    const asked = required(args, 'user');
    const user = findPerson(core.state, asked)?.id ?? asked;
    const { channels, directs } = core.state;
    const isThere = channels[channel] ? isMember(core.state, channels[channel], user) : directs[user] === channel;
    if (!isThere) throw new Refused('user_not_in_channel');
    const message = postMessage(core, {
      ...requireContent(core, args, 'chat.postEphemeral'),
      channel,
      threadTs: threadFor(core, channel, textAt(args, 'thread_ts'), 'chat.postEphemeral'),
      ephemeralTo: user,
    });
    return { message_ts: message.ts };
  }),
  'chat.delete': method(3, (core, args) => {
    const channel = writable(core, required(args, 'channel', 'channel_not_found'));
    const message = ownMessage(core, channel, required(args, 'ts'), 'cant_delete_message');
    deleteMessage(core, message);
    return { channel, ts: message.ts };
  }),
  'chat.getPermalink': {
    token: 'bot',
    scopes: [],
    tier: 'none',
    run(core, args) {
      const channel = required(args, 'channel', 'channel_not_found');
      const message = findMessage(core, channel, required(args, 'message_ts'));
      if (!message) throw new Refused('message_not_found');
      return {
        channel,
        permalink: `https://${core.state.team.domain}.slack.com/archives/${channel}/p${message.ts.replace('.', '')}`,
      };
    },
  },
};
