import { LosslessNumber } from 'lossless-json';
import type { Answer, Outcome } from '../purchasing/model/answer.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import type { Scrub } from '../scrub.ts';
import { codedAnswer, cutText, findOrderIds, findVendorText, type JsonObject, own, understandBody } from './answer.ts';
import { type Exchange, isSuccess, type Received } from './exchange.ts';

/** What one POST proves. Texts are as the vendor gave them: secrets still to be removed. */
export type Verdict = {
  readonly outcome: Outcome;
  readonly why: string;
  readonly code: string | null;
  readonly vendorText: string | null;
  readonly orderIds: readonly OrderId[];
  readonly unauthorized: boolean;
};

/**
 * The table "What the vendor's answer proves" of DESIGN.md, and the only place that knows it. Pure. Read from above:
 *
 * | what happened                                                          | outcome     |
 * | ---------------------------------------------------------------------- | ----------- |
 * | the request never started                                              | `not_sent`  |
 * | no answer, or one that broke off                                       | `unknown`   |
 * | HTTP status neither 2xx nor 4xx (a redirect is never followed), or 408 | `unknown`   |
 * | body compressed, empty, cut, not strict JSON, not an object            | `unknown`   |
 * | no integer `code`                                                      | `unknown`   |
 * | `code` 200 with 2xx                                                    | `completed` |
 * | `code` 200 with 4xx                                                    | `unknown`   |
 * | `code` 0, 201–299 (may well mean yes), 408, 504 (a time-out)           | `unknown`   |
 * | any other `code`, but an `order_id` in the answer                      | `unknown`   |
 * | any other `code`                                                       | `declined`  |
 *
 * There is no third reading of a started request without a valid answer: calling it failed invites a second purchase,
 * calling it done is a guess.
 */
export function judge(exchange: Exchange): Verdict {
  switch (exchange.stage) {
    case 'not_started':
      return { ...NOTHING_SAID, outcome: 'not_sent', why: exchange.why };
    case 'no_answer':
      return { ...NOTHING_SAID, outcome: 'unknown', why: exchange.why };
    case 'cut_short':
      return {
        ...NOTHING_SAID,
        outcome: 'unknown',
        why: `the answer broke off (status ${exchange.httpStatus}): ${exchange.why}`,
        unauthorized: exchange.httpStatus === 401,
      };
    case 'answered':
      return judgeAnswer(exchange);
    default:
      return exchange satisfies never;
  }
}

const NOTHING_SAID = { code: null, vendorText: null, orderIds: [], unauthorized: false } as const;

function judgeAnswer(received: Received): Verdict {
  const body = understandBody(received);
  const status = received.httpStatus;
  if (!body.ok) {
    const why = isFinal(status) ? `the answer (status ${status}) was not understood: ${body.why}` : oddStatus(status);
    return { ...NOTHING_SAID, outcome: 'unknown', why, unauthorized: status === 401 };
  }
  const coded = codedAnswer.safeParse(body.answer);
  const code = coded.success ? coded.data.code : undefined;
  const orders = findOrderIds(body.answer);
  return {
    ...weigh(status, code, orders.mentioned),
    code: code ?? sourceOfCode(body.answer),
    vendorText: findVendorText(body.answer),
    orderIds: orders.ids,
    unauthorized: status === 401 || code === '401',
  };
}

function weigh(status: number, code: string | undefined, orderMentioned: boolean): Pick<Verdict, 'outcome' | 'why'> {
  if (!isFinal(status)) return { outcome: 'unknown', why: oddStatus(status) };
  if (code === undefined)
    return { outcome: 'unknown', why: `the answer (status ${status}) has no whole number as its code` };
  if (code === '200') {
    return isSuccess(status)
      ? { outcome: 'completed', why: 'the vendor answered code 200' }
      : { outcome: 'unknown', why: `the answer contradicts itself: status ${status} with code 200` };
  }
  if (provesNothing(code)) return { outcome: 'unknown', why: `code ${code} proves neither a yes nor a no` };
  if (orderMentioned)
    return { outcome: 'unknown', why: `the answer contradicts itself: code ${code} with an order id` };
  return { outcome: 'declined', why: `the vendor refused it with code ${code}` };
}

/** A status with which the vendor itself can have said yes or no. 408 is a time-out: somebody gave up waiting. */
function isFinal(status: number): boolean {
  return isSuccess(status) || (status >= 400 && status <= 499 && status !== 408);
}

function oddStatus(status: number): string {
  return status >= 300 && status <= 399
    ? `the vendor answered with a redirect (status ${status}), which is never followed`
    : `the vendor answered with status ${status}, which proves neither a yes nor a no`;
}

/** Codes that may mean success elsewhere (0, 201–299), and time-outs (408, 504) behind which the work may go on. */
function provesNothing(code: string): boolean {
  return /^(?:-?0|2[0-9][0-9]|408|504)$/.test(code);
}

/** A `code` that is no integer, as evidence for people: `"200"` keeps its quotes. */
function sourceOfCode(answer: JsonObject): string | null {
  const code = own(answer, 'code');
  if (code instanceof LosslessNumber) return code.value.slice(0, LONGEST_CODE);
  if (typeof code === 'string') return JSON.stringify(code).slice(0, LONGEST_CODE);
  return typeof code === 'boolean' ? String(code) : null;
}

const LONGEST_CODE = 40;

/** How much of a body is kept as evidence, in bytes of UTF-8. */
const KEPT_BYTES = 64 * 1024;

/** The answer as it may be stored and shown: judged, with secrets removed. */
export function toAnswer(
  exchange: Exchange,
  times: { readonly startedAt: number | null; readonly endedAt: number },
  scrub: Scrub,
): Answer {
  const verdict = judge(exchange);
  const received = exchange.stage === 'cut_short' || exchange.stage === 'answered' ? exchange : undefined;
  const kept = keepBody(received?.body, scrub);
  return {
    outcome: verdict.outcome,
    why: scrub(verdict.why), // it may quote the vendor's code
    httpStatus: received?.httpStatus ?? null,
    code: verdict.code === null ? null : scrub(verdict.code),
    vendorText: verdict.vendorText === null ? null : cutText(scrub(verdict.vendorText)),
    orderIds: verdict.orderIds.filter((id) => scrub(id) === id),
    rawBody: kept.text,
    rawBodyTruncated: kept.cut || exchange.stage === 'cut_short',
    startedAt: times.startedAt,
    endedAt: times.endedAt,
    unauthorized: verdict.unauthorized,
  };
}

/** Secrets go first, from the whole; a cut made before could leave half of one. */
function keepBody(body: Buffer | undefined, scrub: Scrub): { readonly text: string | null; readonly cut: boolean } {
  if (body === undefined || body.byteLength === 0) return { text: null, cut: false };
  const clean = Buffer.from(scrub(body.toString('utf8')));
  if (clean.byteLength <= KEPT_BYTES) return { text: clean.toString('utf8'), cut: false };
  // stream: true leaves out a character that the cut has split.
  return { text: new TextDecoder().decode(clean.subarray(0, KEPT_BYTES), { stream: true }), cut: true };
}
