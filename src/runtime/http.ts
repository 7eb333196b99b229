import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../purchasing/ports/log.ts';

export interface HttpDeps {
  readonly port: number;
  readonly log: Log;
  /** Why a command would not be answered now; undefined when it would. */
  readonly trouble: () => Promise<string | undefined>;
  readonly metrics: () => Promise<string>;
  /** Slack's requests, in HTTP mode; undefined until they can be answered. */
  readonly slack?: () => RequestListener | undefined;
}

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

const SLACK_PATH = '/slack/events';

/** How old, and how far in the future, a request's timestamp may be, in seconds. Bolt checks its age alone. */
const OLDEST_S = 5 * 60;
const NEWEST_S = 60;

/** Longer than a load balancer keeps idle connections (60 s): the other side must not close one that is just being used. */
const KEPT_ALIVE_MS = 75_000;

/** Node asks for more than `keepAliveTimeout`. */
const HEADERS_WITHIN_MS = KEPT_ALIVE_MS + 5_000;

/** While the server stops, idle connections are closed this often: else they hold up the stop. */
const CLOSE_IDLE_EVERY_MS = 100;

/** Serves health and metrics, and in HTTP mode Slack's requests. @throws when the port is taken. */
export async function serveHttp(deps: HttpDeps): Promise<HttpServer> {
  const times = { keepAliveTimeout: KEPT_ALIVE_MS, headersTimeout: HEADERS_WITHIN_MS };
  const server = createServer(times, (request, response) => {
    route(deps, request, response).catch((err: unknown) => {
      deps.log.error({ err, path: request.url }, 'a request could not be answered');
      if (!response.headersSent) plain(response, 500, 'error');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function route(deps: HttpDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?')[0];
  if (path === SLACK_PATH && deps.slack) return answerSlack(deps, deps.slack(), request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(response, 404, 'not found');
  switch (path) {
    case '/healthz':
      return plain(response, 200, 'ok');
    case '/readyz': {
      const trouble = await deps.trouble();
      return trouble === undefined ? plain(response, 200, 'ready') : plain(response, 503, trouble);
    }
    case '/metrics':
      return plain(response, 200, await deps.metrics());
    default:
      return plain(response, 404, 'not found');
  }
}

async function answerSlack(
  deps: HttpDeps,
  listener: RequestListener | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!listener || request.method !== 'POST') return plain(response, listener ? 404 : 503, 'not now');
  const age = Date.now() / 1000 - Number(request.headers['x-slack-request-timestamp']);
  if (age > OLDEST_S || age < -NEWEST_S) {
    deps.log.warn({ ageSeconds: Math.round(age) }, "a request was refused by its time: is this machine's clock right?");
    return plain(response, 401, 'too old or too new');
  }
  listener(request, response);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

async function close(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(idle);
}
