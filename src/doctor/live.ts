import { HTTPReceiver } from '@slack/bolt';
import { WebClient as SlackClient, type WebClient } from '@slack/web-api';
import type { Config } from '../config/environment.ts';
import { plural } from '../plural.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import { type Finding, whyNot } from '../slack/checks.ts';
import { boltApp, clientOptions } from '../slack/client.ts';
import { SlackSocket } from '../slack/socket.ts';
import type { Identity } from '../slack/startup.ts';
import { SILENT, SILENT_SLACK } from './workspace.ts';

interface LiveDeps {
  readonly config: Config;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly identity: Identity;
  /** Who runs the doctor, by their Slack user id. */
  readonly person: string;
  /** Tells them what to do meanwhile. */
  readonly say: (text: string) => void | Promise<void>;
}

const ACTION = 'doctor_seen';

/** For somebody who has Slack open. */
const PRESS_WITHIN_MS = 120_000;

/** From the call for an address to Slack's hello; then it is given up. */
const CONNECTED_WITHIN_MS = 15_000;

const PASSING_TEXT = 'Proxy Desk is being looked at (`npm run doctor`). This message goes by itself.';

/** What a workspace does only when something is really said and pressed in it. */
export async function tryLive(deps: LiveDeps): Promise<readonly Finding[]> {
  const { config, policy } = deps;
  const client = new SlackClient(config.slack.botToken, {
    ...clientOptions(config.slackApiUrl),
    logger: SILENT_SLACK,
  });
  const posted = policy.approvals.mode === 'off' ? [] : [await postIn(client, policy.approvals.channel)];
  return [...posted, ...(await pressed(client, deps))];
}

async function postIn(client: WebClient, channel: string): Promise<Finding> {
  const check = 'live: channel';
  let step = 'posted';
  try {
    const { ts = '' } = await client.chat.postMessage({ channel, text: PASSING_TEXT });
    step = 'edited';
    await client.chat.update({ channel, ts, text: `${PASSING_TEXT} Now it was edited.` });
    step = 'deleted';
    await client.chat.delete({ channel, ts });
    return { check, verdict: 'right', found: `a message was posted, edited and deleted in ${channel}` };
  } catch (error) {
    const found = `a message could not be ${step} in ${channel} (${whyNot(error)})`;
    return { check, verdict: 'wrong', found, remedy: 'invite the bot there, and look who may post in that channel' };
  }
}

/** Sends the button, and waits until it is pressed. */
async function pressed(client: WebClient, deps: LiveDeps): Promise<readonly Finding[]> {
  const { config, clock, person, say } = deps;
  const check = 'live: button';
  const { promise: press, resolve: hear } = Promise.withResolvers<string>();
  const way = await listen(deps, hear);
  if ('check' in way) return [way];
  try {
    const { channel } = await client.conversations.open({ users: person });
    const at = channel?.id ?? person;
    const { ts = '' } = await client.chat.postMessage({ channel: at, ...question() });
    const direct: Finding = { check: 'live: direct message', verdict: 'right', found: `${person} has one` };
    await say('doctor: press the button in the direct message that you have just got from the bot (two minutes)\n');
    const by = await within(clock, PRESS_WITHIN_MS, press, undefined);
    const text =
      by === undefined ? 'Nobody pressed the button in time.' : 'Seen, thank you: all is well on the way from here.';
    await client.chat.update({ channel: at, ts, text, blocks: [] });
    if (by === undefined)
      return [direct, { check, verdict: 'wrong', found: 'no press arrived within two minutes', remedy: lost(config) }];
    return [direct, { check, verdict: 'right', found: `${by} pressed it, and that arrived` }];
  } catch (error) {
    const found = `${person} could not be sent a direct message (${whyNot(error)})`;
    const remedy = 'check the id, and that manifest.yml has the Messages tab on (App Home)';
    return [{ check: 'live: direct message', verdict: 'wrong', found, remedy }];
  } finally {
    await way.stop();
  }
}

function question() {
  const text = 'Proxy Desk is being looked at (npm run doctor). Please press the button.';
  return {
    text,
    blocks: [
      { type: 'section' as const, text: { type: 'plain_text' as const, text } },
      {
        type: 'actions' as const,
        elements: [
          { type: 'button' as const, action_id: ACTION, text: { type: 'plain_text' as const, text: 'I see it' } },
        ],
      },
    ],
  };
}

function lost({ slack }: Config): string {
  return slack.mode === 'socket'
    ? 'in the app, see that Socket Mode and Interactivity are on, and that SLACK_APP_TOKEN is of the same app as SLACK_BOT_TOKEN'
    : 'in the app, see that Interactivity has the request URL https://…/slack/events and that it leads here; that SLACK_SIGNING_SECRET is of the same app';
}

/** Hears the button, the way by which the bot would. @returns what is wrong where nothing could arrive. */
async function listen(
  { config, clock, identity }: LiveDeps,
  hear: (user: string) => void,
): Promise<Finding | { readonly stop: () => Promise<void> }> {
  const { slack, slackApiUrl } = config;
  const logger = SILENT_SLACK;
  const receiver =
    slack.mode === 'socket'
      ? new SlackSocket({ appToken: slack.appToken, slackApiUrl, logger, clock, log: SILENT })
      : new HTTPReceiver({ signingSecret: slack.signingSecret, logger });
  const { botId, botUserId } = identity;
  const app = boltApp({ receiver, logger, slackApiUrl, bot: { token: slack.botToken, botId, botUserId } });
  app.action(ACTION, async ({ ack, body }) => {
    await ack();
    hear(body.user.id);
  });
  return receiver instanceof SlackSocket ? connect(receiver, clock) : serve(receiver, config.port);
}

async function connect(socket: SlackSocket, clock: Clock): ReturnType<typeof listen> {
  const check = 'live: connection';
  await within(clock, CONNECTED_WITHIN_MS, socket.start(), undefined);
  const why = socket.trouble();
  const others = (socket.connections ?? 1) - 1;
  if (why === undefined && others === 0) return { stop: () => socket.stop() };
  await socket.stop();
  if (why !== undefined) return { check, verdict: 'wrong', found: why, remedy: 'mend that, and try again' };
  const found = `the app has ${plural(others, 'other connection')}, and Slack would give the press to any`;
  return { check, verdict: 'wrong', found, remedy: 'stop the bot, and try again' };
}

async function serve(receiver: HTTPReceiver, port: number): ReturnType<typeof listen> {
  try {
    const server = await receiver.start(port);
    const stop = async () => {
      const stopped = receiver.stop();
      server.closeAllConnections();
      await stopped;
    };
    return { stop };
  } catch (error) {
    const found = `nothing can listen on port ${port} (${whyNot(error)})`;
    return {
      check: 'live: connection',
      verdict: 'wrong',
      found,
      remedy: 'stop the bot, which listens there, and try again',
    };
  }
}
