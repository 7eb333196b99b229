import { randomUUID } from 'node:crypto';
import { HTTPReceiver } from '@slack/bolt';
import type { Config } from '../config/environment.ts';
import { openLedger } from '../ledger/open.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import { policyDigest } from '../purchasing/model/policy-digest.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { checkWorkspace, warningOf } from '../slack/checks.ts';
import { SlackSocket } from '../slack/socket.ts';
import { identify } from '../slack/startup.ts';
import { assemble, type Bot, run } from './assemble.ts';
import { systemClock } from './clock.ts';
import { type HttpServer, serveHttp } from './http.ts';
import { type Given, type Parts, partsOf } from './parts.ts';
import { type PolicyFile, PolicyInForce } from './policy.ts';
import { NO_TRACES, type Traces } from './tracing.ts';

export interface Running {
  readonly port: number;
  /** Null where the metrics are served on `port`. */
  readonly metricsPort: number | null;
  /** Resolves when commands are answered; never where Slack is never reached. */
  readonly ready: Promise<void>;
  /** From now on people may do what this one says; what is under way is judged by it too. */
  usePolicy(policy: Policy): void;
  /** Reads the policy file again, at once. */
  reloadPolicy(): void;
  /** Takes nothing new, finishes and records what is being sent, tells what can be told, and ends. */
  stop(): Promise<void>;
  /** Records what is being sent as unknown, at once: the process is about to be killed. */
  abandon(): Promise<void>;
}

export interface StartOptions {
  readonly clock?: Clock;
  /** Only for tests: instead of the machine's clock, or the database server's. */
  readonly ledgerNow?: () => number;
  /** This process in the log, and among those on the same ledger. */
  readonly instance?: string;
  /** Only for tests on a machine that may stand still: instead of what Slack waits. */
  readonly ackWithinMs?: number;
  readonly version?: string;
  /** Whether what runs was built, or is the sources as they stand: that takes longer to start, and more memory. */
  readonly built?: boolean;
  /** Where the policy was read from: it is read again when that changes. */
  readonly policyFile?: PolicyFile;
  readonly traces?: Traces;
}

/**
 * Builds the bot out of its parts and starts it. Comes back when it listens; Slack may not be reached yet.
 * @throws {LedgerUnusable} and when the port cannot be had.
 */
export async function start(
  config: Config,
  policy: Policy,
  log: Log,
  {
    clock = systemClock,
    ledgerNow,
    ackWithinMs,
    instance = randomUUID(),
    version = '0',
    built = false,
    policyFile,
    traces = NO_TRACES,
  }: StartOptions = {},
): Promise<Running> {
  const stopping = new AbortController();
  const opened = await openLedger(config.database, ledgerNow, {
    writer: instance,
    warn: (what) => log.warn({}, what),
  });
  const inForce = new PolicyInForce({
    policy,
    file: policyFile,
    clock,
    log,
    owe: (notice) => opened.outbox.owe(notice, null),
    changed: () => policyChanged(),
  });
  const given = {
    config,
    policy: () => inForce.policy,
    policySince: () => inForce.since,
    log,
    clock,
    opened,
    instance,
    version,
    ackWithinMs,
    traces,
    stopping: stopping.signal,
  };
  const parts = partsOf(given);
  log.info({ ...(await whatStarts(given)), built }, 'starting');
  const http = await listen(parts);
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const bot = connect(parts);
  void bot.then((assembled) => assembled && serve(parts, assembled, inForce, becomeReady));
  const policyChanged = () => {
    parts.instances.changed();
    void bot.then((assembled) => assembled && goBy(parts, assembled));
  };
  return {
    port: http.port,
    metricsPort: http.metricsPort,
    ready,
    usePolicy: (next) => inForce.use(next),
    reloadPolicy: () => inForce.reload(),
    async stop() {
      stopping.abort();
      parts.readiness.stops();
      await stop(parts, http, await bot);
    },
    async abandon() {
      await (await bot)?.lane.abandon();
    },
  };
}

/** Which version runs, on what: the first question of whoever reads the log. */
async function whatStarts({ config, policy, opened, version }: Given): Promise<object> {
  const [row] = await opened.database.read((sql) => sql.all('SELECT MAX(version) AS schema FROM schema_migrations'));
  const { host } = new URL(config.vendor.baseUrl);
  return {
    version,
    schema: row?.['schema'],
    policy: policyDigest(policy()),
    vendor: host,
    database: config.database.kind,
  };
}

