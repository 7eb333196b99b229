import type { App, Logger, Receiver, ReceiverEvent } from '@slack/bolt';
import { backoff, type Clock, within } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { ACKS_WITHIN_MS, Connection, type Envelope } from './connection.ts';
import { type SlackTrouble, troubleOf } from './errors.ts';

export interface SocketDeps {
  readonly appToken: string;
  readonly slackApiUrl: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly log: Log;
}

/** 1 s, 2 s, 4 s … 1 min; `apps.connections.open` is the most tightly limited call there is. */
const RETRY_FIRST_MS = 1_000;
const RETRY_AT_MOST_MS = 60_000;

/** Slack refreshes a connection every few hours. After two connections in a row under 10 s, back off. */
const STEADY_AFTER_MS = 10_000;

/** Slack warns about 10 s before it closes a connection. Until Slack closes it, clicks may still arrive on it. */
const OLD_STAYS_MS = 15_000;

/**
 * Keeps a Socket Mode connection. When Slack refreshes one, the next is opened before the old one is closed. Connections are opened
 * one after the other, never two at a time.
 */
export class SlackSocket implements Receiver {
  readonly #deps: SocketDeps;
  readonly #stop = new AbortController();
  readonly #leaving = new Set<Promise<void>>();
  #current: Connection | undefined;
  /** Resolves with the current connection, or with the next one. */
  #arrival = Promise.withResolvers<Connection>();
  #app: App | undefined;
  #running: Promise<void> = Promise.resolve();
  #trouble: string | undefined = 'not connected yet';

  constructor(deps: SocketDeps) {
    this.#deps = deps;
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Resolves at the first connection, or when stopped. */
  async start(): Promise<void> {
    this.#running = this.#supervise();
    await Promise.race([this.#arrival.promise, this.#running]);
  }

  /** Why no click would arrive now; undefined when connected. */
  trouble(): string | undefined {
    return this.#current?.isOpen ? undefined : (this.#trouble ?? 'reconnecting to Slack');
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #supervise(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    const stopped = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    let old: Connection | undefined;
    for (let shortLived = 0; !signal.aborted; ) {
      const connection = await this.#connect();
      if (old) this.#retire(old, OLD_STAYS_MS);
      old = undefined;
      if (!connection) break;
      const since = clock.monotonic();
      const parting = await Promise.race([connection.parting, stopped]);
      this.#current = undefined;
      this.#arrival = Promise.withResolvers();
      if (parting?.stays) old = connection;
      else this.#retire(connection, 0);
      if (!parting) break;
      const remedy = remedyFor(parting.why);
      if (remedy === undefined) log.info({ why: parting.why }, 'Slack wants another connection');
      else log.warn({ why: parting.why }, `Slack has ended the connection: ${remedy}`);
      shortLived = clock.monotonic() - since < STEADY_AFTER_MS ? shortLived + 1 : 0;
      if (shortLived > 1) await clock.sleep(backoff(shortLived - 2, RETRY_FIRST_MS, RETRY_AT_MOST_MS), signal);
    }
    if (old) this.#retire(old, 0);
    await Promise.all(this.#leaving);
  }

  /** Opens a connection, trying until it succeeds. @returns undefined when stopped. */
  async #connect(): Promise<Connection | undefined> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const connection = new Connection({ ...this.#deps, receive: (envelope, by) => this.#receive(envelope, by) });
      try {
        await connection.connect(signal);
        this.#current = connection;
        this.#trouble = undefined;
        this.#arrival.resolve(connection);
        log.info({}, 'connected to Slack');
        return connection;
      } catch (error) {
        if (signal.aborted) return undefined;
        const trouble = troubleOf(error);
        this.#say(trouble);
        const told = trouble.kind === 'rate_limited' ? trouble.retryAfterSeconds * 1000 : 0;
        await clock.sleep(Math.max(backoff(failures, RETRY_FIRST_MS, RETRY_AT_MOST_MS), told), signal);
      }
    }
    return undefined;
  }

  /** Logs the same trouble once, not at each try. */
  #say(trouble: SlackTrouble): void {
    const why =
      trouble.kind === 'refused'
        ? `Slack refuses SLACK_APP_TOKEN (${trouble.code})`
        : whyNotReached(trouble.kind === 'unreachable' ? trouble.why : trouble.kind);
    if (this.#trouble !== why) this.#deps.log.error({ ...trouble }, why);
    this.#trouble = why;
  }

  #retire(connection: Connection, ms: number): void {
    const gone = connection.retire(ms, this.#stop.signal);
    this.#leaving.add(gone);
    void gone.finally(() => this.#leaving.delete(gone));
  }

  #receive(envelope: Envelope, by: Connection): void {
    const { clock, log } = this.#deps;
    const { promise, resolve } = Promise.withResolvers<void>();
    by.waitsFor(promise);
    let acked = false;
    const event: ReceiverEvent = {
      body: envelope.body,
      ...(envelope.retry_num !== undefined && { retryNum: envelope.retry_num }),
      ...(envelope.retry_reason !== undefined && { retryReason: envelope.retry_reason }),
      ack: async (response?: unknown) => {
        if (acked) return;
        acked = true;
        // On the connection that the click came by; if that is gone, on the next one, while Slack still waits.
        const via = by.isOpen ? by : await within(clock, ACKS_WITHIN_MS, this.#arrival.promise, by);
        via.acknowledge(envelope, response);
        resolve();
      },
    };
    this.#app
      ?.processEvent(event)
      .catch((err: unknown) => log.error({ err }, 'Bolt could not process something'))
      .finally(resolve);
  }
}

function whyNotReached(why: string): string {
  const remedy = remedyFor(why);
  return remedy === undefined
    ? `Slack cannot be reached for a connection (${why})`
    : `Slack refuses a connection (${why}): ${remedy}`;
}

/** Reasons of Slack's `disconnect` frames that a person has to mend. */
const REMEDIES: Readonly<Record<string, string>> = {
  too_many_websockets: 'the app has more than 10 connections; end copies of the bot that nobody needs',
  link_disabled: "Socket Mode is switched off; switch it on in the app's settings",
};

function remedyFor(why: string): string | undefined {
  return Object.hasOwn(REMEDIES, why) ? REMEDIES[why] : undefined;
}
