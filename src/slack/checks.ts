import type { WebClient } from '@slack/web-api';
import { plural } from '../plural.ts';
import { type Policy, RIGHTS } from '../purchasing/model/policy.ts';
import type { Approver, Directory } from '../purchasing/ports/directory.ts';
import { troubleOf } from './errors.ts';
import type { Identity } from './startup.ts';

/** What a look at one thing has found. */
export type Finding = {
  /** What was looked at: a setting, a place in the policy. */
  readonly check: string;
  readonly found: string;
} & (
  | {
      /** Somebody will be refused, or something will fail. */
      readonly verdict: 'wrong';
      /** What mends it. */
      readonly remedy: string;
    }
  | {
      /**
       * - note: it works, and may not be what was wanted.
       * - skipped: it could not be looked at, because of something else that is wrong or not to be seen from here.
       */
      readonly verdict: 'right' | 'note' | 'skipped';
      readonly remedy?: never;
    }
);

/** As one line. */
export function warningOf({ check, found, remedy }: Finding): string {
  return `${check}: ${found}${remedy === undefined ? '' : `: ${remedy}`}.`;
}

export interface Workspace {
  readonly client: WebClient;
  readonly identity: Identity;
  readonly policy: Policy;
  readonly directory: Directory;
}

/** What the bot cannot do without, and what for; `manifest.yml` asks for the same. */
export const SCOPES = {
  commands: '/proxy and the shortcut',
  'chat:write': 'cards, receipts and private answers',
  'files:write': 'spending as CSV, and charts as pictures',
  'im:write': 'direct messages',
  'usergroups:read': 'who is in the user groups of the policy',
  'users:read': 'guests, bots and deactivated people',
  'users:read.email': 'owners of imported orders by e-mail address',
  'channels:read': 'the approvals channel',
  'groups:read': 'the approvals channel where it is private',
} as const;

/** Looks for what would make people be refused: at every start, when the policy changes, and when the doctor is asked. Never throws. */
export async function checkWorkspace(workspace: Workspace): Promise<readonly Finding[]> {
  const found = await Promise.all([groups, channel, approvers, escalation].map((check) => check(workspace)));
  return [checkScopes(workspace.identity), ...found].flat();
}

/** Each that the bot needs, and what else the app holds. */
export function checkScopes({ scopes: held }: Identity): readonly Finding[] {
  if (held.length === 0)
    return [{ check: 'scopes', verdict: 'skipped', found: 'Slack does not say which the app holds' }];
  const needed = Object.entries(SCOPES).map(([scope, use]): Finding => {
    const check = `scope ${scope}`;
    if (held.includes(scope)) return { check, verdict: 'right', found: `the app holds it (${use})` };
    const remedy =
      'add it under OAuth & Permissions, Bot Token Scopes, as manifest.yml has it, and install the app again';
    return { check, verdict: 'wrong', found: `the app lacks it (${use})`, remedy };
  });
  const more = held.filter((scope) => !Object.hasOwn(SCOPES, scope));
  const found = `the app also holds ${more.join(', ')}, which it does not need`;
  return more.length === 0 ? needed : [...needed, { check: 'scopes', verdict: 'right', found }];
}

async function groups({ client, identity, policy }: Workspace): Promise<readonly Finding[]> {
  const listed = RIGHTS.flatMap((right) => policy.access[right].map((id) => ({ check: `access.${right}`, id })));
  if (listed.length === 0) return [];
  try {
    const { usergroups = [] } = await client.usergroups.list({
      include_disabled: true,
      include_count: true,
      team_id: identity.teamId,
    });
    return listed.map(({ check, id }): Finding => {
      const group = usergroups.find((known) => known.id === id);
      if (!group)
        return {
          check,
          verdict: 'wrong',
          found: `Slack knows no user group ${id}; it lets nobody in`,
          remedy: 'copy the id again: People, User groups, the group, its ⋯ menu, Copy group ID',
        };
      if (group.date_delete)
        return {
          check,
          verdict: 'wrong',
          found: `the user group ${id} is disabled; it lets nobody in`,
          remedy: 'enable it in Slack, or list another one',
        };
      const count = Number(group.user_count ?? Number.NaN);
      if (count === 0)
        return {
          check,
          verdict: 'wrong',
          found: `the user group ${id} is empty; it lets nobody in`,
          remedy: 'add people to it in Slack, or list another one',
        };
      const people = Number.isNaN(count) ? '' : `, ${plural(count, 'person', 'people')}`;
      return { check, verdict: 'right', found: `@${group.handle ?? '…'} (${id})${people}` };
    });
  } catch (error) {
    const found = `the user groups could not be looked at (${whyNot(error)}); whoever is in one that cannot be read is refused`;
    const remedy = 'see that Slack is reached, and that the app holds the scope usergroups:read';
    return [{ check: 'access', verdict: 'wrong', found, remedy }];
  }
}

