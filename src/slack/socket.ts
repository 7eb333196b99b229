import type { App, Logger, Receiver, ReceiverEvent } from '@slack/bolt';
import { whenAborted } from '../aborted.ts';
import { backoff, type Clock, within } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';
import { ACKS_WITHIN_MS, Connection, type Envelope, type Parting } from './connection.ts';
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

/** Those who are connected may leave too; and where two have left at once, one of them has to see it. */
const LOOK_AGAIN_AFTER_MS = 60_000;

interface Aside {
  readonly why: string;
  readonly back: AbortController;
  stayed: boolean;
}

const ASIDE: Parting = { why: 'it cannot serve anybody now', stays: true };

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
  readonly #lasting: Lasting;
  /** Resolves when this process is to step aside. */
  #toStepAside = Promise.withResolvers<Parting>();
  #aside: Aside | undefined;

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.#lasting = new Lasting(deps.clock);
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

  /** How many connections the app had when this process got its own, that one among them; undefined where Slack does not tell. */
  get connections(): number | undefined {
    return this.#current?.count;
  }

  /**
   * Leaves Slack as long as others are connected to it, so that they get what people do; asked of Slack itself, since whoever cannot
   * use the ledger cannot tell whether the others can.
   */
  stepAside(why: string): void {
    if (this.#aside) return;
    this.#aside = { why, back: new AbortController(), stayed: false };
    this.#toStepAside.resolve(ASIDE);
  }

  comeBack(): void {
    this.#aside?.back.abort();
    this.#aside = undefined;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #supervise(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    let old: Connection | undefined;
    for (let shortLived = 0; !signal.aborted; ) {
      // Slack counts what has not gone yet.
      if (this.#aside) await Promise.all(this.#leaving);
      const connection = await this.#connect();
      if (connection && (await this.#leavesToOthers(connection, old))) {
        old = undefined;
        continue;
      }
      if (old) this.#retire(old, this.#aside ? 0 : OLD_STAYS_MS);
      old = undefined;
      if (!connection) break;
      const since = clock.monotonic();
      using stopped = whenAborted(signal);
      const parting = await Promise.race([connection.parting, stopped.promise, this.#toLookAround(connection)]);
      this.#current = undefined;
      this.#arrival = Promise.withResolvers();
      if (parting?.stays) old = connection;
      else this.#retire(connection, 0);
      if (!parting) break;
      if (parting === ASIDE) continue;
      const remedy = remedyFor(parting.why);
      if (remedy === undefined) log.info({ why: parting.why }, 'Slack wants another connection');
      else log.warn({ why: parting.why }, `Slack has ended the connection: ${remedy}`);
      shortLived = clock.monotonic() - since < STEADY_AFTER_MS ? shortLived + 1 : 0;
      if (shortLived > 1) await clock.sleep(backoff(shortLived - 2, RETRY_FIRST_MS, RETRY_AT_MOST_MS), signal);
    }
    if (old) this.#retire(old, 0);
    await Promise.all(this.#leaving);
  }

  /** Resolves when it is to step aside; where it had to stay, when it is to look again. */
  async #toLookAround({ parting }: Connection): Promise<Parting> {
    if (!this.#aside) return this.#toStepAside.promise;
    const parted = new AbortController();
    void parting.then(() => parted.abort());
    await this.#lookAgain(this.#aside, parted.signal);
    return ASIDE;
  }

  async #lookAgain({ back }: Aside, sooner = this.#stop.signal): Promise<void> {
    const { clock } = this.#deps;
    await clock.sleep(LOOK_AGAIN_AFTER_MS, AbortSignal.any([this.#stop.signal, back.signal, sooner]));
  }

  /** Where it is to step aside and others are there: leaves, until it is to come back, or to look whether they still are. */
  async #leavesToOthers(connection: Connection, old: Connection | undefined): Promise<boolean> {
    const aside = this.#aside;
    this.#toStepAside = Promise.withResolvers();
    if (!aside || this.#stop.signal.aborted) return false;
    const { log } = this.#deps;
    const own = old?.isOpen ? 2 : 1;
    if (connection.count !== undefined && connection.count <= own) {
      if (!aside.stayed)
        log.warn({}, `${aside.why}, and nobody else is connected to Slack: this process stays, and tells people so`);
      aside.stayed = true;
      return false;
    }
    aside.stayed = false;
    this.#trouble = `${aside.why}: Slack is left to the other processes`;
    log.warn({ connections: connection.count }, this.#trouble);
    this.#current = undefined;
    this.#arrival = Promise.withResolvers();
    for (const mine of [old, connection]) if (mine) this.#retire(mine, 0);
    await this.#lookAgain(aside);
    return true;
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
        this.#lasting.end();
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

  /** Logs what lasts now and then, not at each try. */
  #say(trouble: SlackTrouble): void {
    const why =
      trouble.kind === 'refused'
        ? `Slack refuses SLACK_APP_TOKEN (${trouble.code})`
        : whyNotReached(trouble.kind === 'unreachable' ? trouble.why : trouble.kind);
    const news = this.#lasting.news(why);
    if (news) this.#deps.log.error({ ...trouble, ...news }, why);
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
