import { type Logger, SocketModeReceiver } from '@slack/bolt';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { within } from '../purchasing/within.ts';
import { troubleOf } from './errors.ts';

export interface SocketDeps {
  readonly appToken: string;
  readonly slackApiUrl: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly log: Log;
}

/** From asking for an address to Slack's hello. */
const CONNECT_WITHIN_MS = 30_000;

/** 1 s, 2 s, 4 s … 1 min; `apps.connections.open` is the most tightly limited call there is. */
const RETRY_FIRST_MS = 1_000;
const RETRY_AT_MOST_MS = 60_000;

/** Slack refreshes a connection after hours. One that lives shorter may end like the one before: the second in a row waits. */
const STEADY_AFTER_MS = 10_000;

/** The client's own line at each try; ours says it once, and names the setting. */
const TRIED_IN_VAIN = 'Failed to retrieve a new WSS URL';

/** Slack keeps the TCP connection open after it said goodbye. */
const GOODBYE_WITHIN_MS = 8_000;

/**
 * Socket Mode, connected as long as it is wanted. Reconnecting is ours: the client's own waits 5 s at each of Slack's routine
 * refreshes, and ends in a rejection that nobody can catch when `apps.connections.open` fails.
 */
export class SlackSocket {
  readonly receiver: SocketModeReceiver;
  readonly #deps: SocketDeps;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #connected = Promise.withResolvers<void>();
  #trouble: string | undefined = 'not connected yet';

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.receiver = new SocketModeReceiver({
      appToken: deps.appToken,
      logger: withoutRepeats(deps.logger),
      autoReconnectEnabled: false,
      // A pong that is 5 s late is a busy moment; three times that is a dead line.
      clientPingTimeout: 15_000,
      installerOptions: {
        clientOptions: { slackApiUrl: deps.slackApiUrl, timeout: 10_000, retryConfig: { retries: 0 } },
      },
    });
  }

  start(): void {
    this.#running = this.#supervise();
  }

  /** Resolves at the first connection, or when stopped. */
  connected(): Promise<void> {
    return this.#connected.promise;
  }

  /** Why no click would arrive now; undefined when connected. */
  trouble(): string | undefined {
    return this.receiver.client.websocket?.isActive() ? undefined : (this.#trouble ?? 'reconnecting to Slack');
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#connected.resolve();
    const { client } = this.receiver;
    const goodbye = client.disconnect().catch(() => undefined);
    await within(this.#deps.clock, GOODBYE_WITHIN_MS, goodbye, undefined);
    await this.#running;
  }

  async #supervise(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    for (let failures = 0, shortLived = 0; !signal.aborted; ) {
      try {
        let connectedAt = 0;
        await this.#untilDisconnected(() => {
          failures = 0;
          connectedAt = clock.monotonic();
          this.#trouble = undefined;
          this.#connected.resolve();
          log.info({}, 'connected to Slack');
        });
        if (signal.aborted) return;
        log.info({}, 'Slack ended the connection; reconnecting');
        shortLived = clock.monotonic() - connectedAt < STEADY_AFTER_MS ? shortLived + 1 : 0;
        if (shortLived > 1) await clock.sleep(backoff(shortLived - 2), signal);
      } catch (error) {
        if (signal.aborted) return;
        const trouble = troubleOf(error);
        const why = trouble.kind === 'refused' ? trouble.code : trouble.kind;
        // One line for one trouble, not one for each try.
        if (this.#trouble !== why)
          log.error({ ...trouble }, `Slack cannot be reached (${why}): SLACK_APP_TOKEN, or the network`);
        this.#trouble = why;
        const wait = backoff(failures);
        failures += 1;
        await clock.sleep(
          Math.max(wait, trouble.kind === 'rate_limited' ? trouble.retryAfterSeconds * 1000 : 0),
          signal,
        );
      }
    }
  }

  async #untilDisconnected(connected: () => void): Promise<void> {
    const { client } = this.receiver;
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    client.once('disconnected', leave);
    const settled = new AbortController();
    const late = this.#deps.clock.sleep(CONNECT_WITHIN_MS, settled.signal).then(() => {
      if (!settled.signal.aborted) throw new Error('no hello from Slack in time');
    });
    try {
      await Promise.race([client.start(), late]);
    } catch (error) {
      client.off('disconnected', leave);
      client.websocket?.disconnect();
      throw error;
    } finally {
      settled.abort();
    }
    connected();
    await gone;
  }
}

function backoff(failures: number): number {
  return Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_AT_MOST_MS);
}

function withoutRepeats(logger: Logger): Logger {
  return {
    ...logger,
    error: (...parts) => (String(parts[0]).startsWith(TRIED_IN_VAIN) ? logger.debug(...parts) : logger.error(...parts)),
  };
}
