import type { WebClient } from '@slack/web-api';
import { backoff, type Clock } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';
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

/** @throws what kept Slack from saying so. */
export async function whoAmI(client: WebClient): Promise<Identity> {
  const answer = await client.auth.test();
  const { bot_id: botId = '', user_id: botUserId = '', team_id: teamId, team: teamName = '', url = '' } = answer;
  if (!teamId) throw new Error('auth.test names no team');
  return { botId, botUserId, teamId, teamName, url, scopes: answer.response_metadata?.scopes ?? [] };
}

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
  const lasting = new Lasting(deps.clock);
  for (let failures = 0; !deps.signal.aborted; failures += 1) {
    try {
      return await whoAmI(client);
    } catch (error) {
      const trouble = troubleOf(error);
      const why = botTrouble(trouble);
      const news = lasting.news(why);
      if (news) deps.log.error({ ...trouble, ...news }, why);
      deps.trouble(why);
      await deps.clock.sleep(backoff(failures, RETRY_FIRST_MS, RETRY_AT_MOST_MS), deps.signal);
    }
  }
  return undefined;
}
