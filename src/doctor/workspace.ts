import { type FetchFunction, type Logger, LogLevel, WebClient } from '@slack/web-api';
import type { Config, SlackConfig } from '../config/environment.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { checkWorkspace, type Finding } from '../slack/checks.ts';
import { clientOptions } from '../slack/client.ts';
import { SlackDirectory } from '../slack/directory.ts';
import { botTrouble, type SlackTrouble, troubleOf } from '../slack/errors.ts';
import { type Identity, whoAmI } from '../slack/startup.ts';

/** What they would log, a check finds. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
export const SILENT_SLACK: Logger = { ...SILENT, setLevel() {}, setName() {}, getLevel: () => LogLevel.ERROR };

export interface SlackSeen {
  readonly findings: readonly Finding[];
  /** Undefined where Slack does not say who the bot is. */
  readonly identity: Identity | undefined;
}

/** Everything that Slack can be asked without anybody noticing. */
export async function lookAtSlack(config: Config, policy: Policy, clock: Clock): Promise<SlackSeen> {
  const ahead: { ms: number | undefined } = { ms: undefined };
  const client = new WebClient(config.slack.botToken, {
    ...clientOptions(config.slackApiUrl),
    logger: SILENT_SLACK,
    fetch: timing(clock, (ms) => (ahead.ms ??= ms)),
  });
  const way = wayIn(config);
  const identity = await whoAmI(client).catch(troubleOf);
  if ('kind' in identity) return { findings: [refusedBot(identity), await way], identity: undefined };
  const { teamId, teamName, url } = identity;
  const directory = new SlackDirectory({ client, access: policy.access, teamId, clock, log: SILENT });
  const found = await checkWorkspace({ client, identity, policy, directory });
  const findings: readonly Finding[] = [
    { check: 'SLACK_BOT_TOKEN', verdict: 'right', found: `Slack takes it, in ${[teamName, url].join(' ').trim()}` },
    await way,
    clockFinding(ahead.ms, config.slack.mode),
    ...found,
  ];
  return { findings, identity };
}

export function refusedBot(trouble: SlackTrouble): Finding {
  const found = botTrouble(trouble);
  if (trouble.kind === 'refused')
    return {
      check: 'SLACK_BOT_TOKEN',
      verdict: 'wrong',
      found,
      remedy: 'install the app in your workspace and copy the token that begins with xoxb- from OAuth & Permissions',
    };
  return {
    check: 'Slack',
    verdict: 'wrong',
    found,
    remedy: 'see that this machine reaches https://slack.com, and try again',
  };
}

/** How what people do comes here. */
async function wayIn({ slack, slackApiUrl }: Config): Promise<Finding> {
  if (slack.mode === 'socket') return lookAtAppToken(slack.appToken, slackApiUrl);
  return {
    check: 'SLACK_SIGNING_SECRET',
    verdict: 'right',
    found: 'is set; whether it is the one of this app shows with --live',
  };
}

/** Asks for the address of a connection, and makes none. */
export async function lookAtAppToken(appToken: string, slackApiUrl: string): Promise<Finding> {
  const check = 'SLACK_APP_TOKEN';
  const client = new WebClient(appToken, { ...clientOptions(slackApiUrl), logger: SILENT_SLACK });
  const trouble = await client.apps.connections.open({}).then(() => undefined, troubleOf);
  if (trouble === undefined)
    return { check, verdict: 'right', found: 'Slack offers a connection for it (Socket Mode)' };
  if (trouble.kind === 'refused')
    return {
      check,
      verdict: 'wrong',
      found: `Slack offers no connection for it (${trouble.code})`,
      remedy:
        'make an app-level token with the scope connections:write under Basic Information, App-Level Tokens, and see that Socket Mode is on',
    };
  const why = trouble.kind === 'unreachable' ? trouble.why : trouble.kind;
  return { check, verdict: 'wrong', found: `Slack cannot be reached for a connection (${why})`, remedy: 'try again' };
}

/** Slack's requests are refused by their time from a minute in the future on; a clock that is off by less is off all the same. */
const OFF_AT_MOST_MS = 30_000;

function clockFinding(aheadMs: number | undefined, mode: SlackConfig['mode']): Finding {
  const check = 'clock';
  if (aheadMs === undefined) return { check, verdict: 'skipped', found: 'Slack did not say what time it is' };
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (Math.abs(aheadMs) <= OFF_AT_MOST_MS)
    return { check, verdict: 'right', found: `within ${Math.max(1, seconds)} s of Slack's` };
  const found = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} Slack's${mode === 'http' ? ', whose requests are refused by their time' : ''}`;
  return { check, verdict: 'wrong', found, remedy: "set this machine's clock (NTP)" };
}

/** @param hear how far this machine's clock is ahead of the one that answered, in ms; a Date header has whole seconds. */
function timing(clock: Clock, hear: (aheadMs: number) => void): FetchFunction {
  return async (...request) => {
    const before = clock.now();
    const response = await fetch(...request);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) hear((before + clock.now()) / 2 - (date + 500));
    return response;
  };
}