/** Those who are mentioned at last get no right by it: where none of them has one, mentioning them helps nobody. */
async function escalation({ client, policy: { approvals }, directory }: Workspace): Promise<readonly Finding[]> {
  if (approvals.mode === 'off' || approvals.escalation === null) return [];
  const able = await directory.approvers();
  if (!able) return [];
  const check = 'approvals.escalate_to';
  return Promise.all(
    approvals.escalation.to.map(async (usergroup): Promise<Finding> => {
      try {
        const { users = [] } = await client.usergroups.users.list({ usergroup });
        if (able.some(({ ids }) => users.some((user) => ids.has(user))))
          return { check, verdict: 'right', found: `somebody of ${usergroup} may approve` };
        const found = `nobody of ${usergroup} may approve; they are mentioned, and can decide nothing`;
        return { check, verdict: 'note', found };
      } catch (error) {
        const found = `${usergroup} could not be looked at (${whyNot(error)})`;
        return { check, verdict: 'wrong', found, remedy: 'check the id, and that the group is enabled' };
      }
    }),
  );
}

async function channel({ client, policy: { approvals }, directory }: Workspace): Promise<readonly Finding[]> {
  const check = 'approvals.channel';
  if (approvals.mode === 'off')
    return [{ check: 'approvals', verdict: 'right', found: 'off: what people confirm needs nobody else' }];
  const { channel: id } = approvals;
  const wrong = (found: string, remedy: string): readonly Finding[] => [{ check, verdict: 'wrong', found, remedy }];
  try {
    const { channel: there } = await client.conversations.info({ channel: id });
    if (there?.is_archived)
      return wrong(`${id} is archived; cards cannot be posted`, 'unarchive it, or name another one');
    if (there?.is_member === false)
      return wrong(`the bot is not in ${id}; cards cannot be posted`, `invite it there: /invite @proxy-desk`);
    const name = there?.name === undefined ? id : `#${there.name} (${id})`;
    const blind = there?.is_private ? await outsideOf(client, id, (await directory.approvers()) ?? []) : [];
    const reached: Finding =
      blind.length === 0
        ? { check, verdict: 'right', found: `the bot is in ${name}, and those who approve can see it` }
        : {
            check,
            verdict: 'wrong',
            found: `not in the private channel ${id}, so they never see a card: ${blind.join(', ')}`,
            remedy: 'invite them',
          };
    if (!there?.is_ext_shared) return [reached];
    const shared = `${id} is shared with another organisation, whose people will see the cards`;
    return [reached, { check, verdict: 'note', found: shared }];
  } catch (error) {
    return wrong(`${id} could not be looked at (${whyNot(error)})`, 'check the id, and invite the bot into it');
  }
}

/**
 * Which of these people are not in the channel. A channel may list another id of a person (`W…`) than groups do (`U…`): of whom only
 * the one is known, and the channel lists the other, nothing is said.
 */
async function outsideOf(client: WebClient, channel: string, people: readonly Approver[]): Promise<readonly string[]> {
  const members = new Set<string>();
  for (let cursor = ''; ; ) {
    const page = await client.conversations.members({ channel, limit: 1_000, ...(cursor && { cursor }) });
    for (const member of page.members ?? []) members.add(member);
    cursor = page.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  const listsOnlyOrganisationIds = [...members].every((id) => id.startsWith('W'));
  return people
    .filter(({ ids }) => ids.isDisjointFrom(members))
    .filter(({ ids }) => listsOnlyOrganisationIds || [...ids].some((id) => id.startsWith('U')))
    .map(({ user }) => user);
}

async function approvers({ directory, policy: { access, approvals } }: Workspace): Promise<readonly Finding[]> {
  if (access.approve.length === 0) return [];
  const able = await directory.approvers();
  const two = approvals.mode === 'channel' && (approvals.twoPeopleAbove ?? approvals.twoPeopleAboveDollars) !== null;
  return [enoughApprovers(able, two ? 3 : 2)];
}

/** @param able usable people of `access.approve`; undefined where they could not be read. */
export function enoughApprovers(able: readonly Approver[] | undefined, needed: 2 | 3): Finding {
  const check = 'access.approve';
  if (!able) return { check, verdict: 'skipped', found: 'who may approve could not be read' };
  const found = plural(able.length, 'usable member');
  if (able.length >= needed) return { check, verdict: 'right', found };
  const why =
    needed === 3
      ? 'nobody approves their own request, and some need two people, so three are needed'
      : 'nobody approves their own request, so two are needed';
  if (able.length > 0) return { check, verdict: 'note', found: `${found}: ${why}` };
  const remedy = 'put two usable people (no guests, no deactivated ones) into its groups';
  return { check, verdict: 'wrong', found: `${found}: ${why}`, remedy };
}

/** In Slack's word where it has one. */
export function whyNot(error: unknown): string {
  const trouble = troubleOf(error);
  switch (trouble.kind) {
    case 'refused':
      return trouble.code;
    case 'rate_limited':
      return trouble.kind;
    case 'unreachable':
      return trouble.why;
    default:
      return trouble satisfies never;
  }
}
