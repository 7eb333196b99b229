import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import './seeded.ts';
import { OUTCOMES } from '../../src/purchasing/model/answer.ts';
import type { Exchange } from '../../src/vendor-api/exchange.ts';
import { judge } from '../../src/vendor-api/outcome.ts';

const answered = (httpStatus: number, body: string | Uint8Array, headers: Record<string, string> = {}): Exchange => ({
  stage: 'answered',
  httpStatus,
  headers,
  body: Buffer.from(body),
});

const status = fc.oneof(
  fc.integer({ min: 100, max: 599 }),
  fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 402, 408, 421, 429, 500, 502),
);
/** A code by its source text, and what it is. */
const integer = fc
  .oneof(fc.integer({ min: -5, max: 1200 }), fc.constantFrom(0, 200, 200, 201, 299, 402, 408, 504))
  .map(String);
const odd = fc.constantFrom('"200"', '200.0', '2e2', 'true', 'null', '[200]', '{"code":200}', '"ok"', '0200');
const extra = fc.constantFrom(
  '',
  ',"msg":"x"',
  ',"data":{"order_id":7}',
  ',"order_id":null',
  ',"data":{"code":200}',
  ',"list":[{"order_id":"x"}]',
);

/** DESIGN.md's table, written once more from its words. */
function expected(httpStatus: number, code: string, rest: string): string {
  const ok = httpStatus >= 200 && httpStatus < 300;
  const final = ok || (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408);
  if (!final || !/^(?:0|-?[1-9][0-9]*)$/.test(code)) return 'unknown';
  const value = Number(code);
  if (value === 200) return ok ? 'completed' : 'unknown';
  if (value === 0 || (value >= 201 && value <= 299) || value === 408 || value === 504) return 'unknown';
  return rest.includes('order_id') && !rest.includes('null') ? 'unknown' : 'declined';
}

describe('what an answer proves', () => {
  test('is what the table says, for every status, code and order id', () => {
    fc.assert(
      fc.property(status, fc.oneof(integer, odd), extra, (httpStatus, code, rest) => {
        expect(judge(answered(httpStatus, `{"code":${code}${rest}}`)).outcome).toBe(expected(httpStatus, code, rest));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is never a yes or a no when the body was cut anywhere', () => {
    const whole = '{"code":200,"data":{"order_id":9007199254740993,"list":["a","b"]},"msg":"fine"}';
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), fc.constantFrom('200', '402'), (length, code) => {
        expect(judge(answered(200, whole.replace('200', code).slice(0, length))).outcome).toBe('unknown');
      }),
    );
  });

  test('of any bytes at all is one of four, and completed only for whole JSON with code 200 at 2xx', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .string({
          unit: fc.constantFrom('{', '}', '"code"', ':', '200', '402', ',', '[', ']', '"', ' ', '\\'),
          maxLength: 12,
        })
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(status, bytes, (httpStatus, body) => {
        const { outcome } = judge(answered(httpStatus, body));
        expect(OUTCOMES).toContain(outcome);
        expect(outcome, 'an answer has come').not.toBe('not_sent');
        if (outcome !== 'completed' && outcome !== 'declined') return;
        const read = JSON.parse(new TextDecoder().decode(body)) as { code: unknown };
        expect(read.code === 200).toBe(outcome === 'completed');
        expect(httpStatus >= 200 && httpStatus < 500).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('without a whole answer is unknown, and "never sent" only where the request had not started', () => {
    const part = fc.record({
      httpStatus: status,
      headers: fc.constant({}),
      body: fc.constantFrom('', '{"code":200}', '{"code":402}').map((text) => Buffer.from(text)),
    });
    const fault = fc.oneof(
      fc.constantFrom('not_started' as const, 'no_answer' as const).map((stage): Exchange => ({ stage, why: 'w' })),
      part.map((received): Exchange => ({ stage: 'cut_short', why: 'w', ...received })),
    );
    fc.assert(
      fc.property(fault, (exchange) => {
        expect(judge(exchange).outcome).toBe(exchange.stage === 'not_started' ? 'not_sent' : 'unknown');
      }),
    );
  });

  test('of a compressed body is unknown, whatever it seems to say', () => {
    fc.assert(
      fc.property(fc.constantFrom('gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'x'), (encoding) => {
        expect(judge(answered(200, '{"code":200}', { 'content-encoding': encoding })).outcome).toBe('unknown');
      }),
    );
  });
});
