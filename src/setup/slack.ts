import { WebClient } from '@slack/web-api';
import { lookAtAppToken, refusedBot, SILENT_SLACK } from '../doctor/workspace.ts';
import { checkScopes } from '../slack/checks.ts';
import { clientOptions } from '../slack/client.ts';
import { troubleOf } from '../slack/errors.ts';
import { type Identity, whoAmI } from '../slack/startup.ts';
import type { Ask } from './ask.ts';
import type { Draft } from './draft.ts';
import { newAppUrl } from './manifest.ts';
import { askSecret, type Look } from './secret.ts';
import { sentence } from './sentence.ts';

/** The workspace, as the bot sees it. */
export interface Workspace {
  readonly client: WebClient;
  readonly identity: Identity;
}

export interface SlackDeps {
  readonly ask: Ask;
  readonly draft: Draft;
  readonly slackApiUrl: string;
  /** The text of manifest.yml. */
  readonly manifest: string;
}

type Mode = 'socket' | 'http';

/** The app, its way to the bot, and the secrets of both. */
export async function askSlack(deps: SlackDeps): Promise<Workspace | undefined> {
  const { ask, draft } = deps;
  const isHttp = draft.setting('SLACK_SIGNING_SECRET') !== '' && draft.setting('SLACK_APP_TOKEN') === '';
  const mode = await ask.choose<Mode>(
    'How is Slack to reach the bot?',
    [
      { value: 'socket', label: 'Socket Mode', hint: 'the bot connects to Slack: no address of your own is needed' },
      { value: 'http', label: 'HTTP', hint: 'Slack calls an https address of yours' },
    ],
    isHttp ? 'http' : 'socket',
  );
  await makeApp(deps, mode);
  const workspace = await askBotToken(deps);
  await (mode === 'socket' ? askAppToken(deps) : askSigningSecret(deps));
  return workspace;
}

async function makeApp({ ask, draft, manifest }: SlackDeps, mode: Mode): Promise<void> {
  const isThere = draft.setting('SLACK_BOT_TOKEN') !== '';
  const made = await ask.choose(
    'Is the Slack app there already?',
    [
      { value: 'no', label: 'Not yet', hint: 'prints the address that makes it' },
      { value: 'yes', label: 'Yes' },
    ],
    isThere ? 'yes' : 'no',
  );
  if (made === 'yes') return;
  const requestUrl = mode === 'http' ? await askRequestUrl(ask) : undefined;
  ask.say(
    'Open this address in a browser where you are signed in to Slack. It is one line, however long it looks here:',
  );
  ask.toCopy(newAppUrl(manifest, requestUrl));
  ask.say(
    [
      'There: choose your workspace, Next, Create. Then, in the app: Install App, Install to Workspace, Allow.',
      'What is asked for next stands on pages of that app.',
      'Should the address not work: https://api.slack.com/apps, Create New App, From a manifest, and paste manifest.yml.',
      ...(requestUrl === undefined
        ? []
        : [
            `Nothing answers at ${requestUrl} yet. Once the bot runs, see at Event Subscriptions that it is verified, or press Retry.`,
          ]),
    ].join('\n'),
  );
}

async function askRequestUrl(ask: Ask): Promise<string> {
  const typed = await ask.text('The address at which Slack reaches this bot from outside', '', (text) => {
    const url = URL.parse(withPath(text));
    return url?.protocol === 'https:' && url.hostname.includes('.')
      ? undefined
      : 'Write it like https://proxy-desk.example.com';
  });
  return withPath(typed);
}

function withPath(address: string): string {
  return address.replace(/(?:\/slack\/events)?\/*$/, '/slack/events');
}

async function askBotToken(deps: SlackDeps): Promise<Workspace | undefined> {
  return askSecret(deps.ask, deps.draft, {
    name: 'SLACK_BOT_TOKEN',
    where: 'OAuth & Permissions, Bot User OAuth Token, xoxb-…',
    asking: 'Asking Slack whose token it is, and what it may do',
    look: (token) => lookAtBotToken(token, deps.slackApiUrl),
  });
}

async function lookAtBotToken(token: string, slackApiUrl: string): Promise<Look<Workspace>> {
  const client = new WebClient(token, { ...clientOptions(slackApiUrl), logger: SILENT_SLACK });
  const identity = await whoAmI(client).catch(troubleOf);
  if ('kind' in identity)
    return {
      ok: false,
      problems: [sentence(refusedBot(identity))],
      mend: identity.kind === 'refused' ? 'paste' : 'again',
    };
  const lacking = checkScopes(identity).filter(({ verdict }) => verdict === 'wrong');
  if (lacking.length === 0) {
    const scopes = identity.scopes.length > 0 ? 'with every scope it needs' : 'and does not say with which scopes';
    const say = `Slack takes it, in ${[identity.teamName, identity.url].join(' ').trim()}, ${scopes}.`;
    return { ok: true, seen: { client, identity }, say };
  }
  const remedy =
    'In the app, under OAuth & Permissions, add them as Bot Token Scopes, and press Reinstall to Workspace. The token mostly stays the same.';
  const problems = lacking.map(({ check, found }) => `${check}: ${found}`);
  return { ok: false, problems: [`${problems.join('\n')}\n${remedy}`], mend: 'again' };
}

async function askAppToken({ ask, draft, slackApiUrl }: SlackDeps): Promise<void> {
  leaveOut(ask, draft, 'SLACK_SIGNING_SECRET');
  await askSecret(ask, draft, {
    name: 'SLACK_APP_TOKEN',
    where: 'Basic Information, App-Level Tokens; scope connections:write; xapp-…',
    asking: 'Asking Slack for a connection (none is made)',
    look: async (token): Promise<Look<true>> => {
      const finding = await lookAtAppToken(token, slackApiUrl);
      if (finding.verdict === 'right') return { ok: true, seen: true, say: `${finding.found}.` };
      return { ok: false, problems: [sentence(finding)], mend: 'paste' };
    },
  });
}

async function askSigningSecret({ ask, draft }: SlackDeps): Promise<void> {
  leaveOut(ask, draft, 'SLACK_APP_TOKEN');
  await askSecret(ask, draft, {
    name: 'SLACK_SIGNING_SECRET',
    where: 'Basic Information, App Credentials, Signing Secret; not the Client Secret',
    asking: 'Looking at its form',
    look: async (): Promise<Look<true>> => ({
      ok: true,
      seen: true,
      say: "Its form is right. Whether it is this app's shows only when Slack calls: npm run doctor -- --live U…",
    }),
  });
}

/** One of the two ways is set, and not both. */
function leaveOut(ask: Ask, draft: Draft, name: 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET'): void {
  const fixed = draft.elsewhere(name);
  if (fixed === undefined) draft.set(name, '');
  else ask.warn(`${name} comes from ${fixed}. Take it away there: only one of the two ways may be set.`);
}
