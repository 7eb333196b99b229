import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readAct } from './act-schema.ts';
import type { Bundle } from './bundle.ts';
import { createHub } from './hub.ts';
import { keepCopies, perform } from './perform.ts';
import { HOST, listenNear } from './ports.ts';
import type { Sandbox } from './start-sandbox.ts';
import type { ActResult } from './wire.ts';

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly port: number;
  readonly taken?: (port: number) => void;
}

const BODY_MAX_BYTES = 1_000_000;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Nothing may come from outside this machine, and nothing may frame it.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Proxy Desk sandbox</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231d3557'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="root"><noscript>This page needs JavaScript.</noscript></div></body>
</html>
`;

/** Serves the page to this machine only. What happens is pushed as server-sent events; what somebody does comes as POST /act. */
export async function servePage(sandbox: Sandbox, bundle: Promise<Bundle>, options: PageOptions): Promise<PageServer> {
  const hub = createHub(sandbox);
  const copies = keepCopies(sandbox.slack);
  let port = 0;
  const server = createServer((request, response) => {
    const why = mayAsk(request, port);
    if (why !== undefined) return send(response, 403, 'text/plain; charset=utf-8', `${why}\n`);
    route(request, response).catch((error: unknown) => {
      if (!response.headersSent) json(response, 500, { ok: false, error: String(error) });
      else response.destroy();
    });
  });
  port = await listenNear(server, options.port, options.taken ?? (() => {}));

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (request.method === 'POST' && path === '/act') {
      const read = readAct(JSON.parse(await readBody(request)));
      return json(response, read.ok ? 200 : 400, read.ok ? await perform(read.act, { sandbox, copies }) : read);
    }
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'no\n');
    switch (path) {
      case '/':
        return send(response, 200, 'text/html; charset=utf-8', HTML);
      case '/page.js':
        return send(response, 200, 'text/javascript; charset=utf-8', (await bundle).js);
      case '/page.css':
        return send(response, 200, 'text/css; charset=utf-8', (await bundle).css);
      case '/file':
        return giveFile(request, response);
      case '/events':
        return stream(response);
      default:
        return send(response, 404, 'text/plain', 'not found\n');
    }
  }

  /** A picture as it is; whatever else is saved, so that nothing of it runs in the page. */
  function giveFile(request: IncomingMessage, response: ServerResponse): void {
    const id = new URL(request.url ?? '', `http://${HOST}`).searchParams.get('id') ?? '';
    const found = sandbox.slack.files.get(id);
    if (!found?.bytes || !found.completed) {
      send(response, 404, 'text/plain', 'not found\n');
      return;
    }
    const isPicture = found.name.endsWith('.png');
    response.writeHead(200, {
      ...HEADERS,
      'content-type': isPicture ? 'image/png' : 'application/octet-stream',
      ...(isPicture ? {} : { 'content-disposition': `attachment; filename="${found.name.replace(/[^\w.-]/g, '_')}"` }),
    });
    response.end(found.bytes);
  }

  function stream(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    const push = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    push({ type: 'snapshot', snapshot: hub.snapshot() });
    response.on('close', hub.on(push));
  }

  return {
    url: `http://${HOST}:${port}/`,
    async close() {
      hub.close();
      copies.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type });
  response.end(body);
}

function json(response: ServerResponse, status: number, body: ActResult): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > BODY_MAX_BYTES) throw new Error('too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Why a request is refused; undefined when it may pass. Listening on loopback is not enough: a web page somewhere may point a
 * name of its own at 127.0.0.1 (DNS rebinding), or post to us across origins. The first shows in Host, the second in Origin.
 */
function mayAsk(request: Pick<IncomingMessage, 'headers' | 'method' | 'socket'>, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const { host, origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (!isLoopback(request.socket.remoteAddress)) return 'The sandbox answers this machine only';
  if (host === undefined || !hosts.includes(host)) return `The sandbox answers only as ${hosts[0]}`;
  if (origin !== undefined && origin !== `http://${host}`) return 'The sandbox answers only its own page';
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'The sandbox answers only its own page';
  if (request.method === 'POST' && request.headers['content-type'] !== 'application/json') return 'Only JSON is taken';
  return undefined;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:127\.|::1$|::ffff:127\.)/.test(address);
}
