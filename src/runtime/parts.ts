import { createHmac } from 'node:crypto';
import { HTTPReceiver, type Logger } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/environment.ts';
import type { OpenLedger } from '../ledger/open.ts';
import { lookAtBalance } from '../purchasing/balance-alerts.ts';
import type { BalanceReading } from '../purchasing/model/answer.ts';
import type { NewNotice } from '../purchasing/model/outbox.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import { policyDigest } from '../purchasing/model/policy-digest.ts';
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
import { Metrics } from './metrics.ts';
import { both, type Observer, observed } from './observer.ts';
import { kept, watched } from './readings.ts';
import type { Traces } from './tracing.ts';
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
  /** Of the balance; null before the first. */
  readonly lastReading: () => BalanceReading | null;
  readonly client: WebClient;
  /** For Bolt and Slack's clients. */
  readonly logger: Logger;
  readonly receiver: SlackSocket | HTTPReceiver;
  readonly workers: Workers;
  readonly instances: InstanceWatch;
  readonly slackWatch: SlackWatch;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Metrics and traces. */
  readonly observer: Observer;
  readonly stopping: AbortSignal;
  readonly ackWithinMs: number | undefined;
}

export type Given = Pick<
  Parts,
  'config' | 'policy' | 'log' | 'clock' | 'opened' | 'stopping' | 'ackWithinMs' | 'traces'
> & {
  readonly instance: string;
  readonly version: string;
  /** When that policy was read. */
  readonly policySince: () => number;
};

export function partsOf({ instance, version, policySince, ...given }: Given): Parts {
  const { config, policy, log, clock, traces } = given;
  const opened = traces.opened(given.opened);
  const logger = slackLogger(log);
  const receiver = receiverFor(given, logger);
  const slackWatch = new SlackWatch({ clock, log });
  const options = { ...clientOptions(config.slackApiUrl), logger };
  const client = new HeardClient(config.slack.botToken, options, (...call) => {
    slackWatch.heard(...call);
    observer.slackCalled(...call);
  });
  const slackTrouble = () => (receiver instanceof SlackSocket ? receiver.trouble() : undefined) ?? slackWatch.trouble();
  const me = () => ({
    id: instance,
    version,
    policyHash: policyDigest(policy()),
    policySince: policySince(),
    vendorHash: vendorDigest(config),
    slack: slackTrouble() ?? 'connected',
  });
  const owe = (notice: NewNotice) => opened.outbox.owe(notice, null);
  const instances = new InstanceWatch({ instances: opened.instances, me, clock, log, owe });
  const readiness = new Readiness({
    clock,
    ledger: opened.ledger,
    checks: [slackTrouble, () => instances.trouble()],
  });
  const metrics = new Metrics({
    clock,
    counts: () => opened.status.counts(),
    instances,
    whyNotReady: () => readiness.whyNot(),
    version,
    policy: () => policyDigest(policy()),
  });
  const observer = both(metrics, traces);
  const called = observed(createVendor({ ...config.vendor, clock }), clock, log, observer.vendorCalled);
  const vendor = kept(watched(called, clock, log, given.stopping), opened.account, clock, log, () =>
    lookAtBalance(opened.alerts, policy),
  );
  let lastReading: BalanceReading | null = null;
  const readBalance: Vendor['readBalance'] = async (asker) => {
    const reading = await vendor.readBalance(asker);
    lastReading = reading;
    return reading;
  };
  return {
    ...given,
    opened: { ...opened, ledger: journalled(opened.ledger, log, traces.about) },
    vendor: { ...vendor, readBalance },
    lastReading: () => lastReading,
    client,
    logger,
    receiver,
    workers: new Workers({ clock, log, around: traces.pass }),
    instances,
    slackWatch,
    readiness,
    metrics,
    observer,
  };
}

function receiverFor({ config, clock, log }: Pick<Given, 'config' | 'clock' | 'log'>, logger: Logger) {
  const { slack, slackApiUrl } = config;
  return slack.mode === 'socket'
    ? new SlackSocket({ appToken: slack.appToken, slackApiUrl, logger, clock, log })
    : new HTTPReceiver({ signingSecret: slack.signingSecret, logger });
}

/** Keyed with a secret that all replicas share, so that a copy of the ledger is of no use for guessing the token. */
function vendorDigest({ vendor, slack }: Config): string {
  return createHmac('sha256', slack.botToken)
    .update(JSON.stringify([vendor.baseUrl, vendor.token]))
    .digest('hex')
    .slice(0, 16);
}
