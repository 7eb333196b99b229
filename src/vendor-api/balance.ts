import { setTimeout as sleep } from 'node:timers/promises';
import type { BalanceReading } from '../purchasing/model/answer.ts';
import { balanceAnswer, codedAnswer, understandBody } from './answer.ts';
import { type Exchange, isSuccess } from './exchange.ts';

type Failed = Extract<BalanceReading, { ok: false }>;
type Judged = { readonly reading: BalanceReading; readonly mayRetry: boolean };

/** What one GET /v2/balance gave, and whether a second may give more. Pure. */
export function judgeBalance(exchange: Exchange, now: number): Judged {
  if (exchange.stage === 'not_started' || exchange.stage === 'no_answer') {
    return { reading: { ok: false, at: now, why: exchange.why }, mayRetry: true };
  }
  const status = exchange.httpStatus;
  const body: ReturnType<typeof understandBody> =
    exchange.stage === 'answered' ? understandBody(exchange) : { ok: false, why: `it broke off, ${exchange.why}` };
  const coded = body.ok ? codedAnswer.safeParse(body.answer) : undefined;
  const code = coded?.success === true ? coded.data.code : undefined;
  if (isSuccess(status) && code === '200' && body.ok) {
    const balance = balanceAnswer.safeParse(body.answer);
    if (balance.success) return { reading: { ok: true, balance: balance.data.data.balance, at: now }, mayRetry: false };
  }
  const refused = whoRefused(status, code);
  const retryAfterSeconds = readRetryAfter(exchange.headers['retry-after'], now);
  const failed: Failed = {
    ok: false,
    at: now,
    why: whyUnread(status, code, body.ok ? undefined : body.why),
    ...(refused === undefined ? {} : { refused }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  const mayRetry = refused === undefined && (status === 429 || status >= 500 || exchange.stage === 'cut_short');
  return { reading: failed, mayRetry };
}

/** A token that is not accepted is not accepted a second later either. */
function whoRefused(status: number, code: string | undefined): Failed['refused'] {
  if (status === 401 || code === '401') return 'unauthorized';
  return status === 403 || code === '403' ? 'forbidden' : undefined;
}

function whyUnread(status: number, code: string | undefined, misunderstood: string | undefined): string {
  if (status >= 300 && status <= 399)
    return `the vendor answered with a redirect (status ${status}), which is never followed`;
  if (!isSuccess(status)) return `the vendor answered with status ${status}`;
  if (misunderstood !== undefined) return `the answer was not understood: ${misunderstood}`;
  if (code === undefined) return 'the answer has no whole number as its code';
  if (code !== '200') return `the vendor answered code ${code}`;
  return 'the answer holds no readable balance';
}

export type ReadingDeps = {
  /** One GET, within the deadline. */
  readonly get: () => Promise<Exchange>;
  readonly now: () => number;
  /** Milliseconds left until the deadline. */
  readonly left: () => number;
  /** Used where the vendor names no wait that can be understood. */
  readonly defaultWaitMs: number;
  /** Aborted when the program stops: a wait is not worth holding it up. */
  readonly stopping: AbortSignal;
};

/** At most two tries; the second only where the first may have been bad luck, and where its wait ends before the deadline. */
export async function readBalance(deps: ReadingDeps): Promise<BalanceReading> {
  const first = judgeBalance(await deps.get(), deps.now());
  if (first.reading.ok || !first.mayRetry) return first.reading;
  const asked = first.reading.retryAfterSeconds;
  const wait = asked === undefined ? deps.defaultWaitMs : asked * 1000;
  if (!(wait < deps.left())) return first.reading;
  try {
    await sleep(wait, undefined, { signal: deps.stopping });
  } catch {
    return first.reading;
  }
  return judgeBalance(await deps.get(), deps.now()).reading;
}

/**
 * Seconds to wait, from a Retry-After header: a non-negative integer, or an HTTP date in the future. `undefined` for all
 * else: `-3`, `1.5`, `1000abc`, empty, a past date, two headers. `Date.parse("-3")` would be a valid date, and a NaN in a
 * timer fires at once.
 */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  // Only the one form that servers must send; it is exactly what toUTCString writes.
  if (Number.isNaN(date) || new Date(date).toUTCString() !== text || date <= now) return undefined;
  return Math.ceil((date - now) / 1000);
}
