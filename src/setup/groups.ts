import { groups } from '../config/values.ts';
import { SILENT } from '../doctor/workspace.ts';
import { RIGHTS, type Right } from '../purchasing/model/policy.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import { enoughApprovers, whyNot } from '../slack/checks.ts';
import { SlackDirectory } from '../slack/directory.ts';
import { askAgain } from './again.ts';
import type { Ask, Choice } from './ask.ts';
import type { Draft } from './draft.ts';
import { sentence } from './sentence.ts';
import type { Workspace } from './slack.ts';

interface Group {
  readonly id: string;
  readonly label: string;
  readonly people: number | undefined;
}

/** In the order in which one leads to the next. */
const QUESTIONS = {
  buy: 'Who may buy?',
  renew: 'Who may renew orders?',
  approve: 'Who approves requests, settles unknown outcomes and freezes spending?',
  balance: 'Who may see the balance?',
} as const satisfies Record<Right, string>;

/** The user groups behind each right, chosen from those of the workspace. */
export async function askGroups(ask: Ask, draft: Draft, { client, identity }: Workspace, clock: Clock): Promise<void> {
  const known = await listGroups(ask, { client, identity });
  const unknown = RIGHTS.flatMap((right) => listed(draft, right)).filter(
    (id) => !known.some((group) => group.id === id),
  );
  if (unknown.length > 0)
    ask.warn(`The policy lists what is no enabled user group of this workspace: ${[...new Set(unknown)].join(', ')}.`);
  ask.say('Rights go by user groups, one or more for each.');
  for (const { id, label } of known) draft.names.set(id, label);
  for (const right of Object.keys(QUESTIONS) as Right[]) {
    await askRight(ask, draft, known, right);
    if (right === 'approve') await lookAtApprovers(ask, draft, known, { client, identity }, clock);
  }
  const chosen = new Set(RIGHTS.flatMap((right) => listed(draft, right)));
  for (const { label } of known.filter(({ id, people }) => chosen.has(id) && people === 0))
    ask.warn(`${label} is empty: it lets nobody in until somebody is added to it in Slack.`);
}

async function askRight(ask: Ask, draft: Draft, known: readonly Group[], right: Right): Promise<void> {
  const now = suggested(draft, right).filter((id) => known.some((group) => group.id === id));
  const chosen = await ask.chooseSeveral(QUESTIONS[right], known.map(toChoice), [...new Set(now)], 1);
  if (!isSame(chosen, listed(draft, right))) draft.edit(['access', right], chosen);
}

/** What is there; else what was chosen for the right that mostly goes with it. */
function suggested(draft: Draft, right: Right): readonly string[] {
  const own = listed(draft, right);
  if (own.length > 0) return own;
  if (right === 'renew') return listed(draft, 'buy');
  return right === 'balance' ? [...listed(draft, 'buy'), ...listed(draft, 'approve')] : [];
}

function listed(draft: Draft, right: Right): readonly string[] {
  return groups.safeParse(draft.policy('access', right)).data ?? [];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0;
}

async function listGroups(ask: Ask, { client, identity }: Workspace): Promise<readonly Group[]> {
  return askAgain(ask, 'Reading the user groups', async () => {
    try {
      const { usergroups = [] } = await client.usergroups.list({ include_count: true, team_id: identity.teamId });
      const found = usergroups
        .flatMap(({ id, handle = '', user_count: count }) =>
          id === undefined
            ? []
            : [{ id, label: `@${handle}`, people: count === undefined ? undefined : Number(count) }],
        )
        .sort((a, b) => a.label.localeCompare(b.label));
      if (found.length > 0) return { ok: true, seen: found };
      const remedy = 'make one for buyers and one for approvers: in Slack, People, User groups, New';
      return { ok: false, problem: sentence({ found: 'this workspace has no user group', remedy }) };
    } catch (error) {
      const found = `the user groups could not be read (${whyNot(error)})`;
      const remedy = 'user groups need a paid Slack plan, and the app the scope usergroups:read';
      return { ok: false, problem: sentence({ found, remedy }) };
    }
  });
}

function toChoice({ id, label, people }: Group): Choice<string> {
  if (people === undefined) return { value: id, label };
  const size = people === 0 ? 'empty' : `${people} ${people === 1 ? 'person' : 'people'}`;
  return { value: id, label: `${label}, ${size}` };
}

/** As the doctor will see them: guests, bots and deactivated people do not count. */
async function lookAtApprovers(
  ask: Ask,
  draft: Draft,
  known: readonly Group[],
  { client, identity }: Workspace,
  clock: Clock,
): Promise<void> {
  for (;;) {
    const access = { balance: [], buy: [], renew: [], approve: listed(draft, 'approve') };
    const directory = new SlackDirectory({ client, access, teamId: identity.teamId, clock, log: SILENT });
    const finding = await ask.wait('Looking who of them can approve', async () =>
      enoughApprovers(await directory.approvers(), needsTwo(draft) ? 3 : 2),
    );
    if (finding.verdict === 'right') return ask.good(`${finding.found} may approve.`);
    ask.warn(sentence(finding));
    const next = await ask.choose('What now?', [
      { value: 'again', label: 'Look again, I have added people in Slack' },
      { value: 'anew', label: 'Choose other groups' },
      { value: 'on', label: 'Go on as it is' },
    ]);
    if (next === 'on') return;
    if (next === 'anew') await askRight(ask, draft, known, 'approve');
  }
}

function needsTwo(draft: Draft): boolean {
  return ['two_people_above', 'two_people_above_dollars'].some((key) => draft.policy('approvals', key) !== undefined);
}