async function listen(parts: Parts): Promise<HttpServer> {
  const { config, log, opened, receiver, metrics, readiness } = parts;
  try {
    const http = await serveHttp({
      host: config.host,
      port: config.port,
      metricsPort: config.metricsPort,
      log,
      trouble: () => readiness.whyNot(),
      metrics,
      ...(receiver instanceof HTTPReceiver && {
        slack: () => (readiness.isServing ? receiver.requestListener : undefined),
      }),
    });
    const own = http.metricsPort === null ? {} : { metricsPort: http.metricsPort };
    log.info({ port: http.port, ...own, mode: config.slack.mode }, 'listening');
    return http;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Asks Slack who the bot is, and puts it together; undefined where it was stopped before. */
async function connect(parts: Parts): Promise<Bot | undefined> {
  const { client, clock, log, readiness, stopping } = parts;
  try {
    const trouble = (why: string) => readiness.waitsFor(why);
    const identity = await identify(client, { clock, log, signal: stopping, trouble });
    return identity && assemble(parts, identity);
  } catch (err) {
    const why = 'the bot could not be set up';
    readiness.waitsFor(why);
    log.error({ err }, why);
    return undefined;
  }
}

async function serve(parts: Parts, bot: Bot, inForce: PolicyInForce, becomeReady: () => void): Promise<void> {
  const { log, receiver, readiness, stopping } = parts;
  if (stopping.aborted) return;
  run(parts, bot);
  parts.workers.run('policy', () => inForce.look());
  readiness.serves();
  if (receiver instanceof SlackSocket) await receiver.start();
  if (stopping.aborted) return;
  log.info({ team: bot.identity.teamName }, 'ready to serve');
  becomeReady();
  await warnOfSettings(parts, bot);
}

/** Another policy is in force: what was read by the one before, rights above all, is read anew. */
async function goBy(parts: Parts, bot: Bot): Promise<void> {
  try {
    await bot.rightsChanged();
    await warnOfSettings(parts, bot);
  } catch (err) {
    parts.log.warn({ err }, 'not all that shows the policy could be drawn anew yet');
  }
}

/** Nothing here stops the bot: what is missing is refused politely when it is needed. */
async function warnOfSettings({ client, policy, log }: Parts, { identity, directory }: Bot): Promise<void> {
  for (const finding of await checkWorkspace({ client, identity, policy: policy(), directory }))
    if (finding.verdict === 'wrong' || finding.verdict === 'note') log.warn({}, warningOf(finding));
}

/** Messages that are still owed are sent before the end if Slack takes them in time, else at the next start. */
const LAST_NEWS_WITHIN_MS = 5_000;

/** The balance after the last answer. If the vendor hangs, the reading is taken at the next start. */
const LAST_READING_WITHIN_MS = 5_000;

/** Takes nothing new, finishes and records what is being sent, tells what can be told, and closes everything. */
async function stop(parts: Parts, http: HttpServer, bot: Bot | undefined): Promise<void> {
  const { log, clock, opened, vendor, receiver, workers, instances, traces } = parts;
  // First, so that nothing new is sent from here on.
  const sent = bot?.lane.stop();
  if (receiver instanceof SlackSocket) await receiver.stop();
  await Promise.all([bot?.listenersEnded(), sent, workers.stop()]);
  // Again: the pass that was under way may have begun an attempt, or leased the next purchase.
  await bot?.lane.stop();
  // A refusal by the vendor becomes final only with the reading that follows it.
  const lastReading = ending(parts, bot?.lane.read(), 'the last reading could not be taken; it is at the next start');
  await within(clock, LAST_READING_WITHIN_MS, lastReading, undefined);
  const lastNews = ending(
    parts,
    bot && deliverAll(bot),
    'the last news could not be told; they go out at the next start',
  );
  await within(clock, LAST_NEWS_WITHIN_MS, lastNews, undefined);
  await ending(parts, bot?.failedClicks.write(), 'clicks that failed could not be written down as refused');
  // Not needed: the row of a process that does not leave expires by itself.
  await instances.leave().catch(() => undefined);
  await http.close();
  // Ends a reading that hangs; that it failed is still recorded.
  await vendor.close();
  await lastReading;
  await opened.close();
  await traces.stop();
  log.info({}, 'stopped');
}

async function deliverAll({ delivery }: Bot): Promise<void> {
  while (await delivery.deliver());
}

async function ending({ log }: Parts, work: Promise<unknown> | undefined, failed: string): Promise<void> {
  try {
    await work;
  } catch (err) {
    log.warn({ err }, failed);
  }
}
