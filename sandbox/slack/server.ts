import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../src/loopback.ts';
import type { Clock } from '../../src/purchasing/ports/clock.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createApi, playFaults } from './api/index.ts';
import type { Core, Tokens } from './core.ts';
import type { HttpAnswer } from './delivery/http.ts';
import { type Courier, createCourier, type Forgery } from './delivery/index.ts';
import { createSockets, type Sockets } from './delivery/socket.ts';
import { createFaults, type Faults } from './faults.ts';
import { createFeed, type Feed } from './feed.ts';
import { type Files, takeBytes } from './files.ts';
import { createHands, type Hands } from './hands.ts';
import { createIds } from './ids.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { findPerson } from './people.ts';
import { answerResponseUrl } from './response-urls.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { ApiCall, Delivery, State, Violation } from './types.ts';
import { createState, createWorld, type World, type WorldOptions } from './world.ts';

export interface SlackOptions extends WorldOptions {
  /** Loopback only. */
  host?: string;
  port?: number;
  tokens?: Partial<Tokens>;
  settings?: Partial<Settings>;
  /** HTTP mode from the start; otherwise Socket Mode, or set it later with `deliverTo`. */
  eventsUrl?: string;
  /** Milliseconds; rules triggers, response_urls and timestamps of messages. */
  now?: () => number;
  /** Rules how long acknowledgements and delayed answers take. */
  clock?: Clock;
  /** Milliseconds; rules the rate limits of `settings.enforceTiers`: give the app's own clock where it has one. */
  paceNow?: () => number;
}

export interface LocalSlack {
  /** For `clientOptions.slackApiUrl`. */
  readonly apiUrl: string;
  readonly origin: string;
  readonly tokens: Tokens;
  readonly settings: Settings;
  /** Live, plain data: `structuredClone(slack.state)` is a snapshot. */
  readonly state: State;
  /** What the app has uploaded, by its id. */
  readonly files: Files;
  readonly world: World;
  readonly faults: Faults;
  readonly sockets: Pick<Sockets, 'count' | 'disconnect' | 'hangUp' | 'drop' | 'loseNext' | 'releaseTcp' | 'raw'>;
  readonly interactions: Interactions;
  readonly calls: ApiCall[];
  readonly deliveries: Delivery[];
  readonly violations: Violation[];
  on: Feed['on'];
  stream: Feed['stream'];
  /** By either id of the person. */
  as: (user: string) => Hands;
  callsTo: (method: string) => ApiCall[];
  /** Calls that Slack itself refused (`ok: false`), also those that are no violation, such as a hash_conflict in a race. */
  refusals: (code?: string) => ApiCall[];
  inFlight: () => number;
  peakInFlight: () => number;
  /** HTTP mode with this URL; null: Socket Mode. */
  deliverTo: (eventsUrl: string | null) => void;
  /** As an admin saves it in the app's settings: taken (true) only if the app there answers Slack's signed challenge. */
  saveRequestUrl: (eventsUrl: string) => Promise<boolean>;
  /** Any payload, delivered as Slack delivers (signed, or in an envelope); its acknowledgement is recorded, not applied. */
  deliver: Courier['send'];
  redeliver: Courier['again'];
  forge: (forgery: Forgery) => Promise<HttpAnswer>;
  sendEvent: (type: string, event: Record<string, unknown>) => Promise<Delivery | null>;
  /** Hands out the violations so far and forgets them: for tests that provoke some. */
  takeViolations: () => Violation[];
  close: () => Promise<void>;
}

const BODY_MAX_BYTES = 2_000_000;

function requireLoopback(host: string): string {
  if (!isLoopback(host)) throw new Error(`The local Slack serves and calls loopback addresses only, not ${host}`);
  return host;
}

function loopback(url: string): string {
  requireLoopback(new URL(url).hostname);
  return url;
}

