import { App, type Logger, type Receiver } from '@slack/bolt';
import { slackFetch } from './fetch.ts';

/** A call to Slack is given up after this: whoever waits for its result has turned away. */
const SLACK_CALL_WITHIN_MS = 5_000;

/** No retries: a repeated `chat.postMessage` posts a second message, and waiting for a rate limit makes an answer late. */
export function clientOptions(slackApiUrl: string) {
  return {
    slackApiUrl,
    timeout: SLACK_CALL_WITHIN_MS,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    fetch: slackFetch,
  };
}

/** The bot, as Slack knows it. */
export interface BotToken {
  readonly token: string;
  readonly botId: string;
  readonly botUserId: string;
}

/** Bolt, on this receiver, without what it would do by itself. */
export function boltApp(deps: {
  readonly receiver: Receiver;
  readonly logger: Logger;
  readonly slackApiUrl: string;
  readonly bot: BotToken;
}): App {
  const { receiver, logger, slackApiUrl, bot } = deps;
  return new App({
    receiver,
    logger,
    convoStore: false,
    attachFunctionToken: false,
    clientOptions: clientOptions(slackApiUrl),
    // The token was checked at start. Checking it at each event would add a call to Slack to each.
    authorize: async () => ({ botToken: bot.token, botId: bot.botId, botUserId: bot.botUserId }),
  });
}
