import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { type LocalSlack, type SlackOptions, startSlack } from '../../sandbox/slack/index.ts';
import { SILENT_SLACK } from '../../src/doctor/workspace.ts';
import { movableClock } from '../support/clock.ts';

export type Mode = 'socket' | 'http';

export interface Running {
  slack: LocalSlack;
  app: App;
  /** In HTTP mode. */
  eventsUrl: string | null;
  stop: () => Promise<void>;
}

/** People and places for these tests; overrides win. */
export function startWorld(options: SlackOptions = {}): Promise<LocalSlack> {
  const clock = movableClock();
  return startSlack({
    clock,
    now: () => clock.now(),
    people: [
      { id: 'U1', name: 'ada' },
      { id: 'U2', name: 'bob' },
      { id: 'U9', name: 'eve', teamId: 'T9OTHER' },
    ],
    groups: [{ id: 'S1', handle: 'buyers', members: ['U1'] }],
    channels: [{ id: 'C1', name: 'approvals', members: ['U1', 'U2', 'U9'], shared: true }],
    ...options,
  });
}

/** A real Bolt app on a local Slack, wired as slack.md recommends. */
export async function startBolt(
  mode: Mode,
  register: (app: App) => void,
  options: SlackOptions = {},
): Promise<Running> {
  const slack = await startWorld(options);
  const { app: appToken, bot: token, signingSecret } = slack.tokens;
  const slackApiUrl = slack.apiUrl;
  const receiver =
    mode === 'socket'
      ? new SocketModeReceiver({
          appToken,
          logger: SILENT_SLACK,
          installerOptions: { clientOptions: { slackApiUrl, timeout: 10_000 } },
        })
      : new HTTPReceiver({ signingSecret, logger: SILENT_SLACK });
  const app = new App({
    token,
    receiver,
    logger: SILENT_SLACK,
    deferInitialization: true,
    convoStore: false,
    clientOptions: { slackApiUrl, timeout: 2_000, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } },
  });
  register(app);
  await app.init();
  const server = await app.start(0);
  const port = () => (server as { address(): AddressInfo }).address().port;
  const eventsUrl = mode === 'http' ? `http://127.0.0.1:${port()}/slack/events` : null;
  slack.deliverTo(eventsUrl);
  return {
    slack,
    app,
    eventsUrl,
    stop: async () => {
      if (receiver instanceof SocketModeReceiver) await receiver.client.disconnect();
      else await app.stop();
      await slack.close();
    },
  };
}
