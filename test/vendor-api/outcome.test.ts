import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Endpoint, Misbehaviour } from '../../sandbox/vendor-api/index.ts';
import type { Outcome } from '../../src/purchasing/model/answer.ts';
import type { VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import { closeAfterwards } from '../support/afterwards.ts';
import { BUY, client, RENEW, SOON_OVER_MS, setUp, YES } from './fixture.ts';

type Row = readonly [rule: string, misbehaviour: Misbehaviour, outcome: Outcome];

const says = (body: string, status = 200): Misbehaviour => ({ name: 'answer', status, body });

/** DESIGN.md, "What the vendor's answer proves", row by row; V-02 and V-06 of the cases are in it. */
const ROWS: readonly Row[] = [
  ['as documented', { name: 'as_documented' }, 'completed'],
  ['{"code":200} at 200', says('{"code":200}'), 'completed'],
  ['data null beside code 200', says('{"code":200,"data":null}'), 'completed'],
  ['201 with a good body', { name: 'status', status: 201 }, 'completed'],
  ['202 with a good body', { name: 'status', status: 202 }, 'completed'],
  ['success without an order id', { name: 'no_order_id' }, 'completed'],
  ['a byte order mark first', { name: 'bom' }, 'completed'],
  ['a slow answer within the deadline', { name: 'slow', ms: 30 }, 'completed'],
  ['a body that drips and ends in time', { name: 'drip', everyMs: 0 }, 'completed'],
  [
    'identity named as content encoding',
    { name: 'answer', headers: { 'content-encoding': 'identity' }, body: '{"code":200}' },
    'completed',
  ],

  ['code 402 at 200', { name: 'refuse' }, 'declined'],
  ['code 402 at 402', { name: 'refuse', status: 402 }, 'declined'],
  ['code 500 in the body at 200', says('{"code":500,"msg":"x"}'), 'declined'],
  ['code 1001 at 400', says('{"code":1001}', 400), 'declined'],
  ['a negative code', says('{"code":-1}'), 'declined'],
  ['code 401 at 401', says('{"code":401}', 401), 'declined'],
  ['code 403 at 403', says('{"code":403}', 403), 'declined'],
  ['code 421 at 421, sent once', says('{"code":421}', 421), 'declined'],
  ['code 429 at 429', { name: 'rate_limit', retryAfter: '0', code: 429 }, 'declined'],
  ['a refusal that names no order: null', says('{"code":402,"order_id":null}'), 'declined'],

  ['code 200 at 400', says('{"code":200}', 400), 'unknown'],
  ['code 200 at 500', says('{"code":200}', 500), 'unknown'],
  ['code 402 at 500', says('{"code":402}', 500), 'unknown'],
  ['code 0', says('{"code":0}'), 'unknown'],
  ['code -0', says('{"code":-0}'), 'unknown'],
  ['code 201', says('{"code":201}'), 'unknown'],
  ['code 299', says('{"code":299}'), 'unknown'],
  ['code 408', says('{"code":408}'), 'unknown'],
  ['code 504', says('{"code":504}'), 'unknown'],
  ['status 408, whatever the code', says('{"code":1001}', 408), 'unknown'],
  ['a refusal with an order id', says('{"code":402,"data":{"order_id":7}}'), 'unknown'],
  ['a refusal with an order id deep in a list', says('{"code":402,"a":[[{"order_id":"x"}]]}'), 'unknown'],
  ['code "200"', says('{"code":"200","data":{}}'), 'unknown'],
  ['code "402"', says('{"code":"402"}'), 'unknown'],
  ['code 200.0', says('{"code":200.0}'), 'unknown'],
  ['code 2e2', says('{"code":2e2}'), 'unknown'],
  ['code true', says('{"code":true}'), 'unknown'],
  ['code null', says('{"code":null}'), 'unknown'],
  ['code in a list', says('{"code":[200]}'), 'unknown'],
  ['a code only deeper', says('{"data":{"code":200}}'), 'unknown'],
  ['a code only in the prototype', says('{"__proto__":{"code":200}}'), 'unknown'],
  ['code given twice, contradicting', says('{"code":500,"code":200}'), 'unknown'],
  ['code given twice, as number and string', says('{"code":"200","code":200}'), 'unknown'],
  ['a contradiction deeper', says('{"code":200,"data":{"a":1,"a":2}}'), 'unknown'],
  ['an object without a code', says('{}'), 'unknown'],
  ['202 with {}', says('{}', 202), 'unknown'],
  ['[]', says('[]'), 'unknown'],
  ['[{"code":200}]', says('[{"code":200}]'), 'unknown'],
  ['"ok"', says('"ok"'), 'unknown'],
  ['null', says('null'), 'unknown'],
  ['200', says('200'), 'unknown'],
  ['two values', says('{"code":200}{"code":200}'), 'unknown'],
  ['a trailing comma', says('{"code":200,}'), 'unknown'],
  ['a deep nest', says(`{"code":200,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), 'unknown'],
  ['empty', { name: 'empty' }, 'unknown'],
  ['204', { name: 'empty', status: 204 }, 'unknown'],
  ['an HTML page', { name: 'html' }, 'unknown'],
  ['an HTML page at 404', { name: 'html', status: 404 }, 'unknown'],
  ['an HTML page at 401', { name: 'html', status: 401 }, 'unknown'],
  ['421 without JSON, sent once', { name: 'html', status: 421 }, 'unknown'],
  ['429 without JSON, sent once', { name: 'rate_limit', retryAfter: '0' }, 'unknown'],
  ['compressed, with the header', { name: 'gzip' }, 'unknown'],
  ['compressed, without the header', { name: 'gzip', header: false }, 'unknown'],
  ['plain, with the header of compression', { name: 'gzip_claimed' }, 'unknown'],
  ['larger than the cap', { name: 'oversized' }, 'unknown'],
  ['cut, with a length', { name: 'cut', framing: 'length' }, 'unknown'],
  ['cut, without a length', { name: 'cut', framing: 'close' }, 'unknown'],
  ['cut, chunked', { name: 'cut', framing: 'chunked' }, 'unknown'],
  ['reset before the answer', { name: 'reset_before_answer' }, 'unknown'],
  ['reset after half an answer', { name: 'reset_mid_answer' }, 'unknown'],
  ['not HTTP', { name: 'garbage' }, 'unknown'],
  ...[300, 301, 302, 303, 304, 307, 308].map(
    (status): Row => [`redirect ${status}, not followed`, { name: 'redirect', status }, 'unknown'],
  ),
  ...[500, 501, 502, 503, 504].flatMap((status): Row[] => [
    [`${status} with a body that says yes`, { name: 'status', status }, 'unknown'],
    [`${status} with a refusal`, { name: 'refuse', status }, 'unknown'],
    [`${status} without a body`, { name: 'empty', status }, 'unknown'],
  ]),
];

describe('what an answer to a buy proves, with one POST each', () => {
  test.each(ROWS)('%s', async (_rule, misbehaviour, outcome) => {
    await expectProof('create', BUY, misbehaviour, outcome);
  });
});

describe('an answer to a renewal proves the same', () => {
  test.each<Row>([
    ['as documented', { name: 'as_documented' }, 'completed'],
    ['code 402 at 200', { name: 'refuse' }, 'declined'],
  ])('%s', async (_rule, misbehaviour, outcome) => {
    await expectProof('renew', RENEW, misbehaviour, outcome);
  });
});

async function expectProof(endpoint: Endpoint, order: VendorOrder, misbehaviour: Misbehaviour, outcome: Outcome) {
  const { local, vendor } = await setUp();
  local.addOrder({ id: '9007199254740993' });
  local.next(endpoint, misbehaviour);
  const answer = await vendor.send(order, YES);
  expect(answer.outcome, answer.why).toBe(outcome);
  expect(answer.startedAt).not.toBeNull();
  expect(local.posts).toBe(1);
  expect(local.requests).toHaveLength(1);
}

describe('an answer that does not come within the deadline is unknown, and nobody waits for it any longer', () => {
  test.each<readonly [string, Endpoint, Misbehaviour]>([
    ['never an answer, order carried out', 'create', { name: 'time_out', charge: true }],
    ['never an answer, order not carried out', 'create', { name: 'time_out', charge: false }],
    ['a body that drips', 'create', { name: 'drip', everyMs: 200 }],
    ['an answer that is held', 'create', { name: 'hold' }],
    ['a connection that is accepted and never read', 'connection', { name: 'never_read' }],
  ])('%s', async (_rule, endpoint, misbehaviour) => {
    const { local, vendor } = await setUp({ timeoutMs: SOON_OVER_MS });
    local.next(endpoint, misbehaviour);
    const answer = await vendor.send(BUY, YES);
    expect(answer).toMatchObject({
      outcome: 'unknown',
      why: expect.stringMatching(/did not answer within 1 s|the time allowed had passed/),
    });
    expect(local.posts).toBeLessThanOrEqual(1);
  });
});

test('a connection that is reset when the request has started is unknown, though nobody has read a byte of it', async () => {
  const accepted = Promise.withResolvers<Socket>();
  const { port } = closeAfterwards(await listening((socket) => accepted.resolve(socket)));
  const mayStart = () => {
    void accepted.promise.then((socket) => socket.resetAndDestroy());
    return true;
  };
  const answer = await client(`http://127.0.0.1:${port}`).send(BUY, { mayStart });
  expect(answer).toMatchObject({ outcome: 'unknown', startedAt: expect.any(Number) });
  expect(answer.why).toContain('the connection broke');
});

test('an answer that breaks off is unknown, and still says by its status that the token is not accepted', async () => {
  const broken = (socket: Socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 401 no\r\ncontent-length: 99\r\n\r\n{'));
  const { port } = closeAfterwards(await listening(broken));
  const answer = await client(`http://127.0.0.1:${port}`).send(BUY, YES);
  expect(answer).toMatchObject({ outcome: 'unknown', httpStatus: 401, unauthorized: true });
});

test('each POST has a connection of its own', async () => {
  const { local, vendor } = await setUp();
  await vendor.send(BUY, YES);
  await vendor.send(BUY, YES);
  expect(local.requests.map((request) => request.connection)).toEqual([1, 2]);
});

/** A port that reads nothing of what comes. */
async function listening(accept: (socket: Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(accept).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
