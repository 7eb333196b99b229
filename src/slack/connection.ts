import type { Logger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import { clientOptions } from './client.ts';

export interface ConnectionDeps {
  readonly appToken: string;
  readonly slackApiUrl: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly receive: (envelope: Envelope, connection: Connection) => void;
}

/** One delivery of Slack's, to be acknowledged. */
export interface Envelope {
  readonly envelope_id: string;
  readonly body: Record<string, unknown>;
  readonly retry_num?: number;
  readonly retry_reason?: string;
}

/** Why a connection has to be replaced. `stays`: Slack leaves it open for the moment. */
export interface Parting {
  readonly why: string;
  readonly stays: boolean;
}

const GONE: Parting = { why: 'the connection was closed', stays: false };

/** Reasons of routine refreshes. After any other (`too_many_websockets`, `link_disabled`) the connection is closed at once. */
const REFRESHES = new Set(['warning', 'refresh_requested']);

/** From `apps.connections.open` to Slack's hello; the call alone has 10 s. */
const CONNECT_WITHIN_MS = 30_000;
const ASK_WITHIN_MS = 10_000;

/** The library's default of 5 s ends sound connections on a busy machine. */
const PONG_WITHIN_MS = 15_000;

/** Slack leaves TCP open after its close frame, and the library reports nothing until TCP ends: so we look ourselves. */
const LOOK_EVERY_MS = 1_000;

/** For Slack's close frame. TCP stays open after it, so the socket is destroyed then. */
const GOODBYE_WITHIN_MS = 1_000;

/** Slack waits this long for an ack. */
export const ACKS_WITHIN_MS = 3_000;

/** One WebSocket to Slack, from the call for its address to its end. It is not used again. */
export class Connection {
  /** Resolves when another connection is needed. */
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

  /** Connections of this app at Slack's hello, this one among them; undefined where Slack does not tell. */
  get count(): number | undefined {
    return this.#client.count;
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
      // A connection that opens after all is closed: nobody listens on it.
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

  /** @throws when the connection is no longer open. */
  acknowledge({ envelope_id }: Envelope, response: unknown): void {
    const { websocket } = this.#client;
    if (!websocket?.isActive()) throw new Error('no connection to Slack: an ack could not be sent');
    const payload = typeof response === 'string' ? { text: response } : (response ?? {});
    websocket.send(JSON.stringify({ envelope_id, payload }), (error) => {
      if (error) throw error;
    });
  }

  /** The connection is kept until this resolves: an ack is still to be sent. */
  waitsFor(answered: Promise<void>): void {
    this.#unanswered.add(answered);
    void answered.then(() => this.#unanswered.delete(answered));
  }

  /** Leaves once Slack has closed the connection, after `ms`, or when `signal` aborts. */
  async retire(ms: number, signal: AbortSignal): Promise<void> {
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, this.#gone.signal]));
    await this.leave();
  }

  /** Closes the connection when no ack is owed on it. */
  async leave(): Promise<void> {
    const { clock } = this.#deps;
    if (this.isOpen) await within(clock, ACKS_WITHIN_MS, this.#answered(), undefined);
    const parted = this.#client.disconnect();
    await within(clock, GOODBYE_WITHIN_MS, parted, undefined);
    // A second call destroys a socket that is still closing, and clears the timers of one that is closed.
    this.#client.websocket?.disconnect();
    await parted;
  }

  async #answered(): Promise<void> {
    do {
      await Promise.all(this.#unanswered);
      // Frames that have just arrived reach their listeners in this turn.
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

/** Slack's client, except that it passes `disconnect` frames on instead of closing the connection at once. */
class Client extends SocketModeClient {
  readonly #logger: Logger;
  readonly #told: (why: string) => void;
  count: number | undefined;

  constructor({ appToken, slackApiUrl, logger }: ConnectionDeps, told: (why: string) => void) {
    super({
      appToken,
      logger: withoutRepeats(logger),
      autoReconnectEnabled: false,
      clientPingTimeout: PONG_WITHIN_MS,
      clientOptions: { ...clientOptions(slackApiUrl), timeout: ASK_WITHIN_MS },
    });
    this.#logger = logger;
    this.#told = told;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const frame = typeof data === 'string' ? ofInterest(data) : undefined;
    if (frame?.['type'] === 'disconnect') return this.#told(String(frame['reason']));
    if (frame?.['type'] === 'hello') this.count = Number(frame['num_connections']) || undefined;
    try {
      await super.onWebSocketMessage(data, isBinary);
    } catch (error) {
      // The library throws on an `events_api` frame without an event, where nobody catches it.
      this.#logger.error(`Slack's client could not read a frame: ${String(error)}`);
    }
  }
}

/** Frames about the connection itself; of others the library takes care. */
function ofInterest(frame: string): Record<string, unknown> | undefined {
  if (!/"(?:disconnect|hello)"/.test(frame)) return undefined;
  try {
    return JSON.parse(frame) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The library logs this at each try; `socket.ts` logs it once, and names the setting. */
const TRIED_IN_VAIN = 'Failed to retrieve a new WSS URL';

function withoutRepeats(logger: Logger): Logger {
  return {
    ...logger,
    error: (...parts) => (String(parts[0]).startsWith(TRIED_IN_VAIN) ? logger.debug(...parts) : logger.error(...parts)),
  };
}
