import type { IncomingMessage } from 'node:http';

/**
 * Why a request is refused; undefined when it may pass. Listening on loopback is not enough: a web page somewhere may point a
 * name of its own at 127.0.0.1 (DNS rebinding), or post to us across origins. The first shows in Host, the second in Origin.
 */
export function mayAsk(
  request: Pick<IncomingMessage, 'headers' | 'method' | 'socket'>,
  port: number,
): string | undefined {
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
