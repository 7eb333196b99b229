import { StoppedAtStart, type StopReason } from './one-shot.ts';

/**
 * Says in our own words what broke. Never the library's: `HTTPParserError` carries bytes of the answer, others carry
 * headers or the address. The words are for people; no decision is taken by them, since the same codes occur before and
 * after the vendor had the request.
 */
export function describeFailure(error: unknown, deadline: AbortSignal): string {
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
export function describeSilence(error: unknown, deadline: AbortSignal): string {
  const { reason } = deadline;
  return reason instanceof DeadlinePassed
    ? `the vendor did not answer within ${reason.ms / 1000} s`
    : `no answer came: ${describeFailure(error, deadline)}`;
}

/** With which a deadline aborts. */
export class DeadlinePassed extends Error {
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
