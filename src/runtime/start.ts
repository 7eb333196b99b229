import { createHash, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { renderNotice } from '../../views/notice.ts';
import type { Config } from '../config.ts';
import { openLedger } from '../ledger/open.ts';
import { Lane } from '../purchasing/lane.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import { newPurchaseId } from '../purchasing/model/purchase-id.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import { Purchasing } from '../purchasing/purchasing.ts';
import { within } from '../purchasing/within.ts';
import { SlackDirectory } from '../slack/directory.ts';
import type { Desk } from '../slack/handler-context.ts';
import { type Identity, identify } from '../slack/identity.ts';
import { Notifier } from '../slack/notifier.ts';
import { preflight } from '../slack/preflight.ts';
import { SlackSocket } from '../slack/socket.ts';
import { createVendor } from '../vendor-api/client.ts';
import { clientOptions, createApp } from './app.ts';
import { systemClock } from './clock.ts';
import { type HttpServer, serveHttp } from './http.ts';
import { Replicas } from './instances.ts';
import { type LeveledLog, slackLogger } from './log.ts';
import { metricsText } from './metrics.ts';
import { Workers } from './workers.ts';

export interface Running {
  readonly port: number;
  /** Resolves when commands are answered; never where Slack is never reached. */
  readonly ready: Promise<void>;
  /** Takes nothing new, finishes and records what is being sent, tells what can be told, and ends. */
  stop(): Promise<void>;
  /** Records what is being sent as unknown, at once: the process is about to be killed. */
  abandon(): Promise<void>;
}

/** News of the last purchase goes out before the end, if Slack takes it in time; else at the next start. */
const LAST_NEWS_WITHIN_MS = 5_000;

/** The balance after the last answer; of a vendor that hangs, the later readings are taken at the next start. */
const LAST_READING_WITHIN_MS = 5_000;

/** Slack waits no longer for an ack. */
const ACKS_WITHIN_MS = 3_000;

/** A health check asks often and waits briefly: a database that is slower than this is not there for people either. */
const LEDGER_ANSWERS_WITHIN_MS = 1_000;

export interface StartOptions {
  readonly clock?: Clock;
  /** Only for tests: instead of the machine's clock, or the database server's. */
  readonly ledgerNow?: () => number;
  /** This process in the log, and among those on the same ledger. */
  readonly instance?: string;
  readonly version?: string;
}

/**
 * Builds the bot out of its parts and starts it. Comes back when it listens; Slack may not be reached yet.
 * @throws {LedgerUnusable} and when the port cannot be had.
 */
export async function start(
  config: Config,
  policy: Policy,
  log: LeveledLog,
  { clock = systemClock, ledgerNow, instance = randomUUID(), version = '0' }: StartOptions = {},
): Promise<Running> {
  const stopping = new AbortController();
  let trouble: string | undefined = 'not connected to Slack yet';
  let slackListener: RequestListener | undefined;
  let lane: Lane | undefined;
  let lastNews = async () => {};
  let listenersEnded = async () => {};
  let everybodyAnswered = async () => {};
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();

  const opened = await openLedger(config.database, ledgerNow, {
    writer: instance,
    warn: (what) => log.warn({}, what),
  });
  const { ledger, outbox, leases, drafts, instances, close: closeLedger } = opened;
  const vendor = createVendor({ ...config.vendor, clock });
  const logger = slackLogger(log);
  const client = new WebClient(config.slack.botToken, { ...clientOptions(config.slackApiUrl), logger });
  const workers = new Workers({ clock, log });
  const me = {
    id: instance,
    version,
    policyHash: hash(policy),
    vendorHash: hash([config.vendor.baseUrl, config.vendor.token]),
  };
  const replicas = new Replicas({ instances, me, clock, log });
  const socket =
    config.slack.mode === 'socket'
      ? new SlackSocket({ appToken: config.slack.appToken, slackApiUrl: config.slackApiUrl, logger, clock, log })
      : undefined;

  const http = await listen();
  log.info({ port: http.port, mode: config.slack.mode, database: config.database.kind }, 'listening');
  const starting = connect().catch((err: unknown) => {
    trouble = 'the bot could not be set up';
    log.error({ err }, trouble);
  });

  async function listen(): Promise<HttpServer> {
    try {
      return await serveHttp({
        port: config.port,
        log,
        trouble: whyNotReady,
        metrics: () => metricsText({ ledger, outbox, replicas, whyNotReady }),
        ...(config.slack.mode === 'http' && { slack: () => slackListener }),
      });
    } catch (error) {
      await closeLedger();
      throw error;
    }
  }

  async function whyNotReady(): Promise<string | undefined> {
    if (stopping.signal.aborted) return 'stopping';
    const why = trouble ?? socket?.trouble();
    if (why !== undefined) return why;
    const asked = ledger.freeze().then(
      () => undefined,
      () => 'the ledger cannot be read',
    );
    return within(clock, LEDGER_ANSWERS_WITHIN_MS, asked, 'the ledger does not answer in time');
  }

  async function connect(): Promise<void> {
    const identity = await identify(client, {
      clock,
      log,
      signal: stopping.signal,
      trouble: (why) => {
        trouble = why;
      },
    });
    if (identity) await assemble(identity);
  }

  async function assemble(identity: Identity): Promise<void> {
    const directory = new SlackDirectory({ client, access: policy.access, teamId: identity.teamId, clock, log });
    const wake = () => workers.wake();
    const purchasing = new Purchasing({ ledger, outbox, vendor, directory, policy, newId: newPurchaseId, wake });
    const sender = new Lane({
      ledger,
      leases,
      outbox,
      vendor,
      directory,
      policy,
      clock,
      log,
      newId: randomUUID,
      answerWithinMs: config.vendor.timeoutMs,
      vendorRefuses: (refused, call) => purchasing.vendorRefuses(refused, call),
    });
    const notifier = new Notifier({
      client,
      ledger,
      outbox,
      directory,
      policy,
      clock,
      log,
      render: renderNotice,
      purchasing,
    });
    lastNews = async () => {
      while (await notifier.deliver());
    };

    const desk: Desk = { purchasing, ledger, drafts, clock, log, newId: randomUUID };
    const receiver = socket?.receiver ?? httpReceiver();
    const { botId, botUserId } = identity;
    const { slackApiUrl } = config;
    const bot = { token: config.slack.botToken, botId, botUserId };
    const { ended, acked } = createApp({
      desk,
      receiver,
      logger,
      slackApiUrl,
      bot,
      groupsChanged: () => directory.forget(),
    });
    listenersEnded = ended;
    everybodyAnswered = acked;

    lane = sender;
    opened.listen(wake);
    workers.run('replicas', () => replicas.beat());
    workers.run('send', () => sender.send());
    workers.run('read', () => sender.read());
    workers.run('sweep', () => sender.sweep());
    workers.run('notify', () => notifier.deliver());
    trouble = undefined;
    if (receiver instanceof HTTPReceiver) slackListener = receiver.requestListener;
    socket?.start();
    await socket?.connected();
    if (stopping.signal.aborted) return;
    log.info({ team: identity.teamName }, 'ready to serve');
    becomeReady();
    for (const warning of await preflight(client, identity, policy, directory)) log.warn({}, warning);
  }

  function httpReceiver(): HTTPReceiver {
    if (config.slack.mode !== 'http') throw new Error('only in HTTP mode');
    return new HTTPReceiver({ signingSecret: config.slack.signingSecret, logger });
  }

  return {
    port: http.port,
    ready,
    async stop() {
      stopping.abort();
      slackListener = undefined;
      // Before anything that takes time: nothing new is sent from here on.
      const sent = lane?.stop();
      // An ack goes over the connection that the click came by: it is left at a moment when nobody waits for one.
      await within(clock, ACKS_WITHIN_MS, everybodyAnswered(), undefined);
      await Promise.all([socket?.stop(), starting]);
      await Promise.all([listenersEnded(), sent, lane?.stop(), workers.stop()]);
      // A refusal is recorded with the reading that follows it.
      const lastReading = Promise.resolve(lane?.read()).then(
        () => undefined,
        (err: unknown) => log.warn({ err }, 'the last reading could not be taken; it is at the next start'),
      );
      await within(clock, LAST_READING_WITHIN_MS, lastReading, undefined);
      const told = lastNews().catch((err: unknown) =>
        log.warn({ err }, 'the last news could not be told; they go out at the next start'),
      );
      await within(clock, LAST_NEWS_WITHIN_MS, told, undefined);
      // Only a courtesy: a row that stays grows old.
      await replicas.leave().catch(() => undefined);
      await http.close();
      // Ends a reading that hangs; the ledger still takes down that there was none.
      await vendor.close();
      await lastReading;
      await closeLedger();
      log.info({}, 'stopped');
    },
    async abandon() {
      await lane?.abandon();
    },
  };
}

/** Short, and tells nothing of what it was made from: the vendor's token is part of one. */
function hash(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
