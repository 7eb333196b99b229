import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { Dict } from '../json.ts';
import type { DeliveryKind } from '../types.ts';

export interface HttpAnswer {
  status: number;
  contentType: string;
  text: string;
}

export interface SignedRequest {
  body: string;
  headers: Record<string, string>;
}

export function sign(secret: string, timestamp: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

/** As Slack writes it: events as JSON, commands as a form, the rest as a form with one field `payload`. */
export function encode(kind: DeliveryKind, body: Dict): { body: string; contentType: string } {
  if (kind === 'events_api') return { body: JSON.stringify(body), contentType: 'application/json' };
  const fields = kind === 'slash_commands' ? Object.entries(body) : [['payload', JSON.stringify(body)] as const];
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}

/** One POST on a connection of its own, so that a stopping app need not wait for an idle one. */
export function post(url: string, { body, headers }: SignedRequest, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const req = request(
      url,
      { method: 'POST', agent: false, headers: { ...headers, ...length, connection: 'close' }, signal },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            contentType: res.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}
