import type { Dispatcher } from 'undici';
import { oneShot, type StartGate, StoppedAtStart, type StopReason } from './one-shot.ts';

/** The size cap of an answer, in bytes. An honest answer for 500 proxies with logins is under 100 KiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** What happened to one HTTP request, as far as it can be known. `why` is one clause for people. */
export type Exchange =
  /** Nothing was written. */
  | { readonly stage: 'not_started'; readonly why: string }
  /** The vendor may have the request; not even a status line came back. */
  | { readonly stage: 'no_answer'; readonly why: string }
  /** An answer began and did not come to its end. */
  | ({ readonly stage: 'cut_short'; readonly why: string } & Received)
  /** An answer that is whole as far as HTTP can tell; without Content-Length it may still be cut. */
  | ({ readonly stage: 'answered' } & Received);

export type Received = {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As received, at most {@link MAX_BODY_BYTES}. */
  readonly body: Buffer;
};

export function isSuccess(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus <= 299;
}

export type HttpRequest = {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Sends at most one request and reads its answer to the end. Never rejects. */
export async function exchange(dispatcher: Dispatcher, request: HttpRequest, gate: StartGate): Promise<Exchange> {
  let started = false;
  const onStarted = () => {
    started = true;
    gate.onStarted();
  };
  let response: Dispatcher.ResponseData;
  try {
    const once = dispatcher.compose(oneShot({ signal: gate.signal, mayStart: () => gate.mayStart(), onStarted }));
    response = await once.request({ ...request, signal: gate.signal });
  } catch (error) {
    return started
      ? { stage: 'no_answer', why: describeSilence(error, gate.signal) }
      : { stage: 'not_started', why: describeFailure(error, gate.signal) };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const received = () => ({
    httpStatus: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES),
  });
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // undici's own cap is the first; this one holds even if that option should change its meaning.
      if (size > MAX_BODY_BYTES) return { stage: 'cut_short', why: 'the answer was too large', ...received() };
    }
  } catch (error) {
    return { stage: 'cut_short', why: describeFailure(error, gate.signal), ...received() };
  }
  return { stage: 'answered', ...received() };
}

/** Aborts after `ms`, or when `sooner` does. Not `AbortSignal.timeout`: its timer cannot be ended and would outlive a quick answer. */
export function startDeadline(
  ms: number,
  { sooner, beforeAbort }: { readonly sooner?: AbortSignal; readonly beforeAbort?: () => void } = {},
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abortFor = (reason?: DeadlinePassed) => {
    beforeAbort?.();
    controller.abort(reason);
  };
  const abort = () => abortFor();
  const timer = setTimeout(() => abortFor(new DeadlinePassed(ms)), ms);
  // Not `AbortSignal.any`: `sooner` lives as long as the process, and would hold on to each of them.
  sooner?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      sooner?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Says in our own words what broke. Never the library's: `HTTPParserError` carries bytes of the answer, others carry
 * headers or the address. The words are for people; no decision is taken by them, since the same codes occur before and
 * after the vendor had the request.
 */
function describeFailure(error: unknown, deadline: AbortSignal): string {
  if (error instanceof StoppedAtStart) return STOPPED[error.stop];
  if (deadline.aborted) return 'the time allowed had passed';
  const code = codeOf(error);
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (code.startsWith('HPE_') || nameOf(error) === 'HTTPParserError') return 'the answer was not valid HTTP';
  if (/CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'no secure connection could be made';
  return 'the connection failed';
}

/** Why nothing of an answer came to a request that had started. */
function describeSilence(error: unknown, deadline: AbortSignal): string {
  const { reason } = deadline;
  return reason instanceof DeadlinePassed
    ? `the vendor did not answer within ${reason.ms / 1000} s`
    : `no answer came: ${describeFailure(error, deadline)}`;
}

/** With which a deadline aborts. */
class DeadlinePassed extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super('the time allowed had passed');
    this.name = 'DeadlinePassed';
    this.ms = ms;
  }
}

const STOPPED = {
  guard: 'it was stopped just before sending',
  deadline: 'the time allowed had passed',
  second_start: 'a second start of the same request was stopped',
} satisfies Record<StopReason, string>;

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: "the vendor's address could not be looked up",
  EAI_AGAIN: "the vendor's address could not be looked up",
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the vendor could not be reached',
  ENETUNREACH: 'the vendor could not be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer was too large',
  UND_ERR_HEADERS_OVERFLOW: 'the answer was too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
};

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
