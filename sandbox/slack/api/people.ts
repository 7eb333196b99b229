import { type Core, Refused } from '../core.ts';
import { type Dict, textAt } from '../json.ts';
import type { Channel, Person } from '../types.ts';
import { directWith, groupOutput } from '../world.ts';
import { flag, type Method, page, required } from './method.ts';

const method = (scopes: string[], run: (core: Core, args: Dict) => Dict): Method => ({ token: 'bot', scopes, run });

function personOutput(person: Person): Dict {
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: person.deleted,
    real_name: person.realName,
    tz: 'Europe/Amsterdam',
    profile: { real_name: person.realName, display_name: person.name, team: person.teamId },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_bot: person.isBot,
    is_app_user: false,
    // Slack leaves these out of a deactivated person's record.
    ...(person.deleted ? {} : { is_restricted: person.isRestricted, is_ultra_restricted: person.isUltraRestricted }),
    ...(person.isStranger ? { is_stranger: true } : {}),
    ...(person.enterpriseUserId
      ? {
          enterprise_user: {
            id: person.enterpriseUserId,
            enterprise_id: 'E0ORG',
            enterprise_name: 'Org',
            is_admin: false,
            is_owner: false,
            teams: [person.teamId],
          },
        }
      : {}),
    updated: 0,
  };
}

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

const READ_CHANNELS = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const directOutput = (id: string, user: string): Dict => ({
  id,
  created: 1_600_000_000,
  is_im: true,
  is_archived: false,
  user,
});
const ownerOf = (core: Core, id: string) =>
  Object.keys(core.state.directs).find((user) => core.state.directs[user] === id);

function visibleChannel(core: Core, id: string): Channel {
  const channel = core.state.channels[id];
  if (!channel || (channel.isPrivate && !channel.hasBot)) throw new Refused('channel_not_found');
  return channel;
}

export const peopleMethods: Record<string, Method> = {
  'conversations.open': method(['im:write'], (core, args) => {
    const [user = '', second] = required(args, 'users', 'users_list_not_supplied').split(',');
    if (second !== undefined) throw new Refused('not_implemented_in_sandbox');
    const person = core.state.people[user];
    if (!person) throw new Refused('user_not_found');
    if (person.deleted) throw new Refused('user_disabled');
    const wasOpen = core.state.directs[user] !== undefined;
    const id = directWith(core, user);
    return {
      no_op: wasOpen,
      already_open: wasOpen,
      channel: flag(args, 'return_im') ? directOutput(id, user) : { id },
    };
  }),
  'conversations.info': method(READ_CHANNELS, (core, args) => {
    const id = required(args, 'channel', 'channel_not_found');
    const owner = ownerOf(core, id);
    return { channel: owner ? directOutput(id, owner) : channelOutput(core, visibleChannel(core, id)) };
  }),
  'conversations.members': method(READ_CHANNELS, (core, args) => {
    const id = required(args, 'channel', 'channel_not_found');
    const owner = ownerOf(core, id);
    const channel = owner ? undefined : visibleChannel(core, id);
    const bot = core.state.bot.userId;
    const all = owner ? [owner, bot] : [...(channel?.members ?? []), ...(channel?.hasBot ? [bot] : [])];
    const { entries, next } = page(all, args, 100);
    return { members: entries, response_metadata: { next_cursor: next } };
  }),
  'users.info': method(['users:read'], (core, args) => {
    const person = core.state.people[required(args, 'user', 'user_not_found')];
    if (!person) throw new Refused('user_not_found');
    return { user: personOutput(person) };
  }),
  'users.list': method(['users:read'], (core, args) => {
    const { entries, next } = page(Object.values(core.state.people), args, 200);
    return {
      members: entries.map(personOutput),
      cache_ts: Math.floor(core.now() / 1000),
      response_metadata: { next_cursor: next },
    };
  }),
  'usergroups.list': method(['usergroups:read'], (core, args) => {
    const groups = Object.values(core.state.groups).filter(
      (group) => !group.disabled || flag(args, 'include_disabled'),
    );
    return { usergroups: groups.map((group) => groupOutput(core, group, flag(args, 'include_users'))) };
  }),
  'usergroups.users.list': method(['usergroups:read'], (core, args) => {
    const group = core.state.groups[textAt(args, 'usergroup') ?? ''];
    if (!group || (group.disabled && !flag(args, 'include_disabled'))) throw new Refused('no_such_subteam');
    return { users: [...group.members] };
  }),
};
