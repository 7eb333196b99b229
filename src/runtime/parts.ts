import { createHash, createHmac } from 'node:crypto';
import { HTTPReceiver, type Logger } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/environment.ts';
import type { OpenLedger } from '../ledger/open.ts';
import { lookAtBalance } from '../purchasing/balance-alerts.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Vendor } from '../purchasing/ports/vendor.ts';
import { clientOptions } from '../slack/client.ts';
import { SlackSocket } from '../slack/socket.ts';
import { HeardClient, SlackWatch } from '../slack/watch.ts';
import { createVendor } from '../vendor-api/client.ts';
import { Readiness } from './health.ts';
import { InstanceWatch } from './instances.ts';
import { journalled } from './journal.ts';
import { slackLogger } from './log.ts';
import { kept, watched } from './readings.ts';
import { Workers } from './workers.ts';

/** What is there before Slack has said who the bot is. */
export interface Parts {
  readonly config: Config;
  /** The one that was read last. */
  readonly policy: () => Policy;
  readonly log: Log;
  readonly clock: Clock;
  readonly opened: OpenLedger;
  readonly vendor: Vendor;
  readonly client: WebClient;
  /** For Bolt and Slack's clients. */
  readonly logger: Logger;
  readonly receiver: SlackSocket | HTTPReceiver;
  readonly workers: Workers;
  readonly instances: InstanceWatch;
  readonly slackWatch: SlackWatch;
  readonly readiness: Readiness;
  readonly stopping: AbortSignal;
  readonly ackWithinMs: number | undefined;
}

export type Given = Pick<Parts, 'config' | 'policy' | 'log' | 'clock' | 'opened' | 'stopping' | 'ackWithinMs'> & {
  readonly instance: string;
  readonly version: string;
};

export function partsOf({ instance, version, ...given }: Given): Parts {
  const { config, policy, log, clock, opened } = given;
  const logger = slackLogger(log);
  const receiver = receiverFor(given, logger);
  const slackWatch = new SlackWatch({ clock, log });
  const options = { ...clientOptions(config.slackApiUrl), logger };
  const client = new HeardClient(config.slack.botToken, options, slackWatch.heard);
  const me = () => ({ id: instance, version, policyHash: digest(policy()), vendorHash: vendorDigest(config) });
  const instances = new InstanceWatch({ instances: opened.instances, me, clock, log });
  const readiness = new Readiness({
    clock,
    ledger: opened.ledger,
    checks: [
      () => (receiver instanceof SlackSocket ? receiver.trouble() : undefined),
      () => slackWatch.trouble(),
      () => instances.trouble(),
    ],
  });
  return {
    ...given,
    opened: { ...opened, ledger: journalled(opened.ledger, log) },
    vendor: kept(
      watched(createVendor({ ...config.vendor, clock }), log, given.stopping),
      opened.account,
      clock,
      log,
      () => lookAtBalance(opened.alerts, policy),
    ),
    client,
    logger,
    receiver,
    workers: new Workers({ clock, log }),
    instances,
    slackWatch,
    readiness,
  };
}

function receiverFor({ config, clock, log }: Pick<Given, 'config' | 'clock' | 'log'>, logger: Logger) {
  const { slack, slackApiUrl } = config;
  return slack.mode === 'socket'
    ? new SlackSocket({ appToken: slack.appToken, slackApiUrl, logger, clock, log })
    : new HTTPReceiver({ signingSecret: slack.signingSecret, logger });
}

/** Short, and equal for equal values. */
export function digest(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** Keyed with a secret that all replicas share, so that a copy of the ledger is of no use for guessing the token. */
function vendorDigest({ vendor, slack }: Config): string {
  return createHmac('sha256', slack.botToken)
    .update(JSON.stringify([vendor.baseUrl, vendor.token]))
    .digest('hex')
    .slice(0, 16);
}
