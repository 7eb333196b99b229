import { randomUUID } from 'node:crypto';
import type { App, Logger, Receiver } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { registerCommands } from '../../commands/index.ts';
import { sentenceView } from '../../views/blocks.ts';
import { registerViews } from '../../views/handlers/index.ts';
import { clickOf, tell } from '../../views/handlers/reply.ts';
import { brokenSentence, doubtSentence, lateSentence, ledgerAwaySentence } from '../../views/sentences.ts';
import { isInDoubt, isLedgerTrouble } from '../ledger/trouble.ts';
import type { FailedClicks } from '../purchasing/failed-clicks.ts';
import { ACK_WITHIN_MS } from '../slack/answer.ts';
import { type BotToken, boltApp } from '../slack/client.ts';
import { type Acked, type Apologies, type HandlerContext, listenersOn } from '../slack/listeners.ts';
import { inScope } from './log.ts';
import type { Traces } from './tracing.ts';

export interface AppDeps {
  readonly context: HandlerContext;
  readonly receiver: Receiver;
  readonly logger: Logger;
  readonly slackApiUrl: string;
  readonly client: WebClient;
  readonly acked: Acked;
  readonly failedClicks: FailedClicks;
  readonly clicked: Traces['clicked'];
  readonly bot: BotToken;
  /** Only for tests on a machine that may stand still: instead of what Slack waits. */
  readonly ackWithinMs?: number | undefined;
  /** Called when Slack announces that a user group has changed: cached memberships are out of date. */
  readonly groupChanged: (group: string) => Promise<void>;
}

/** Builds the Bolt app. All listeners are registered here, before it runs. */
export function createApp(deps: AppDeps): {
  readonly app: App;
  readonly ended: () => Promise<void>;
} {
  const {
    context,
    receiver,
    logger,
    slackApiUrl,
    client,
    acked,
    failedClicks,
    clicked,
    bot,
    ackWithinMs = ACK_WITHIN_MS,
    groupChanged,
  } = deps;
  const app = boltApp({ receiver, logger, slackApiUrl, bot });
  app.error(async (error) => context.log.error({ err: error }, 'Bolt could not process something'));

  const on = listenersOn(app, {
    log: context.log,
    clock: context.clock,
    ackWithinMs,
    newReference: () => randomUUID().slice(0, 8),
    apologies,
    client,
    acked,
    clickOf: (args) => clickOf(args).id,
    failedClicks,
    inScope: (scope, work) => clicked(scope, () => inScope(scope, work)),
  });
  registerCommands(on, context);
  registerViews(on, context);
  for (const type of GROUP_EVENTS)
    app.event(type, ({ event }) => groupChanged('subteam' in event ? event.subteam.id : event.subteam_id));
  return { app, ended: on.ended };
}

/** Events of Slack after which somebody's rights may have changed. */
export const GROUP_EVENTS = ['subteam_members_changed', 'subteam_updated'] as const;

const TITLE = 'Proxy Desk';

/** What people see where a listener broke, or takes longer than Slack waits. */
export const apologies: Apologies = {
  sentence(reference, error, kind) {
    if (isInDoubt(error)) return doubtSentence(reference);
    // A submit writes once, at its end: where that failed, nothing of it was done.
    return isLedgerTrouble(error) ? ledgerAwaySentence(reference, kind === 'submit') : brokenSentence(reference);
  },
  view: (sentence) => sentenceView(TITLE, sentence),
  lateView: () => sentenceView(TITLE, lateSentence()),
  answerView(answer) {
    if (answer === undefined || answer.response_action === 'clear') return sentenceView(TITLE, 'Done.');
    if (answer.response_action === 'errors')
      return sentenceView(TITLE, `Nothing was filed. ${Object.values(answer.errors).join(' ')} Please start again.`);
    return answer.view as ReturnType<typeof sentenceView>;
  },
  tell,
};
