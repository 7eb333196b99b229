import { Refused } from '../core.ts';
import { textAt } from '../json.ts';
import { listedMembers } from '../people.ts';
import { groupOutput } from '../world.ts';
import { flag, type Method } from './method.ts';

const scopes = ['usergroups:read'];

export const groupMethods: Record<string, Method> = {
  'usergroups.list': {
    token: 'bot',
    scopes,
    tier: 2,
    run(core, args) {
      const groups = Object.values(core.state.groups).filter(
        (group) => !group.disabled || flag(args, 'include_disabled'),
      );
      const withUsers = flag(args, 'include_users') && !core.settings.omitGroupUsers;
      return {
        usergroups: groups.map((group) => ({
          ...groupOutput(core, group, withUsers),
          ...(flag(args, 'include_count') ? { user_count: group.members.length } : {}),
        })),
      };
    },
  },
  'usergroups.users.list': {
    token: 'bot',
    scopes,
    tier: 2,
    run({ state }, args) {
      const group = state.groups[textAt(args, 'usergroup') ?? ''];
      if (!group || (group.disabled && !flag(args, 'include_disabled'))) throw new Refused('no_such_subteam');
      return { users: listedMembers(state, group) };
    },
  },
};
