import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector of OpenTelemetry's on loopback: takes what it is sent, refuses it, or says nothing. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  behaviour: 'take' | 'refuse' | 'hang';
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: Buffer;
  }[];
  /** Of what came as JSON. */
  readonly spans: readonly Span[];
  /** Of the first export. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export async function startCollector(): Promise<Collector> {
  const requests: { path: string; headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const sockets = new Set<Socket>();
  const exports = () =>
    requests
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString()) as Export);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (collector.behaviour === 'hang') return;
    response.writeHead(collector.behaviour === 'take' ? 200 : 403, { 'content-type': 'application/json' });
    response.end(collector.behaviour === 'take' ? '{}' : '{"message":"not for you"}');
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    behaviour: 'take',
    requests,
    get spans() {
      return exports().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      );
    },
    get resource() {
      return attributesOf(exports()[0]?.resourceSpans[0]?.resource ?? { attributes: [] });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

export function attributesOf({ attributes }: Pick<Span, 'attributes'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
