import { describe, expect, test } from 'vitest';
import { approveView, decodeReject, rejectView } from '../../views/approval/decide.ts';
import { decodeOrderId, orderIdView } from '../../views/status/order-id.ts';
import { decodeSettle, settleView } from '../../views/unknown/settle.ts';
import { blockIds, RECORDS, RENEWAL, readsAs } from './fixture.ts';

describe('Approve and Reject', () => {
  test('repeat the content, and each has its submit', () => {
    for (const view of [approveView('d1', RECORDS.requested()), rejectView('d1', RECORDS.requested())]) {
      expect(view.private_metadata).toBe('d1');
      expect(readsAs(view)).toMatch(/@U0SAM.*15 IPs.*\(US\): 10.*Reason: crawler/s);
    }
    expect(approveView('d1', RECORDS.requested()).submit?.text).toBe('Approve');
    expect(rejectView('d1', RECORDS.requested()).submit?.text).toBe('Reject');
    expect(readsAs(approveView('d1', RECORDS.requested()))).toMatch(/real money is spent/);
  });

  test('a rejection needs a reason', () => {
    const read = (value: string | null) => decodeReject({ reason: { reason: { value } } });
    expect(read('too many')).toEqual({ ok: true, content: 'too many' });
    for (const empty of ['', '  ', null])
      expect(read(empty)).toEqual({ ok: false, errors: { reason: 'Say in a few words why.' } });
    expect(read('x'.repeat(501)).ok).toBe(false);
    expect(decodeReject({}).ok).toBe(false);
  });
});

describe('settling', () => {
  const values = (note: string, orderId?: string) => ({
    note: { note: { value: note } },
    ...(orderId === undefined ? {} : { order_id: { order_id: { value: orderId } } }),
  });

  test('asks for the order id only where a buy was placed', () => {
    expect(blockIds(settleView('d', RECORDS.unknown(), true))).toEqual(['note', 'order_id']);
    expect(blockIds(settleView('d', RECORDS.unknown(), false))).toEqual(['note']);
    expect(blockIds(settleView('d', RECORDS.unknown(RENEWAL), true))).toEqual(['note']);
  });

  test('says what it means for the money', () => {
    expect(readsAs(settleView('d', RECORDS.unknown(), true))).toMatch(/It was placed.*money was spent/s);
    expect(readsAs(settleView('d', RECORDS.unknown(), false))).toMatch(/It was not placed.*paid for, again/s);
  });

  test.each([
    [
      'a note alone',
      values('seen it'),
      { placed: true, kind: 'buy' },
      { placed: true, note: 'seen it', orderId: null },
    ],
    [
      'with an id, every digit kept',
      values('seen it', '#009007199254740993'),
      { placed: true, kind: 'buy' },
      { placed: true, note: 'seen it', orderId: '9007199254740993' },
    ],
    [
      'an id left empty',
      values('seen it', ' '),
      { placed: true, kind: 'buy' },
      { placed: true, note: 'seen it', orderId: null },
    ],
    [
      'not placed',
      values('not there', '12'),
      { placed: false, kind: 'buy' },
      { placed: false, note: 'not there', orderId: null },
    ],
    [
      'a renewal',
      values('seen it', '12'),
      { placed: true, kind: 'renew' },
      { placed: true, note: 'seen it', orderId: null },
    ],
  ] as const)('%s', (_, typed, of, settlement) => {
    expect(decodeSettle(typed, of)).toEqual({ ok: true, content: settlement });
  });

  test('what is wrong stands at its field', () => {
    expect(decodeSettle(values('', 'abc'), { placed: true, kind: 'buy' })).toEqual({
      ok: false,
      errors: { note: 'Say how you know.', order_id: 'abc is not an order id: an order id is digits only.' },
    });
  });
});

describe('the order id', () => {
  test.each([
    ['00123', '123'],
    ['#123', '123'],
    ['１２３', '123'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s', (typed, orderId) => {
    expect(decodeOrderId({ order_id: { order_id: { value: typed } } })).toEqual({ ok: true, content: orderId });
  });

  test.each(['', '12a', '-5', '1e3', '0', '9'.repeat(41)])('%j is refused at its field', (typed) => {
    const decoded = decodeOrderId({ order_id: { order_id: { value: typed } } });
    expect(decoded.ok).toBe(false);
    if (!decoded.ok) expect(Object.keys(decoded.errors)).toEqual(['order_id']);
  });

  test('is asked for with what was bought', () => {
    expect(readsAs(orderIdView('d', RECORDS.completed({ orderId: '12' })))).toMatch(
      /Bought\n15 IPs.*So far: 12.*Order id:/s,
    );
  });
});
