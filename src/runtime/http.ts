import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpConfig } from '../config/environment.ts';
import { type Problem, problemLine } from '../config/problem.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Metrics } from './metrics.ts';

export interface HttpDeps extends HttpConfig {
  readonly log: Log;
  /** Why a command would not be answered now; undefined when it would. */
  readonly trouble: () => Promise<string | undefined>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'refusedRequest'>;
  /** Slack's requests, in HTTP mode; undefined until they can be answered. */
  readonly slack?: () => RequestListener | undefined;
}

export interface HttpServer {
  readonly port: number;
  /** Null where the metrics have no listener of their own. */
  readonly metricsPort: number | null;
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

/** Serves health and metrics, and in HTTP mode Slack's requests. @throws when a port or the address cannot be had. */
export async function serveHttp(deps: HttpDeps): Promise<HttpServer> {
  const main = await listen(deps, deps.port, route);
  if (deps.metricsPort === null) return { port: portOf(main), metricsPort: null, close: () => close(main) };
  try {
    const own = await listen(deps, deps.metricsPort, onlyMetrics);
    return {
      port: portOf(main),
      metricsPort: portOf(own),
      close: async () => void (await Promise.all([close(main), close(own)])),
    };
  } catch (error) {
    await close(main);
    throw error;
  }
}

type Route = (deps: HttpDeps, request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function listen(deps: HttpDeps, port: number, answer: Route): Promise<Server> {
  const times = { keepAliveTimeout: KEPT_ALIVE_MS, headersTimeout: HEADERS_WITHIN_MS };
  const server = createServer(times, (request, response) => {
    answer(deps, request, response).catch((err: unknown) => {
      deps.log.error({ err, path: request.url }, 'a request could not be answered');
      if (!response.headersSent) plain(response, 500, 'error');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, deps, port)));
    server.listen({ port, ...(deps.host !== null && { host: deps.host }) }, resolve);
  });
  return server;
}

/** Where it should listen, it cannot. */
export class CannotListen extends Error {
  readonly problem: Problem;
  /** A restart may mend it. */
  readonly passing: boolean;

  constructor(problem: Problem, passing: boolean) {
    super(problemLine(problem));
    this.name = 'CannotListen';
    this.problem = problem;
    this.passing = passing;
  }
}

function cannotListen(error: NodeJS.ErrnoException, { host, metricsPort }: HttpConfig, port: number): Error {
  const key = port === metricsPort ? 'METRICS_PORT' : 'PORT';
  switch (error.code) {
    // What listens there may end: the process before this one, for one.
    case 'EADDRINUSE':
      return new CannotListen(
        { key, problem: `is ${port}, which is taken`, remedy: 'choose another port, or end what listens there' },
        true,
      );
    case 'EACCES':
      return new CannotListen(
        { key, problem: `is ${port}, on which this user may not listen`, remedy: 'choose one from 1024 on' },
        false,
      );
    // A network that comes up late has it then.
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return new CannotListen(
        {
          key: 'HOST',
          problem: `is ${host}, which is no address of this machine`,
          remedy: 'set one that it has, or leave it out to listen on all',
        },
        true,
      );
    default:
      return error;
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
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
      return deps.metricsPort === null ? tellMetrics(deps, response) : plain(response, 404, 'not found');
    default:
      return plain(response, 404, 'not found');
  }
}

const onlyMetrics: Route = async (deps, request, response) =>
  request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    ? tellMetrics(deps, response)
    : plain(response, 404, 'not found');

async function tellMetrics({ metrics }: HttpDeps, response: ServerResponse): Promise<void> {
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  response.end(text);
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
    deps.metrics.refusedRequest('time');
    return plain(response, 401, 'too old or too new');
  }
  // Bolt answers so to a request that Slack has not signed.
  response.once('finish', () => response.statusCode === 401 && deps.metrics.refusedRequest('signature'));
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
