import type { WebClient } from '@slack/web-api';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { troubleOf } from './errors.ts';
import { botTrouble } from './watch.ts';

/** Who the bot is, as Slack says. */
export interface Identity {
  readonly botId: string;
  readonly botUserId: string;
  readonly teamId: string;
  readonly teamName: string;
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
      const answer = await Promise.race([client.auth.test(), aborted(deps.signal)]);
      const { bot_id: botId = '', user_id: botUserId = '', team_id: teamId, team: teamName = '' } = answer;
      if (!teamId) throw new Error('auth.test names no team');
      return { botId, botUserId, teamId, teamName, scopes: answer.response_metadata?.scopes ?? [] };
    } catch (error) {
      if (deps.signal.aborted) break;
      const trouble = troubleOf(error);
      const why = botTrouble(trouble);
      if (said !== why) deps.log.error({ ...trouble }, why);
      said = why;
      deps.trouble(why);
      await deps.clock.sleep(Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_AT_MOST_MS), deps.signal);
    }
  }
  return undefined;
}

/** A stop does not wait for a Slack that hangs. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}
