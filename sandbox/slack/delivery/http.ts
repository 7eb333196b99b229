import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { type Dict, parseJson, textAt } from '../json.ts';
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

function sign(secret: string, timestamp: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

/** A request as Slack signs it, at this moment unless said. */
export function signed(
  secret: string,
  { body, contentType }: { body: string; contentType: string },
  timestamp = Math.floor(Date.now() / 1000),
): SignedRequest {
  const headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': sign(secret, timestamp, body),
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
  };
  return { body, headers };
}

/** As Slack writes it: events as JSON, commands as a form, the rest as a form with one field `payload`. */
export function encode(kind: DeliveryKind, body: Dict): { body: string; contentType: string } {
  if (kind === 'events_api') return { body: JSON.stringify(body), contentType: 'application/json' };
  const fields = kind === 'slash_commands' ? Object.entries(body) : [['payload', JSON.stringify(body)] as const];
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}

/** Slack takes the challenge back as plain text, as a form or as JSON. */
export function challengeIn({ contentType, text }: HttpAnswer): string | undefined {
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return new URLSearchParams(text).get('challenge') ?? undefined;
  const parsed = contentType.startsWith('application/json') ? parseJson(text) : undefined;
  return parsed?.ok ? textAt(parsed.value, 'challenge') : text.trim();
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
