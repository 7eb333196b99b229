import { type Core, Refused } from '../core.ts';
import type { Dict } from '../json.ts';
import { findPerson, idOf } from '../people.ts';
import type { Person } from '../types.ts';
import { type Method, required } from './method.ts';

function personOutput(core: Core, person: Person, asked: string): Dict {
  const { usersInfoId } = core.settings;
  return {
    id: usersInfoId === 'asked' ? asked : idOf(person, person.enterpriseUserId ? usersInfoId : 'workspace'),
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

export const peopleMethods: Record<string, Method> = {
  'users.info': {
    token: 'bot',
    scopes: ['users:read'],
    tier: 4,
    run(core, args) {
      const asked = required(args, 'user', 'user_not_found');
      const person = findPerson(core.state, asked);
      if (!person) throw new Refused('user_not_found');
      return { user: personOutput(core, person, asked) };
    },
  },
};
