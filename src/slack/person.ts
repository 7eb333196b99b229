import type { WebClient } from '@slack/web-api';
import { troubleOf } from './errors.ts';

export interface PersonRecord {
  /** Every id of this human that Slack tells: as asked for, in the workspace (U…), in the organisation (W…). */
  readonly ids: ReadonlySet<string>;
  /** The one of them that stands for the human in the ledger: the organisation's where there is one. */
  readonly person: string;
  /** The organisation's id (W…); null where the workspace belongs to none. */
  readonly organisationId: string | null;
  readonly barred: 'guest' | 'bot' | 'deactivated' | 'outsider' | null;
}

/** @throws what Slack's client throws, when the record cannot be read. */
export async function readPerson(client: WebClient, user: string, teamId: string): Promise<PersonRecord> {
  try {
    const { user: record } = await client.users.info({ user });
    if (!record) throw new Error('users.info named nobody');
    const ids = new Set([user, record.id, record.enterprise_user?.id].filter((id) => id !== undefined));
    const organisationId = record.enterprise_user?.id ?? null;
    const human = { ids, organisationId, person: organisationId ?? user };
    if (record.deleted) return { ...human, barred: 'deactivated' };
    if (record.is_bot || user === 'USLACKBOT') return { ...human, barred: 'bot' };
    if (record.is_stranger || !belongsTo(record, teamId)) return { ...human, barred: 'outsider' };
    if (record.is_restricted || record.is_ultra_restricted) return { ...human, barred: 'guest' };
    return { ...human, barred: null };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && ['user_not_found', 'user_not_visible'].includes(trouble.code))
      return { ids: new Set([user]), organisationId: null, person: user, barred: 'outsider' };
    throw error;
  }
}

function belongsTo(
  record: { readonly team_id?: string; readonly enterprise_user?: { readonly teams?: string[] } },
  teamId: string,
): boolean {
  return record.team_id === teamId || (record.enterprise_user?.teams ?? []).includes(teamId);
}
