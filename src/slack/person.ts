import type { WebClient } from '@slack/web-api';
import { troubleOf } from './errors.ts';

export interface PersonRecord {
  /** One human, one value, across the workspaces of an organisation. */
  readonly person: string;
  readonly barred: 'guest' | 'bot' | 'deactivated' | 'outsider' | null;
}

/** @throws what Slack's client throws, when the record cannot be read. */
export async function readPerson(client: WebClient, user: string, teamId: string): Promise<PersonRecord> {
  try {
    const { user: record } = await client.users.info({ user });
    if (!record) throw new Error('users.info named nobody');
    const person = record.enterprise_user?.id ?? user;
    if (record.deleted) return { person, barred: 'deactivated' };
    if (record.is_bot || user === 'USLACKBOT') return { person, barred: 'bot' };
    if (record.is_stranger || !belongsTo(record, teamId)) return { person, barred: 'outsider' };
    if (record.is_restricted || record.is_ultra_restricted) return { person, barred: 'guest' };
    return { person, barred: null };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && ['user_not_found', 'user_not_visible'].includes(trouble.code))
      return { person: user, barred: 'outsider' };
    throw error;
  }
}

function belongsTo(
  record: { readonly team_id?: string; readonly enterprise_user?: { readonly teams?: string[] } },
  teamId: string,
): boolean {
  return record.team_id === teamId || (record.enterprise_user?.teams ?? []).includes(teamId);
}
