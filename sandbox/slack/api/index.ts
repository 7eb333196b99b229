import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Core, Refused, violate } from '../core.ts';
import { type Dict, isDict, parseJson } from '../json.ts';
import type { ApiCall } from '../types.ts';
import { authMethods } from './auth.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { groupMethods } from './groups.ts';
import { type Method, requireScope } from './method.ts';
import { peopleMethods } from './people.ts';
import { createMeter } from './tiers.ts';
import { viewMethods } from './views.ts';

/** Arguments that travel as JSON inside a form. */
const JSON_ARGUMENTS = ['view', 'blocks', 'attachments', 'metadata', 'files'];

export interface Answer {
  status: number;
  body: Dict | string;
  headers?: Record<string, string>;
}

export interface Api {
  handle: (name: string, req: IncomingMessage, rawBody: string, res: ServerResponse) => Promise<void>;
  inFlight: () => number;
  peakInFlight: () => number;
}

export function createApi(core: Core, issueTicket: (core: Core) => string, closing: AbortSignal): Api {
  const methods: Record<string, Method> = {
    ...authMethods(issueTicket),
    ...viewMethods,
    ...chatMethods,
    ...conversationMethods,
    ...peopleMethods,
    ...groupMethods,
    ...fileMethods,
  };
  const meter = createMeter(core);
  let inFlight = 0;
  let peak = 0;
  return {
    inFlight: () => inFlight,
    peakInFlight: () => peak,
    async handle(name, req, rawBody, res) {
      const call = readCall(core, name, req, rawBody);
      core.calls.push(call);
      core.feed.emit({ type: 'api_call', call });
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      try {
        await playFaults(core, call, res, closing, () => {
          const method = methods[name];
          const waitSeconds = method ? meter(name, method.tier, call.args) : null;
          const given =
            waitSeconds === null
              ? { status: 200, body: answer(core, method, call), headers: usualHeaders(core, method) }
              : rateLimited(waitSeconds);
          call.answer = given.body;
          return given;
        });
      } finally {
        inFlight -= 1;
        core.feed.emit({ type: 'api_answered', call });
      }
    },
  };
}

function rateLimited(retryAfter: number | string | null) {
  const headers = retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
  return { status: 429, body: { ok: false, error: 'ratelimited' }, headers };
}

function usualHeaders(core: Core, method: Method | undefined): Record<string, string> {
  return {
    date: new Date(Date.now() + core.settings.clockAheadMs).toUTCString(),
    'x-oauth-scopes': core.settings.scopes.join(','),
    'x-accepted-oauth-scopes': (method?.scopes ?? []).join(','),
  };
}

function readCall(core: Core, method: string, req: IncomingMessage, rawBody: string): ApiCall {
  const isJson = req.headers['content-type']?.startsWith('application/json') ?? false;
  const parsed = isJson ? parseJson(rawBody) : { ok: true as const, value: readForm(rawBody) };
  const args = parsed.ok && isDict(parsed.value) ? parsed.value : {};
  const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? args['token'];
  const kinds = new Map<unknown, ApiCall['tokenKind']>([
    [undefined, 'none'],
    [core.tokens.bot, 'bot'],
    [core.tokens.app, 'app'],
  ]);
  const { token: _secret, ...shown } = args;
  return { method, args: shown, at: core.now(), tokenKind: kinds.get(token) ?? 'unknown', rawBody };
}

function readForm(raw: string): Dict {
  const args: Dict = Object.fromEntries(new URLSearchParams(raw));
  for (const name of JSON_ARGUMENTS) {
    const text = args[name];
    if (typeof text !== 'string') continue;
    const parsed = parseJson(text);
    if (parsed.ok) args[name] = parsed.value;
  }
  return args;
}

function answer(core: Core, method: Method | undefined, call: ApiCall): Dict {
  try {
    if (!method) {
      violate(core, 'unknown_method', call.method, call.args);
      throw new Refused('unknown_method', { req_method: call.method });
    }
    if (call.tokenKind === 'none') throw new Refused('not_authed');
    if (call.tokenKind === 'unknown') throw new Refused('invalid_auth');
    if (call.tokenKind !== method.token) throw new Refused('not_allowed_token_type');
    requireScope(core, method.scopes);
    return { ok: true, ...method.run(core, call.args) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.code, ...error.extra };
    throw error;
  }
}

/** The one place where a call can go wrong on purpose; also used for response_urls. */
export async function playFaults(
  core: Core,
  call: ApiCall,
  res: ServerResponse,
  closing: AbortSignal,
  work: () => Answer,
): Promise<void> {
  const fault = core.faults.take(call);
  if (!fault) return send(res, work());
  call.fault = fault.kind;
  if ('when' in fault && fault.when === 'after') work();
  switch (fault.kind) {
    case 'rate_limit':
      return send(res, rateLimited(fault.retryAfter));
    case 'status':
      return send(res, { status: fault.status, body: 'upstream error' });
    case 'body':
      return send(res, { status: 200, body: fault.body });
    case 'error':
      return send(res, { status: 200, body: { ok: false, error: fault.code } });
    case 'delay':
      await core.clock.sleep(fault.ms, closing);
      return closing.aborted ? void res.destroy() : send(res, work());
    case 'hold':
      await Promise.race([fault.until, once(closing, 'abort')]);
      return closing.aborted ? void res.destroy() : send(res, work());
    case 'reset':
      // RST rather than FIN: the app sees ECONNRESET.
      res.socket?.resetAndDestroy();
      return;
    case 'hang':
      return hang(res, closing);
    default:
      fault satisfies never;
  }
}

function hang(res: ServerResponse, closing: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    res.destroy();
    resolve();
  };
  res.once('close', () => {
    closing.removeEventListener('abort', end);
    resolve();
  });
  closing.addEventListener('abort', end, { once: true });
  return promise;
}

function send(res: ServerResponse, { status, body, headers }: Answer): void {
  if (res.destroyed) return;
  const isText = typeof body === 'string';
  res.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json; charset=utf-8', ...headers });
  res.end(isText ? body : JSON.stringify(body));
}
