import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { FetchFunction } from '@slack/web-api';

type Answer = Awaited<ReturnType<FetchFunction>>;

/** Where whoever asks sets no end: nothing may come for so long. */
const SILENT_AT_MOST_MS = 30_000;

/**
 * For Slack's clients, in place of `fetch`: a text is sent, and the whole answer comes back. A click costs a call or two, and most of their
 * price is what `fetch` builds around each: streams, and an HTTP parser that is compiled while people wait and takes 15 MB.
 * Nothing is sent twice and no redirect is followed. A proxy is used as Node itself does (NODE_USE_ENV_PROXY).
 */
export const slackFetch: FetchFunction = async (address, init = {}) => {
  const { body = '', headers = {}, method = 'GET', signal } = init;
  // A file among the arguments, which nothing of ours gives.
  if (typeof body !== 'string') return fetch(address, init);
  const url = new URL(address);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(url, { method, headers, ...(signal && { signal }) });
  if (!signal) request.setTimeout(SILENT_AT_MOST_MS, () => request.destroy(new Error('no answer')));
  request.end(body);
  return answerTo(request, url.href);
};

function answerTo(request: ClientRequest, url: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  request.on('error', reject);
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('switches protocols in place of an answer'));
  });
  request.on('response', (message) => {
    const parts: Buffer[] = [];
    message.on('data', (part: Buffer) => parts.push(part));
    message.on('error', reject);
    message.on('end', () => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = message;
      const text = async () => Buffer.concat(parts).toString();
      resolve({
        status,
        statusText,
        ok: status >= 200 && status < 300,
        url,
        headers: headersOf(message.headers),
        text,
        json: async () => JSON.parse(await text()),
        arrayBuffer: async () => Uint8Array.from(Buffer.concat(parts)).buffer,
      });
    });
  });
  return promise;
}

function headersOf(received: IncomingHttpHeaders): Answer['headers'] {
  const textOf = (name: string) => [received[name] ?? []].flat().join(', ');
  return {
    get: (name) => (received[name.toLowerCase()] === undefined ? null : textOf(name.toLowerCase())),
    entries: () => Object.keys(received).map((name) => [name, textOf(name)]),
  };
}
