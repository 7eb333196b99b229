import { type Core, Refused } from '../core.ts';
import type { Dict } from '../json.ts';
import { findPerson, idOf } from '../people.ts';
import type { Person } from '../types.ts';
import { type Method, required } from './method.ts';

const EMAIL_SCOPE = 'users:read.email';

/** Seconds east of Greenwich at this moment, so with summer time where there is one. */
function offsetOf(timeZone: string, now: number): number {
  const at = Math.floor(now / 1000) * 1000;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(nameIn(parts)) ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function labelOf(timeZone: string, now: number): string {
  return nameIn(new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' }).formatToParts(now));
}

const nameIn = (parts: Intl.DateTimeFormatPart[]) => parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';

function personOutput(core: Core, person: Person, asked: string): Dict {
  const { usersInfoId } = core.settings;
  const now = core.now();
  const hasEmail = core.settings.scopes.includes(EMAIL_SCOPE) && person.email !== null;
  return {
    id: usersInfoId === 'asked' ? asked : idOf(person, person.enterpriseUserId ? usersInfoId : 'workspace'),
    team_id: person.teamId,
    name: person.name,
    deleted: person.deleted,
    real_name: person.realName,
    profile: {
      real_name: person.realName,
      display_name: person.name,
      team: person.teamId,
      ...(hasEmail ? { email: person.email } : {}),
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_bot: person.isBot,
    is_app_user: false,
    // Slack leaves these out of a deactivated person's record.
    ...(person.deleted
      ? {}
      : {
          tz: person.timeZone,
          tz_label: labelOf(person.timeZone, now),
          tz_offset: offsetOf(person.timeZone, now),
          is_restricted: person.isRestricted,
          is_ultra_restricted: person.isUltraRestricted,
        }),
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
  'users.lookupByEmail': {
    token: 'bot',
    scopes: [EMAIL_SCOPE],
    tier: 3,
    run(core, args) {
      const asked = required(args, 'email', 'users_not_found').trim().toLowerCase();
      // Slack does not find the deactivated this way.
      const person = Object.values(core.state.people).find(
        ({ email, deleted }) => !deleted && email?.toLowerCase() === asked,
      );
      if (!person) throw new Refused('users_not_found');
      return { user: personOutput(core, person, person.id) };
    },
  },
};
