import type { Core } from './core.ts';
import { deleteMessage, editMessage, findMessage } from './messages.ts';
import { listedMembers } from './people.ts';
import type { Channel, Message, Person, State, UserGroup } from './types.ts';

export interface WorldOptions {
  team?: { id: string; name: string; domain: string };
  bot?: { userId: string; botId: string; appId: string; name: string };
  people?: (Partial<Person> & { id: string })[];
  groups?: (Partial<UserGroup> & { id: string })[];
  channels?: (Partial<Channel> & { id: string })[];
}

export function createState({ team, bot, people = [], groups = [], channels = [] }: WorldOptions): State {
  const home = team ?? { id: 'T0TEAM', name: 'Example', domain: 'example' };
  return {
    team: home,
    bot: bot ?? { userId: 'U0BOT', botId: 'B0BOT', appId: 'A0APP', name: 'proxydesk' },
    people: byId(people.map((person) => newPerson(person, home.id))),
    groups: byId(groups.map(newGroup)),
    channels: byId(channels.map(newChannel)),
    directs: {},
    messages: [],
    views: {},
    stacks: {},
    homes: {},
    triggers: {},
    responseUrls: {},
  };
}

const byId = <T extends { id: string }>(entries: T[]): Record<string, T> =>
  Object.fromEntries(entries.map((entry) => [entry.id, entry]));

function newPerson(person: Partial<Person> & { id: string }, teamId: string): Person {
  const name = person.name ?? person.id.toLowerCase();
  const flags = { deleted: false, isBot: false, isRestricted: false, isUltraRestricted: false, isStranger: false };
  const defaults = { realName: name, timeZone: 'Europe/Amsterdam', email: `${name}@example.com`, refuses: null };
  return { ...flags, teamId, ...defaults, ...person, name };
}

function newGroup(group: Partial<UserGroup> & { id: string }): UserGroup {
  const handle = group.handle ?? group.id.toLowerCase();
  return { members: [], disabled: false, name: handle, ...group, handle };
}

function newChannel(channel: Partial<Channel> & { id: string }): Channel {
  const defaults = { members: [], archived: false, shared: false, hasBot: true, isPrivate: false, refuses: null };
  return { name: channel.id.toLowerCase(), ...defaults, ...channel };
}

/** The direct message channel of a person with the bot; made on first use. */
export function directWith(core: Core, user: string): string {
  const known = core.state.directs[user];
  if (known) return known;
  const id = core.ids.next('D0');
  core.state.directs[user] = id;
  return id;
}

/** Changes from outside, while the app runs. A change of a group resolves once the app's events are acknowledged. */
export interface World {
  setPerson: (id: string, change: Partial<Person>) => void;
  setGroup: (id: string, change: Partial<UserGroup>) => Promise<void>;
  setChannel: (id: string, change: Partial<Channel>) => void;
  /** As a person with the right to does. The app is not told; its next edit answers `message_not_found`. */
  deleteMessage: (message: Pick<Message, 'channel' | 'ts'>) => void;
  /** As a retention rule does: all that stands in this channel (or direct message) so far. */
  expireMessages: (channel: string) => void;
  /** As if an earlier edit were undone or another process of the app had edited it. */
  editMessage: (message: Pick<Message, 'channel' | 'ts'>, content: Partial<Pick<Message, 'text' | 'blocks'>>) => void;
}

export type SendEvent = (type: string, event: Record<string, unknown>) => Promise<unknown>;

export function createWorld(core: Core, sendEvent: SendEvent): World {
  const { state } = core;
  const changed = (what: string) => core.feed.emit({ type: 'world_changed', what });
  const existing = ({ channel, ts }: Pick<Message, 'channel' | 'ts'>) => {
    const message = findMessage(core, channel, ts);
    if (!message) throw new Error(`No message ${ts} in ${channel}`);
    return message;
  };
  return {
    setPerson(id, change) {
      state.people[id] = newPerson({ ...state.people[id], ...change, id }, state.team.id);
      changed(`person ${id}`);
    },
    setChannel(id, change) {
      state.channels[id] = newChannel({ ...state.channels[id], ...change, id });
      changed(`channel ${id}`);
    },
    async setGroup(id, change) {
      const members = () => (state.groups[id] ? listedMembers(state, state.groups[id]) : []);
      const before = members();
      const group = newGroup({ ...state.groups[id], ...change, id });
      state.groups[id] = group;
      changed(`group ${id}`);
      const after = members();
      const added = after.filter((member) => !before.includes(member));
      const removed = before.filter((member) => !after.includes(member));
      const at = Math.floor(core.now() / 1000);
      if (added.length + removed.length > 0)
        await sendEvent('subteam_members_changed', {
          subteam_id: id,
          team_id: state.team.id,
          date_previous_update: at,
          date_update: at,
          added_users: added,
          added_users_count: added.length,
          removed_users: removed,
          removed_users_count: removed.length,
        });
      await sendEvent('subteam_updated', { subteam: groupOutput(core, group, true) });
    },
    deleteMessage: (message) => deleteMessage(core, existing(message)),
    expireMessages(channel) {
      for (const message of state.messages.filter((m) => m.channel === channel && !m.deleted))
        deleteMessage(core, message);
    },
    editMessage(message, content) {
      editMessage(core, existing(message), content);
    },
  };
}

/** The wire form of a user group. */
export function groupOutput(core: Core, group: UserGroup, withUsers: boolean): Record<string, unknown> {
  return {
    id: group.id,
    team_id: core.state.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: 1_600_000_000,
    date_update: Math.floor(core.now() / 1000),
    date_delete: group.disabled ? Math.floor(core.now() / 1000) : 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: 'U0ADMIN',
    updated_by: 'U0ADMIN',
    deleted_by: group.disabled ? 'U0ADMIN' : null,
    prefs: { channels: [], groups: [] },
    ...(withUsers ? { users: listedMembers(core.state, group) } : {}),
  };
}
