import { randomUUID } from 'node:crypto';
import { App, type Logger, type Receiver } from '@slack/bolt';
import { registerCommands } from '../../commands/index.ts';
import { registerViews } from '../../views/handlers/index.ts';
import { ACK_WITHIN_MS } from '../slack/answer.ts';
import type { HandlerContext } from '../slack/handler-context.ts';
import { listenersOn } from '../slack/listeners.ts';
import { apologies } from './apologies.ts';
import { inScope } from './scope.ts';

export interface AppDeps {
  readonly context: HandlerContext;
  readonly receiver: Receiver;
  readonly logger: Logger;
  readonly slackApiUrl: string;
  readonly bot: { readonly token: string; readonly botId: string; readonly botUserId: string };
  /** Only for tests on a machine that may stand still: instead of what Slack waits. */
  readonly ackWithinMs?: number | undefined;
  /** User groups have changed: what was read of them is old. */
  readonly groupsChanged: () => void;
}

/** Slack wants an answer within 3 s; a call that takes longer than this has no further use to somebody who waits. */
const SLACK_CALL_WITHIN_MS = 5_000;

/** A client that never repeats a call by itself: a repeated post is a second message, a repeated wait a late answer. */
export function clientOptions(slackApiUrl: string) {
  return { slackApiUrl, timeout: SLACK_CALL_WITHIN_MS, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } };
}

/** The Bolt app: everything that Slack can send is registered here, and nothing while it runs. */
export function createApp(deps: AppDeps): {
  readonly app: App;
  readonly ended: () => Promise<void>;
} {
  const { context, receiver, logger, slackApiUrl, bot, ackWithinMs = ACK_WITHIN_MS, groupsChanged } = deps;
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    attachFunctionToken: false,
    clientOptions: clientOptions(slackApiUrl),
    // The token was checked at start; asking again at every event would make each depend on one more call.
    authorize: async () => ({ botToken: bot.token, botId: bot.botId, botUserId: bot.botUserId }),
  });
  app.error(async (error) => context.log.error({ err: error }, 'Bolt could not process something'));

  const on = listenersOn(app, {
    log: context.log,
    clock: context.clock,
    ackWithinMs,
    newReference: () => randomUUID().slice(0, 8),
    apologies,
    inScope,
  });
  registerCommands(on, context);
  registerViews(on, context);
  for (const event of GROUP_EVENTS) app.event(event, async () => groupsChanged());
  return { app, ended: on.ended };
}

/** Announced by Slack when rights may have changed. */
export const GROUP_EVENTS = ['subteam_members_changed', 'subteam_updated'] as const;
