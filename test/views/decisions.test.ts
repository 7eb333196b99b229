import { describe, expect, test } from 'vitest';
import { approveView, type DecisionSubject, decodeReject, rejectView } from '../../views/approval.ts';
import { decodeOrderId, orderIdView } from '../../views/order-id.ts';
import { decodeSettle, settleView } from '../../views/unknown.ts';
import {
  ANN,
  attempt,
  blockIds,
  FREEZE,
  facts,
  MONTHLY,
  move,
  NOW,
  purchase,
  RECORDS,
  RENEWAL,
  readsAs,
  record,
  SAM,
  YEARLY,
} from './fixture.ts';

const subject = (overrides: Partial<DecisionSubject> = {}): DecisionSubject => ({
  record: RECORDS.requested(),
  now: NOW,
  order: null,
  freeze: null,
  twoPeople: null,
  costs: new Map(),
  ...overrides,
});

describe('Approve and Reject', () => {
  test('repeat the content, and each has its submit', () => {
    for (const view of [approveView('d1', subject()), rejectView('d1', subject())]) {
      expect(view.private_metadata).toBe('d1');
      expect(readsAs(view)).toMatch(/@U0SAM.*15 IPs.*United States: 10.*[Rr]eason: crawler/s);
    }
    expect(approveView('d1', subject()).submit?.text).toBe('Approve');
    expect(rejectView('d1', subject()).submit?.text).toBe('Reject');
    expect(readsAs(approveView('d1', subject()))).toMatch(/real money is spent/);
  });

  test('say that it is a repeat, of what and how long ago, and that it is paid a second time', () => {
    const repeats = { id: 'P-FIRST', state: 'completed', requester: ANN, changedAt: NOW - 14 * 60_000 };
    const repeat = record({}, [move(null, 'requested', SAM, { repeats })]);
    for (const view of [approveView('d1', subject({ record: repeat })), rejectView('d1', subject({ record: repeat }))])
      expect(readsAs(view)).toMatch(
        /Repeat: the same was completed 14 min ago \(request P-FIRST, asked for by @U0ANN\)\. If approved, it is paid a second time/,
      );
    expect(readsAs(approveView('d1', subject()))).not.toMatch(/Repeat/);
  });

  test('of a renewal say another plan, one just before, and until when it runs', () => {
    const bought = purchase({ state: 'completed', attempt: attempt({ at: NOW - 40 * 86_400_000 }) });
    const renewed = purchase({
      ...RENEWAL,
      state: 'completed',
      requester: ANN,
      attempt: attempt({ at: NOW - 20 * 60_000 }),
    });
    const of = subject({
      record: RECORDS.requested({ ...RENEWAL, plan: YEARLY }),
      order: facts({ bought, renewals: [renewed] }),
    });
    const text = readsAs(approveView('d1', of));
    expect(text).toMatch(
      /Another plan: last paid was Static residential, monthly, this pays for Static residential, yearly/,
    );
    expect(text).toMatch(/Renewed already: 20 min ago, by @U0ANN/);
    expect(text).toMatch(/Ends about .*, computed by us/);
    const same = subject({ record: RECORDS.requested({ ...RENEWAL, plan: MONTHLY }), order: facts({ bought }) });
    expect(readsAs(approveView('d1', same))).not.toMatch(/Another plan|Renewed already/);
  });

  test('while spending is frozen Approve says that it waits', () => {
    expect(readsAs(approveView('d1', subject({ freeze: FREEZE })))).toMatch(
      /as soon as spending is no longer frozen.*Spending is frozen by @U0ANN/s,
    );
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
    expect(readsAs(settleView('d', RECORDS.unknown(), true))).toMatch(/It was placed.*its money as spent/s);
    expect(readsAs(settleView('d', RECORDS.unknown(), false))).toMatch(/It was not placed.*asked and paid for again/s);
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
    expect(readsAs(orderIdView('d', RECORDS.completed()))).toMatch(/Bought\n15 IPs.*Order id:/s);
  });
});
