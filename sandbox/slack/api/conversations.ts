import { type Core, Refused } from '../core.ts';
import { type Dict, textAt } from '../json.ts';
import { actingId, directOwner, findPerson } from '../people.ts';
import type { Channel } from '../types.ts';
import { directWith } from '../world.ts';
import { flag, type Method, page, required, requireScope } from './method.ts';
import type { Tier } from './tiers.ts';

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

const method = (scopes: string[], tier: Tier, run: Method['run']): Method => ({ token: 'bot', scopes, tier, run });

function channelOutput(core: Core, channel: Channel): Dict {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: !channel.isPrivate,
    is_group: channel.isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate,
    is_archived: channel.archived,
    is_general: false,
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    is_org_shared: false,
    is_member: channel.hasBot,
    context_team_id: core.state.team.id,
    num_members: channel.members.length,
    created: 1_600_000_000,
  };
}

function directOutput(core: Core, id: string, owner: string): Dict {
  return { id, created: 1_600_000_000, is_im: true, is_archived: false, user: actingId(core.state, owner) };
}

/** Each kind of conversation has a scope of its own. */
function visibleChannel(core: Core, id: string): Channel {
  const channel = core.state.channels[id];
  if (channel) requireScope(core, [channel.isPrivate ? 'groups:read' : 'channels:read']);
  if (!channel || (channel.isPrivate && !channel.hasBot)) throw new Refused('channel_not_found');
  return channel;
}

/** Whose direct messages these are; undefined: it is no such channel. */
function visibleDirect(core: Core, id: string): string | undefined {
  const owner = directOwner(core.state, id);
  if (owner) requireScope(core, ['im:read']);
  return owner;
}

export const conversationMethods: Record<string, Method> = {
  'conversations.open': method(['im:write'], 3, (core, args) => {
    const [user = '', second] = required(args, 'users', 'users_list_not_supplied').split(',');
    if (second !== undefined) throw new Refused('not_implemented_in_sandbox');
    const person = findPerson(core.state, user);
    if (!person) throw new Refused('user_not_found');
    if (person.deleted) throw new Refused('user_disabled');
    if (person.refuses === 'user_not_visible') throw new Refused(person.refuses);
    const wasOpen = core.state.directs[person.id] !== undefined;
    const id = directWith(core, person.id);
    return {
      no_op: wasOpen,
      already_open: wasOpen,
      channel: flag(args, 'return_im') ? directOutput(core, id, person.id) : { id },
    };
  }),
  'conversations.info': method(READ, 3, (core, args) => {
    const id = required(args, 'channel', 'channel_not_found');
    const owner = visibleDirect(core, id);
    return { channel: owner ? directOutput(core, id, owner) : channelOutput(core, visibleChannel(core, id)) };
  }),
  'conversations.list': method(READ, 2, (core, args) => {
    const types = (textAt(args, 'types') ?? 'public_channel').split(',');
    for (const type of types) requireScope(core, [type === 'private_channel' ? 'groups:read' : 'channels:read']);
    const asked = (channel: Channel) => types.includes(channel.isPrivate ? 'private_channel' : 'public_channel');
    const channels = Object.values(core.state.channels)
      .filter((channel) => asked(channel) && (channel.hasBot || !channel.isPrivate))
      .filter((channel) => !(channel.archived && flag(args, 'exclude_archived')));
    const { entries, next } = page(channels, args, 100);
    return {
      channels: entries.map((channel) => channelOutput(core, channel)),
      response_metadata: { next_cursor: next },
    };
  }),
  'conversations.members': method(READ, 4, (core, args) => {
    const id = required(args, 'channel', 'channel_not_found');
    const owner = visibleDirect(core, id);
    const channel = owner ? undefined : visibleChannel(core, id);
    const bot = core.state.bot.userId;
    const people = owner ? [owner] : (channel?.members ?? []);
    const all = people.map((user) => actingId(core.state, user));
    const { entries, next } = page(owner || channel?.hasBot ? [...all, bot] : all, args, 100);
    return { members: entries, response_metadata: { next_cursor: next } };
  }),
};
