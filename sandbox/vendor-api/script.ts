import { gzipSync } from 'node:zlib';
import type { Documented } from './account.ts';
import { MISBEHAVIOURS, type Misbehaviour } from './misbehaviours.ts';

/** What the server does with one request, in bytes. */
export type Script = {
  /** Carry the order out before answering. */
  readonly charge: boolean;
  /** Wait for `release()` before answering. */
  readonly hold: boolean;
  readonly delayMs: number;
  /** The whole answer; `null` means that none comes. */
  readonly bytes: Buffer | null;
  /** The body one byte at a time, with this pause; the head comes at once. */
  readonly dripMs: number | null;
  readonly ending: 'keep' | 'close' | 'reset';
};

type Framing = 'length' | 'close' | 'chunked';

type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  readonly framing?: Framing;
  /** How many bytes of the body are really sent. */
  readonly sent?: number;
};

interface Answering {
  readonly token: string;
  /** The vendor's time. */
  readonly at: number;
}

/** Turns a misbehaviour into bytes. Pure. */
export function writeScript(misbehaviour: Misbehaviour, documented: Documented, vendor: Answering): Script {
  const given = { charge: MISBEHAVIOURS[misbehaviour.name].charges as boolean, ...misbehaviour };
  const plain: Script = { charge: given.charge, hold: false, delayMs: 0, bytes: null, dripMs: null, ending: 'keep' };
  const answer = (reply: Reply): Script => ({
    ...plain,
    bytes: writeReply(reply, vendor.at),
    ending: reply.framing === 'close' || reply.sent !== undefined ? 'close' : 'keep',
  });
  const body = documented.body;
  switch (misbehaviour.name) {
    case 'as_documented':
      return answer(documented);
    case 'refuse': {
      const { code = 402, status = 200, message = 'Insufficient balance' } = misbehaviour;
      return answer({ status, body: JSON.stringify({ code, msg: message }) });
    }
    case 'time_out':
    case 'never_read':
      return plain;
    case 'reset_before_answer':
    case 'reset_on_connect':
      return { ...plain, ending: 'reset' };
    case 'reset_mid_answer':
      return { ...answer({ status: 200, body, sent: half(body) }), ending: 'reset' };
    case 'html':
      return answer({
        status: misbehaviour.status ?? 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Sorry</title><h1>We will be back soon</h1>',
      });
    case 'redirect': {
      const { status = 307, location = '/v2/elsewhere' } = misbehaviour;
      return answer({ status, headers: { location }, body: '' });
    }
    case 'no_order_id':
      return answer({ status: documented.status, body: documented.bodyWithoutOrderId });
    case 'slow':
      return { ...answer(documented), delayMs: misbehaviour.ms ?? 2000 };
    case 'drip':
      return { ...answer(documented), dripMs: misbehaviour.everyMs ?? 50 };
    case 'cut':
      return answer({ status: 200, body, framing: misbehaviour.framing ?? 'length', sent: half(body) });
    case 'empty':
      return answer({ status: misbehaviour.status ?? 200, body: '' });
    case 'status':
      return answer({ status: misbehaviour.status, body });
    case 'answer':
      return answer({
        status: misbehaviour.status ?? 200,
        body: misbehaviour.body,
        ...(misbehaviour.headers === undefined ? {} : { headers: misbehaviour.headers }),
      });
    case 'garbage':
      return { ...plain, bytes: Buffer.from(misbehaviour.text ?? 'SSH-2.0-oops\r\n', 'latin1'), ending: 'close' };
    case 'gzip': {
      const headers: Record<string, string> = misbehaviour.header === false ? {} : { 'content-encoding': 'gzip' };
      return answer({ status: 200, headers, body: gzipSync(body) });
    }
    case 'gzip_claimed':
      return answer({ status: 200, headers: { 'content-encoding': 'gzip' }, body });
    case 'bom':
      return answer({ status: documented.status, body: `\uFEFF${body}` });
    case 'echo_token':
      return answer({ status: 200, body: writeEcho(misbehaviour, vendor.token) });
    case 'rate_limit': {
      const { retryAfter, code } = misbehaviour;
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      return answer({
        status: 429,
        headers,
        body: code === undefined ? 'slow down' : JSON.stringify({ code, msg: 'slow down' }),
      });
    }
    case 'oversized':
      return answer({ status: 200, body: `{"code":200,"padding":"${'x'.repeat(misbehaviour.bytes ?? 2_000_000)}"}` });
    case 'hold':
      return { ...writeScript(misbehaviour.answer ?? { name: 'as_documented' }, documented, vendor), hold: true };
    default:
      return misbehaviour satisfies never;
  }
}

function half(body: string): number {
  return Math.floor(body.length / 2);
}

function writeEcho(echo: Extract<Misbehaviour, { name: 'echo_token' }>, token: string): string {
  const before = echo.before ?? '';
  const forms = {
    raw: before + token,
    url:
      before +
      Array.from(token)
        .map((c) => `%${c.charCodeAt(0).toString(16)}`)
        .join(''),
    base64: Buffer.from(before + token).toString('base64'),
    json:
      before +
      Array.from(token)
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    html:
      before +
      Array.from(token)
        .map((c) => `&#${c.charCodeAt(0)};`)
        .join(''),
    hex: before + Buffer.from(token).toString('hex'),
  };
  // Not through JSON.stringify, which would escape the backslashes of the form "json".
  return `{"code":${echo.code ?? 400},"msg":"your token: ${forms[echo.form ?? 'raw']}!"}`;
}

function writeReply(reply: Reply, at: number): Buffer {
  const body = Buffer.from(reply.body);
  const framing = reply.framing ?? 'length';
  const lines = [`HTTP/1.1 ${reply.status} Local`, `date: ${new Date(at).toUTCString()}`];
  const headers = { 'content-type': 'application/json', ...reply.headers };
  for (const [name, values] of Object.entries(headers)) {
    for (const value of typeof values === 'string' ? [values] : values) lines.push(`${name}: ${value}`);
  }
  if (framing === 'length' && reply.status !== 204) lines.push(`content-length: ${body.byteLength}`);
  if (framing === 'close') lines.push('connection: close');
  if (framing === 'chunked') lines.push('transfer-encoding: chunked');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const sent = body.subarray(0, reply.sent ?? body.byteLength);
  if (reply.status === 204) return head;
  if (framing !== 'chunked') return Buffer.concat([head, sent]);
  const chunk = Buffer.concat([Buffer.from(`${sent.byteLength.toString(16)}\r\n`), sent, Buffer.from('\r\n')]);
  return Buffer.concat([head, chunk, ...(reply.sent === undefined ? [Buffer.from('0\r\n\r\n')] : [])]);
}
