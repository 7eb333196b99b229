import type { Misbehaviour } from '../../../sandbox/vendor-api/index.ts';

export type Proof = 'completed' | 'declined' | 'unknown';

/** What the vendor may do to the one POST, and what that proves: every line of the outcome table in DESIGN.md. */
export interface VendorFault {
  readonly name: string;
  readonly plays: Misbehaviour;
  readonly proves: Proof;
}

/** As documented, more often than each of the faults: a campaign of failures alone would test little of what follows a yes. */
export const AS_DOCUMENTED: VendorFault = {
  name: 'as documented',
  plays: { name: 'as_documented' },
  proves: 'completed',
};

function proving(proves: Proof, faults: Readonly<Record<string, Misbehaviour>>): readonly VendorFault[] {
  return Object.entries(faults).map(([name, plays]) => ({ name, plays, proves }));
}

export const VENDOR_FAULTS: readonly VendorFault[] = [
  ...proving('completed', {
    'HTTP 201 with code 200': { name: 'status', status: 201 },
    'a slow yes': { name: 'slow', ms: 150 },
    'a yes byte by byte': { name: 'drip', everyMs: 3 },
    'a yes without an order id': { name: 'no_order_id' },
    'a byte order mark first': { name: 'bom' },
    'code 200 and nothing else': { name: 'answer', body: '{"code":200}', charge: true },
  }),
  ...proving('declined', {
    'another code': { name: 'refuse' },
    'another code at HTTP 402': { name: 'refuse', status: 402 },
    'code 500 at HTTP 200': { name: 'answer', body: '{"code":500,"msg":"x"}' },
    'HTTP 429 with a code': { name: 'rate_limit', code: 429, retryAfter: '1' },
    'a refusal that echoes the token': { name: 'echo_token' },
  }),
  ...proving('unknown', {
    'a refusal that charges': { name: 'refuse', charge: true },
    'no answer': { name: 'time_out' },
    'no answer and no order': { name: 'time_out', charge: false },
    'a reset before the answer': { name: 'reset_before_answer' },
    'a reset in the middle of it': { name: 'reset_mid_answer' },
    'a body that drips past the deadline': { name: 'drip', everyMs: 100 },
    'an HTML page': { name: 'html' },
    'HTTP 502 and a page': { name: 'html', status: 502 },
    'a redirect': { name: 'redirect' },
    'a permanent redirect': { name: 'redirect', status: 301 },
    'JSON cut in half': { name: 'cut' },
    'JSON cut, of unknown length': { name: 'cut', framing: 'close' },
    'chunks that end early': { name: 'cut', framing: 'chunked' },
    'no body': { name: 'empty' },
    'HTTP 204': { name: 'empty', status: 204 },
    'HTTP 503': { name: 'empty', status: 503 },
    'HTTP 500 with code 200': { name: 'status', status: 500 },
    'HTTP 402 with code 200': { name: 'status', status: 402 },
    'HTTP 429 without a code': { name: 'rate_limit', retryAfter: '1' },
    'code "200" as a text': { name: 'answer', body: '{"code":"200","data":{}}', charge: true },
    'code 0': { name: 'answer', body: '{"code":0}', charge: true },
    'code 202': { name: 'answer', body: '{"code":202}', charge: true },
    'code 408': { name: 'answer', body: '{"code":408}', charge: true },
    'code 504': { name: 'answer', body: '{"code":504}', charge: true },
    'two codes': { name: 'answer', body: '{"code":500,"code":200}' },
    'no code': { name: 'answer', status: 202, body: '{}', charge: true },
    'a refusal that names an order': { name: 'answer', body: '{"code":402,"order_id":5}' },
    'a list': { name: 'answer', body: '[]' },
    'bytes that are not HTTP': { name: 'garbage' },
    'gzip that nobody asked for': { name: 'gzip', header: false },
    'text that claims to be gzip': { name: 'gzip_claimed' },
    'two megabytes': { name: 'oversized' },
  }),
];
