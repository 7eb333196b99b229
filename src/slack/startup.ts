import type { WebClient } from '@slack/web-api';
import { type Policy, RIGHTS } from '../purchasing/model/policy.ts';
import { backoff, type Clock } from '../purchasing/ports/clock.ts';
import type { Approver, Directory } from '../purchasing/ports/directory.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { botTrouble, troubleOf } from './errors.ts';

/** Who the bot is, as Slack says. */
export interface Identity {
  readonly botId: string;
  readonly botUserId: string;
  readonly teamId: string;
  readonly teamName: string;
  /** `https://example.slack.com/`; empty where Slack does not say. */
  readonly url: string;
  readonly scopes: readonly string[];
}

const RETRY_FIRST_MS = 1_000;
const RETRY_AT_MOST_MS = 60_000;

/** Asks until Slack answers, ever more slowly; undefined when `signal` ends it. `trouble` hears why it is not there yet. */
export async function identify(
  client: WebClient,
  deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: AbortSignal;
    readonly trouble: (why: string) => void;
  },
): Promise<Identity | undefined> {
  let said: string | undefined;
  for (let failures = 0; !deps.signal.aborted; failures += 1) {
    try {
      const answer = await client.auth.test();
      const { bot_id: botId = '', user_id: botUserId = '', team_id: teamId, team: teamName = '', url = '' } = answer;
      if (!teamId) throw new Error('auth.test names no team');
      return { botId, botUserId, teamId, teamName, url, scopes: answer.response_metadata?.scopes ?? [] };
    } catch (error) {
      const trouble = troubleOf(error);
      const why = botTrouble(trouble);
      if (said !== why) deps.log.error({ ...trouble }, why);
      said = why;
      deps.trouble(why);
      await deps.clock.sleep(backoff(failures, RETRY_FIRST_MS, RETRY_AT_MOST_MS), deps.signal);
    }
  }
  return undefined;
}

/** What the bot cannot do without; `manifest.yml` asks for the same. */
export const SCOPES = [
  'commands',
  'chat:write',
  'im:write',
  'usergroups:read',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
] as const;

/**
 * Looks, once at start, for what would make people be refused later, and names the setting. Nothing here stops the bot: what is
 * missing is refused politely when it is needed.
 */
export async function preflight(
  client: WebClient,
  identity: Identity,
  policy: Policy,
  directory: Directory,
): Promise<readonly string[]> {
  const missing = identity.scopes.length === 0 ? [] : SCOPES.filter((scope) => !identity.scopes.includes(scope));
  const [groups, channel, approvers, escalation] = await Promise.all([
    groupWarnings(client, policy),
    channelWarnings(client, policy, directory),
    approverWarnings(directory, policy),
    escalationWarnings(client, policy, directory),
  ]);
  return [
    ...missing.map((scope) => `The app lacks the scope ${scope}: add it at Slack and install the app again.`),
    ...groups,
    ...channel,
    ...approvers,
    ...escalation,
  ];
}

async function groupWarnings(client: WebClient, policy: Policy): Promise<readonly string[]> {
  try {
    const { usergroups } = await client.usergroups.list({ include_disabled: true });
    const known = new Map((usergroups ?? []).map((group) => [group.id, group]));
    return RIGHTS.flatMap((right) =>
      policy.access[right].flatMap((id) => {
        const group = known.get(id);
        if (!group) return [`access.${right}: Slack knows no user group ${id}; it lets nobody in.`];
        return group.date_delete ? [`access.${right}: the user group ${id} is disabled; it lets nobody in.`] : [];
      }),
    );
  } catch (error) {
    const trouble = troubleOf(error);
    const why = trouble.kind === 'refused' ? trouble.code : trouble.kind;
    return [
      `access: the user groups could not be looked at (${why}); whoever is in one that cannot be read is refused.`,
    ];
  }
}

/** Those who are mentioned at last get no right by it: where none of them has one, mentioning them helps nobody. */
async function escalationWarnings(
  client: WebClient,
  { approvals }: Policy,
  directory: Directory,
): Promise<readonly string[]> {
  if (approvals.mode === 'off' || approvals.escalation === null) return [];
  const approvers = await directory.approvers();
  if (!approvers) return [];
  const warnings = await Promise.all(
    approvals.escalation.to.map(async (usergroup) => {
      try {
        const { users = [] } = await client.usergroups.users.list({ usergroup });
        if (approvers.some(({ ids }) => users.some((user) => ids.has(user)))) return [];
        return [
          `approvals.escalate_to: nobody of ${usergroup} may approve; they are mentioned, and can decide nothing.`,
        ];
      } catch (error) {
        const trouble = troubleOf(error);
        const why = trouble.kind === 'refused' ? trouble.code : trouble.kind;
        return [`approvals.escalate_to: ${usergroup} could not be looked at (${why}); is the id right?`];
      }
    }),
  );
  return warnings.flat();
}

async function channelWarnings(client: WebClient, policy: Policy, directory: Directory): Promise<readonly string[]> {
  if (policy.approvals.mode === 'off') return [];
  const { channel: id } = policy.approvals;
  try {
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived) return [`approvals.channel: ${id} is archived; cards cannot be posted.`];
    if (channel?.is_member === false) return [`approvals.channel: invite the bot to ${id}; cards cannot be posted.`];
    const blind = channel?.is_private ? await outsideOf(client, id, (await directory.approvers()) ?? []) : [];
    return [
      ...(channel?.is_ext_shared
        ? [`approvals.channel: ${id} is shared with another organisation, whose people will see the cards.`]
        : []),
      ...(blind.length > 0
        ? [
            `approvals.channel: not in the private channel ${id}, so they never see a card: ${blind.join(', ')}. Invite them.`,
          ]
        : []),
    ];
  } catch (error) {
    const trouble = troubleOf(error);
    const why = trouble.kind === 'refused' ? trouble.code : trouble.kind;
    return [`approvals.channel: ${id} could not be looked at (${why}); is the id right, and the bot in it?`];
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

async function approverWarnings(directory: Directory, policy: Policy): Promise<readonly string[]> {
  if (policy.access.approve.length === 0) return [];
  const approvers = await directory.approvers();
  const { approvals } = policy;
  const two = approvals.mode === 'channel' && approvals.twoPeopleAbove !== null;
  if (!approvers || approvers.length >= (two ? 3 : 2)) return [];
  const why = two
    ? 'nobody approves their own request, and some need two people, so three are needed'
    : 'nobody approves their own request, so two are needed';
  return [`access.approve has ${approvers.length} usable member${approvers.length === 1 ? '' : 's'}: ${why}.`];
}
