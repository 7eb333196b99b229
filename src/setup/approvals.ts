import { problemAt } from '../config/policy.ts';
import { whyNot } from '../slack/checks.ts';
import { askAgain } from './again.ts';
import type { Ask, Choice } from './ask.ts';
import type { Draft } from './draft.ts';
import { sentence } from './sentence.ts';
import type { Workspace } from './slack.ts';

interface Channel {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly hasBot: boolean;
}

/** Whether requests need somebody else, where they are decided, and what needs nobody. */
export async function askApprovals(ask: Ask, draft: Draft, workspace: Workspace): Promise<void> {
  const mode = await ask.choose(
    'Does spending need the yes of somebody else?',
    [
      { value: 'channel', label: 'Yes, decided in a channel', hint: 'nobody approves their own request' },
      { value: 'off', label: 'No', hint: 'whoever may buy spends on their own confirmation, within the limits' },
    ],
    draft.policy('approvals') === 'off' ? 'off' : 'channel',
  );
  if (mode === 'off') return draft.edit(['approvals'], 'off');
  const given = {
    channel: await askChannel(ask, draft, workspace),
    free_up_to: await askNumber(ask, {
      question: 'How many IPs may a person buy in 24 h without asking anybody? 0 for none',
      now: draft.usual('approvals', 'free_up_to') ?? 0,
      place: ['approvals', 'free_up_to'],
      beside: { channel: 'C0' },
    }),
    renewals: await ask.yesOrNo('Do renewals need approval too?', draft.usual('approvals', 'renewals') !== false),
  };
  if (draft.policy('approvals') === 'off') return draft.edit(['approvals'], given);
  for (const [key, value] of Object.entries(given)) draft.editSetting('approvals', key, value);
}

const AGAIN = 'again';

async function askChannel(ask: Ask, draft: Draft, workspace: Workspace): Promise<string> {
  let now = draft.policy('approvals', 'channel');
  ask.say('The bot posts each request into one channel. Invite it there: in that channel, type /invite @proxy-desk');
  for (;;) {
    const channels = await listChannels(ask, workspace);
    const chosen = await ask.find(
      'In which channel are requests decided?',
      [
        ...channels.filter(({ hasBot }) => hasBot).map(toChoice),
        {
          value: AGAIN,
          label: 'It is not here: look again',
          hint: 'a private one shows once the bot was invited',
          always: true,
        },
        ...channels.filter(({ hasBot }) => !hasBot).map(toChoice),
      ],
      channels.find(({ id }) => id === now)?.id,
    );
    const channel = channels.find(({ id }) => id === chosen);
    if (!channel) continue;
    now = channel.id;
    draft.names.set(channel.id, `#${channel.name}`);
    if (channel.hasBot) return channel.id;
    ask.warn(`The bot is not in #${channel.name} yet: cards cannot be posted. There, type /invite @proxy-desk`);
    const next = await ask.choose('What now?', [
      { value: 'again', label: 'Look again, it was invited' },
      { value: 'on', label: `Take #${channel.name} all the same, and invite it later` },
    ]);
    if (next === 'on') return channel.id;
  }
}

function toChoice({ id, name, isPrivate, hasBot }: Channel): Choice<string> {
  const hint = [...(isPrivate ? ['private'] : []), hasBot ? 'the bot is in it' : 'the bot is not in it'].join(', ');
  return { value: id, label: `#${name}`, hint };
}

/** Of the largest workspaces; each page is a call, of which Slack takes twenty a minute. */
const PAGES_AT_MOST = 15;

/** By their names. */
async function listChannels(ask: Ask, { client, identity }: Workspace): Promise<readonly Channel[]> {
  const channels = await askAgain(ask, 'Reading the channels', async () => {
    const seen: Channel[] = [];
    try {
      for (let cursor = '', page = 0; page < PAGES_AT_MOST; page += 1) {
        const answer = await client.conversations.list({
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: 999,
          team_id: identity.teamId,
          ...(cursor && { cursor }),
        });
        for (const { id, name = '', is_private = false, is_member = false } of answer.channels ?? [])
          if (id !== undefined) seen.push({ id, name, isPrivate: is_private, hasBot: is_member });
        cursor = answer.response_metadata?.next_cursor ?? '';
        if (cursor === '') break;
      }
      return { ok: true, seen };
    } catch (error) {
      const found = `the channels could not be read (${whyNot(error)})`;
      const remedy =
        'the app needs the scopes channels:read and groups:read; where Slack was asked too often, wait a minute';
      return { ok: false, problem: sentence({ found, remedy }) };
    }
  });
  return channels.toSorted((a, b) => a.name.localeCompare(b.name));
}

interface NumberQuestion {
  readonly question: string;
  readonly now: unknown;
  readonly place: readonly [string, string];
  /** What the section must have besides. */
  readonly beside?: object;
}

/** A whole number that the policy's schema takes. */
export async function askNumber(ask: Ask, { question, now, place, beside }: NumberQuestion): Promise<number> {
  const [section, key] = place;
  const typed = await ask.text(question, String(now), (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : text;
    const problem = problemAt(place.join('.'), { [section]: { ...beside, [key]: value } });
    return problem && `It ${problem.problem}.`;
  });
  return Number(typed);
}
