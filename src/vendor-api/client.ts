import { Agent } from 'undici';
import type { Answer, BalanceReading } from '../purchasing/model/answer.ts';
import type { SendGuard, Vendor, VendorOrder } from '../purchasing/ports/vendor.ts';
import { createScrub } from '../scrub.ts';
import { readBalance } from './balance.ts';
import { resettable } from './connection.ts';
import { type Exchange, exchange, MAX_BODY_BYTES, startDeadline } from './exchange.ts';
import { toAnswer } from './outcome.ts';
import { readEndpoints, writeOrderRequest } from './request.ts';

export type VendorOptions = {
  /** May have a path prefix and a trailing slash. https, or http on loopback. */
  readonly baseUrl: string;
  /** The Master User Token. */
  readonly token: string;
  /** From the start of connecting to the last byte, in ms. */
  readonly timeoutMs: number;
  readonly clock: { now(): number; monotonic(): number };
  /** Wait before the second try of a balance where the vendor names none, in ms. */
  readonly retryWaitMs?: number;
};

/** Who asks for the balance makes no difference to the vendor. */
export type VendorClient = Vendor & { readBalance(): Promise<BalanceReading> };

/** Long enough for a hiccup to pass, short enough for a person who looks at a modal. */
const RETRY_WAIT_MS = 500;

/**
 * The adapter. It talks HTTP/1.1 straight to the vendor and takes no notice of HTTPS_PROXY: a proxy would be one more
 * layer between us and "was it sent?".
 */
export function createVendor(options: VendorOptions): VendorClient {
  const endpoints = readEndpoints(options.baseUrl);
  // A header error would print the value it refuses, so a bad one must not come so far.
  if (!/^[\x21-\x7e]{8,}$/.test(options.token)) throw new TypeError('the vendor token is malformed');
  const scrub = createScrub(options.token);
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  const { clock, timeoutMs } = options;
  const balanceAgent = newAgent({ timeout: timeoutMs });
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  return {
    readBalance: () => track(tryReading()),
    send: (order, guard) => track(trySending(order, guard)),
    close: () => (closing ??= stop()),
  };

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(underWay);
    await balanceAgent.close();
  }

  async function tryReading(): Promise<BalanceReading> {
    if (stopping.signal.aborted) return { ok: false, at: clock.now(), why: 'the bot is stopping' };
    // A purchase that is being sent is waited for; a reading is not worth holding up the end.
    const deadline = startDeadline(timeoutMs, { sooner: stopping.signal });
    const endsAt = clock.monotonic() + timeoutMs;
    const request = { origin: endpoints.origin, path: endpoints.balance, method: 'GET', headers } as const;
    try {
      return await readBalance({
        get: () =>
          exchange(balanceAgent, request, { signal: deadline.signal, mayStart: () => true, onStarted: () => {} }),
        now: () => clock.now(),
        left: () => endsAt - clock.monotonic(),
        defaultWaitMs: options.retryWaitMs ?? RETRY_WAIT_MS,
        stopping: stopping.signal,
      });
    } catch {
      return { ok: false, at: clock.now(), why: 'reading it failed inside the bot' };
    } finally {
      deadline.end();
    }
  }

  async function trySending(order: VendorOrder, guard: SendGuard): Promise<Answer> {
    let startedAt: number | null = null;
    const finish = (what: Exchange) => toAnswer(what, { startedAt, endedAt: clock.now() }, scrub);
    if (stopping.signal.aborted) return finish({ stage: 'not_started', why: 'the bot is stopping' });
    try {
      const request = writeOrderRequest(order, endpoints);
      if ('refused' in request) return finish({ stage: 'not_started', why: request.refused });
      return finish(
        await post(request, guard, () => {
          startedAt = clock.now();
        }),
      );
    } catch {
      // A bug of ours: what it proves depends only on whether the request had started.
      const why = 'sending failed inside the bot';
      return finish(
        startedAt === null ? { stage: 'not_started', why } : { stage: 'no_answer', why: `no answer came: ${why}` },
      );
    }
  }

  /** An agent for this one request, so that no connection can be shared or used again. */
  async function post(
    request: { path: string; body: string },
    guard: SendGuard,
    onStarted: () => void,
  ): Promise<Exchange> {
    const { connect, reset } = resettable(timeoutMs);
    const agent = newAgent(connect);
    const deadline = startDeadline(timeoutMs, { beforeAbort: reset });
    try {
      return await exchange(
        agent,
        { origin: endpoints.origin, path: request.path, method: 'POST', headers, body: request.body },
        { signal: deadline.signal, mayStart: () => guard.mayStart(), onStarted },
      );
    } finally {
      deadline.end();
      await agent.destroy();
    }
  }
}

/**
 * HTTP/1.1 only: over HTTP/2 undici sends a refused stream again. No pipelining and no kept-alive socket, whose end would
 * race with the next request. The deadline of the caller bounds everything, so undici's own timers are off; the one for
 * connecting stays as a second bound.
 */
function newAgent(connect: NonNullable<Agent.Options['connect']>): Agent {
  return new Agent({
    allowH2: false,
    pipelining: 0,
    maxResponseSize: MAX_BODY_BYTES,
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