export async function startSlack(options: SlackOptions = {}): Promise<LocalSlack> {
  const host = requireLoopback(options.host ?? '127.0.0.1');
  const random = () => randomBytes(12).toString('hex');
  const core: Core = {
    state: createState(options),
    settings: { ...defaultSettings(), ...options.settings },
    tokens: {
      bot: `xoxb-${random()}`,
      app: `xapp-1-${random()}`,
      signingSecret: random(),
      verification: random(),
      ...options.tokens,
    },
    ids: createIds(),
    feed: createFeed(),
    faults: createFaults(),
    files: new Map(),
    calls: [],
    deliveries: [],
    violations: [],
    now: options.now ?? Date.now,
    clock: options.clock ?? systemClock,
    paceNow: options.paceNow ?? Date.now,
    origin: '',
  };
  const closing = new AbortController();
  const sockets = createSockets(core);
  const courier = createCourier(core, sockets, closing.signal);
  const interactions = createInteractions(core, courier);
  const api = createApi(core, sockets.issueTicket, closing.signal);

  const route = async (req: IncomingMessage, res: ServerResponse) => {
    const bytes = await readBody(req);
    const raw = bytes.toString();
    const [, area, name = ''] = new URL(req.url ?? '/', core.origin).pathname.split('/');
    if (area === 'api') return api.handle(name, req, raw, res);
    if (area !== 'response' && area !== 'upload') return void res.writeHead(404).end();
    const call: ApiCall = {
      method: area === 'upload' ? 'upload' : 'response_url',
      args: { id: name },
      at: core.now(),
      tokenKind: 'none',
      rawBody: area === 'upload' ? '' : raw,
    };
    core.calls.push(call);
    core.feed.emit({ type: 'api_call', call });
    await playFaults(core, call, res, closing.signal, () =>
      area === 'upload' ? { status: takeBytes(core, name, bytes), body: 'OK' } : answerResponseUrl(core, name, raw),
    );
    core.feed.emit({ type: 'api_answered', call });
  };
  const server = createServer((req, res) => {
    route(req, res).catch((error: unknown) => {
      // A bug of the sandbox must fail the test loudly, not look like a bug of the app.
      core.violations.push({
        what: `sandbox failed: ${String(error)}`,
        where: req.url ?? '',
        excerpt: '',
        at: core.now(),
      });
      if (!res.headersSent) res.writeHead(500);
      res.end();
    });
  });
  server.on('upgrade', sockets.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port, family, address } = server.address() as AddressInfo;
  core.origin = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

  const deliverTo = (url: string | null) => {
    courier.eventsUrl = url && loopback(url);
  };
  deliverTo(options.eventsUrl ?? null);

  const people = new Map<string, Hands>();
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    core.feed.close();
    await sockets.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    apiUrl: `${core.origin}/api/`,
    origin: core.origin,
    tokens: core.tokens,
    settings: core.settings,
    state: core.state,
    files: core.files,
    world: createWorld(core, interactions.event),
    faults: core.faults,
    sockets,
    interactions,
    calls: core.calls,
    deliveries: core.deliveries,
    violations: core.violations,
    on: core.feed.on,
    stream: core.feed.stream,
    as(user) {
      const id = findPerson(core.state, user)?.id ?? user;
      const known = people.get(id) ?? createHands(core, interactions, id);
      people.set(id, known);
      return known;
    },
    callsTo: (method) => core.calls.filter((call) => call.method === method),
    refusals: (code) =>
      core.calls.filter(({ answer }) => answer?.['ok'] === false && (code === undefined || answer['error'] === code)),
    inFlight: api.inFlight,
    peakInFlight: api.peakInFlight,
    deliverTo,
    async saveRequestUrl(url) {
      const isRight = await courier.verifies(loopback(url));
      if (isRight) deliverTo(url);
      return isRight;
    },
    deliver: courier.send,
    redeliver: courier.again,
    forge: courier.forge,
    sendEvent: interactions.event,
    takeViolations: () => core.violations.splice(0),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > BODY_MAX_BYTES) throw new Error('request body too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
