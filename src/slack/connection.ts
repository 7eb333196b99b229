import type { Logger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Clock } from '../purchasing/ports/clock.ts';
import { within } from '../purchasing/within.ts';

export interface ConnectionDeps {
  readonly appToken: string;
  readonly slackApiUrl: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly receive: (envelope: Envelope, connection: Connection) => void;
}

/** What Slack sends to be acknowledged. */
export interface Envelope {
  readonly envelope_id: string;
  readonly body: Record<string, unknown>;
  readonly retry_num?: number;
  readonly retry_reason?: string;
}

/** Why a connection is to be replaced; `stays` where Slack leaves the old one open for the moment. */
export interface Parting {
  readonly why: string;
  readonly stays: boolean;
}

const GONE: Parting = { why: 'the connection was closed', stays: false };

/** Slack announces its routine refreshes so; any other reason (`too_many_websockets`, `link_disabled`) wants the connection closed. */
const REFRESHES = new Set(['warning', 'refresh_requested']);

/** From asking for an address to Slack's hello. Asking alone has 10 s. */
const CONNECT_WITHIN_MS = 30_000;
const ASK_WITHIN_MS = 10_000;

/** A pong that is 5 s late is a busy moment; three times that is a dead line. */
const PONG_WITHIN_MS = 15_000;

/** After Slack's close frame the socket client reports nothing until TCP ends, which Slack leaves open. */
const LOOK_EVERY_MS = 1_000;

/** Slack answers the closing handshake at once, and then leaves TCP open. */
const GOODBYE_WITHIN_MS = 1_000;

/** Slack waits no longer for an ack. */
export const ACKS_WITHIN_MS = 3_000;

/** One WebSocket to Slack, from the call for its address to the end. It is never connected a second time. */
export class Connection {
  /** Resolves when another one is needed. */
  readonly parting: Promise<Parting>;
  readonly #deps: ConnectionDeps;
  readonly #client: Client;
  readonly #part: (parting: Parting) => void;
  readonly #gone = new AbortController();
  readonly #unanswered = new Set<Promise<void>>();

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    const { promise, resolve } = Promise.withResolvers<Parting>();
    this.parting = promise;
    this.#part = resolve;
    this.#client = new Client(deps, (why) => resolve({ why, stays: REFRESHES.has(why) }));
    this.#client.on('disconnected', () => this.#end());
    this.#client.on('slack_event', (envelope: Envelope) => deps.receive(envelope, this));
  }

  get isOpen(): boolean {
    return this.#client.websocket?.isActive() ?? false;
  }

  /** Resolves at Slack's hello. @throws what kept it from coming. */
  async connect(signal: AbortSignal): Promise<void> {
    const settled = new AbortController();
    const given = this.#deps.clock.sleep(CONNECT_WITHIN_MS, AbortSignal.any([signal, settled.signal]));
    const started = this.#client.start();
    try {
      await Promise.race([
        started,
        this.parting.then(({ why }) => Promise.reject(new NotConnected(why))),
        given.then(() => Promise.reject(new NotConnected('no hello in time'))),
      ]);
    } catch (error) {
      void this.leave();
      // A hello that comes after all would be a connection that nobody listens to.
      started.then(
        () => this.leave(),
        () => undefined,
      );
      throw error;
    } finally {
      settled.abort();
    }
    void this.#watch();
  }

  /** @throws where it is no longer open. */
  acknowledge({ envelope_id }: Envelope, response: unknown): void {
    const { websocket } = this.#client;
    if (!websocket?.isActive()) throw new Error('no connection to Slack: an ack could not be sent');
    const payload = typeof response === 'string' ? { text: response } : (response ?? {});
    websocket.send(JSON.stringify({ envelope_id, payload }), (error) => {
      if (error) throw error;
    });
  }

  /** Somebody waits for an ack until this resolves. */
  waitsFor(answered: Promise<void>): void {
    this.#unanswered.add(answered);
    void answered.then(() => this.#unanswered.delete(answered));
  }

  /** Leaves when Slack has closed its side, or after `ms`; sooner where `signal` says so. */
  async retire(ms: number, signal: AbortSignal): Promise<void> {
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, this.#gone.signal]));
    await this.leave();
  }

  /** Closes it, at a moment when nobody waits for an ack: that goes over the connection that the click came by. */
  async leave(): Promise<void> {
    const { clock } = this.#deps;
    if (this.isOpen) await within(clock, ACKS_WITHIN_MS, this.#answered(), undefined);
    const parted = this.#client.disconnect();
    await within(clock, GOODBYE_WITHIN_MS, parted, undefined);
    // Closed once more, a socket that is still closing is destroyed, and one that is closed loses the last of its timers.
    this.#client.websocket?.disconnect();
    await parted;
  }

  async #answered(): Promise<void> {
    do {
      await Promise.all(this.#unanswered);
      // What has arrived meanwhile is on its way to its listener.
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#unanswered.size > 0);
  }

  async #watch(): Promise<void> {
    while (this.isOpen) await this.#deps.clock.sleep(LOOK_EVERY_MS, this.#gone.signal);
    this.#part(GONE);
  }

  #end(): void {
    if (this.isOpen) return;
    this.#gone.abort();
    this.#part(GONE);
  }
}

class NotConnected extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`no connection to Slack: ${code}`);
    this.code = code;
  }
}

/** Slack's client, except that a `disconnect` is passed on: on its own it would close the connection before there is another. */
class Client extends SocketModeClient {
  readonly #logger: Logger;
  readonly #told: (why: string) => void;

  constructor({ appToken, slackApiUrl, logger }: ConnectionDeps, told: (why: string) => void) {
    super({
      appToken,
      logger: withoutRepeats(logger),
      autoReconnectEnabled: false,
      clientPingTimeout: PONG_WITHIN_MS,
      clientOptions: { slackApiUrl, timeout: ASK_WITHIN_MS, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } },
    });
    this.#logger = logger;
    this.#told = told;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const why = typeof data === 'string' ? reasonToLeave(data) : undefined;
    if (why !== undefined) return this.#told(why);
    try {
      await super.onWebSocketMessage(data, isBinary);
    } catch (error) {
      // An `events_api` frame without an event is enough.
      this.#logger.error(`Slack's client could not read a frame: ${String(error)}`);
    }
  }
}

function reasonToLeave(frame: string): string | undefined {
  if (!frame.includes('"disconnect"')) return undefined;
  try {
    const { type, reason }: Record<string, unknown> = JSON.parse(frame);
    return type === 'disconnect' ? String(reason) : undefined;
  } catch {
    return undefined;
  }
}

/** The client's own line at each try; ours says it once, and names the setting. */
const TRIED_IN_VAIN = 'Failed to retrieve a new WSS URL';

function withoutRepeats(logger: Logger): Logger {
  return {
    ...logger,
    error: (...parts) => (String(parts[0]).startsWith(TRIED_IN_VAIN) ? logger.debug(...parts) : logger.error(...parts)),
  };
}
