import type { MisbehaviourName } from './misbehaviours.ts';

/** One request as bytes on the wire, kept from its first byte on. */
export type RawRequest = {
  readonly id: number;
  /** Which connection it came on: two requests with the same number shared one. */
  readonly connection: number;
  readonly at: number;
  /** Every byte so far, head included, one character a byte. */
  raw: string;
  /** The whole head and body are here. */
  complete: boolean;
  /** What the vendor was told to do with it; absent until the request is complete. */
  played?: MisbehaviourName;
  /** The bytes sent back, one character a byte, and how it ended; absent while nothing was sent. */
  answer?: string;
};

export type ParsedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** How many bytes the request at the start of the text has, or `undefined` while it is not all there. */
export function lengthOfRequest(raw: string): number | undefined {
  const head = raw.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = Number(/\r\ncontent-length: *([0-9]+)\r\n/i.exec(raw.slice(0, head + 4))?.[1] ?? '0');
  return raw.length >= head + 4 + length ? head + 4 + length : undefined;
}

export function parseRequest(raw: string): ParsedRequest {
  const head = raw.indexOf('\r\n\r\n');
  const [requestLine = '', ...lines] = raw.slice(0, head).split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { method, path, headers, body: Buffer.from(raw.slice(head + 4), 'latin1').toString('utf8') };
}
