import { describe, expect, test } from 'vitest';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import {
  answerLines,
  balanceLines,
  canEnterOrderId,
  decisionLine,
  hasAnswerToShow,
  historyLines,
  orderIdLine,
  settlementLine,
} from '../../views/history.ts';
import { ANN, answered, attempt, entry, move, purchase, RECORDS, RENEWAL, reading, record, SAM } from './fixture.ts';

const sent = { approver: ANN, attempt: attempt() } as const;
const sending = move('approved', 'sending');

describe('balances', () => {
  test('come with the time, and the difference as observed, never as a price', () => {
    const lines = balanceLines(record({ ...sent, state: 'completed' }, [sending, reading('12.50')]));
    expect(lines).toEqual([
      expect.stringMatching(
        /^Balance \$20\.00 → \$12\.50 \(−\$7\.50\), read <!date\^\d+\^\{time\}\|14:02 UTC> · observed, not a quoted price$/,
      ),
    ]);
  });

  test('a completed purchase says where it did not cost what was expected, and does not guess why', () => {
    const cost = { amount: '7.50' as Money, divisor: '1', oldest: 0, since: 0, latest: 0, observations: 1 };
    const filed = move(null, 'approved', ANN, { cost });
    const said = (after: string) =>
      balanceLines(record({ ...sent, state: 'completed' }, [filed, sending, reading(after)])).join('\n');
    expect(said('2.50')).toContain(
      '*Expected were about $7.50* at prices observed: a price has changed, or money moved by another way meanwhile.',
    );
    expect(said('13.00')).toContain('Expected were about $7.50');
    for (const asExpected of ['12.50', '12.43', '20.00', '50.00']) expect(said(asExpected)).not.toContain('Expected');
    const cheap = record({ ...sent, state: 'unknown' }, [filed, sending, reading('2.50')]);
    expect(balanceLines(cheap).join()).not.toContain('Expected');
  });

  test('a completed purchase says that the balance has not moved from the first reading on, until it has', () => {
    const still = record({ ...sent, state: 'completed' }, [sending, reading('20.0')]);
    expect(balanceLines(still).join()).toContain('the balance has not moved');
    const moved = record({ ...sent, state: 'completed' }, [sending, reading('20.0'), reading('12.5')]);
    expect(balanceLines(moved).join()).not.toContain('has not moved');
  });

  test('one that could not be read says so, and is no zero', () => {
    const lines = balanceLines(record({ ...sent, state: 'declined', declinedHow: 'vendor' }, [sending, reading(null)]));
    expect(lines.join()).toMatch(/could not be read/);
    expect(lines.join()).toMatch(/balance could not be compared/);
    expect(lines.join()).not.toContain('$0');
  });

  test('readings that say the same are one line; one that says another amount is told as the next', () => {
    const completed = (...readings: Parameters<typeof record>[1] & object) =>
      balanceLines(record({ ...sent, state: 'completed' }, [sending, ...readings]));
    expect(completed(reading('12.50'), reading('12.50'), reading('12.50'))).toHaveLength(1);
    expect(completed(reading('20.00'), reading('12.50'), reading('1012.5'))).toEqual([
      expect.stringMatching(/^Balance \$20\.00 unchanged, read/),
      expect.stringMatching(/^Then it was \$12\.50 \(−\$7\.50\), read/),
      expect.stringMatching(/^Then it was \$1,012\.50 \(\+\$992\.50\), read/),
    ]);
  });

  test('before the first reading only the one before is there', () => {
    expect(balanceLines(record({ ...sent, state: 'sending' }, [sending]))).toEqual([
      expect.stringMatching(/^Balance before: \$20\.00, read <!date/),
    ]);
  });

  test('a reading after another purchase was sent proves nothing', () => {
    const lines = balanceLines(record({ ...sent, state: 'completed' }, [sending, reading('5', { alone: false })]));
    expect(lines.join()).toMatch(/another purchase was sent in between/);
    expect(lines.join()).not.toMatch(/difference|has not moved/);
  });

  test('readings of an earlier try that never left are left out', () => {
    const lines = balanceLines(
      record({ ...sent, state: 'sending' }, [sending, reading('99.00'), move('sending', 'approved'), sending]),
    );
    expect(lines).toHaveLength(1);
  });
});

describe('the order id', () => {
  const line = (ids: readonly OrderId[], orderId: OrderId | null = null, more = {}) =>
    orderIdLine(record({ ...sent, state: 'completed', orderId, ...more }, [sending, answered({ orderIds: ids })]));

  test.each<[string, readonly OrderId[], OrderId | null, RegExp]>([
    ['exactly one', ['9007199254740993'], '9007199254740993', /Order \*9007199254740993\*$/],
    ['none', [], null, /names no order id/],
    ['several', ['1', '2'], null, /names several: order id 1, 2\. None is taken/],
    ['one that another purchase holds', ['1'], null, /another purchase holds it/],
  ])('%s', (_, ids, orderId, words) => {
    expect(line(ids, orderId)).toMatch(words);
  });

  test('a renewal whose answer names another order says so', () => {
    expect(line(['5'], '4', { kind: 'renew' })).toMatch(/names order id 5, but order 4 was to be renewed/);
    expect(line(['4'], '4', { kind: 'renew' })).toBeNull();
  });

  test('one that a person entered says who', () => {
    const entered = record({ ...sent, state: 'completed', orderId: '7' }, [
      sending,
      answered(),
      entry({ kind: 'order_id', orderId: '7', before: null }, { by: SAM }),
    ]);
    expect(orderIdLine(entered)).toMatch(/\*7\* \(entered by <@U0SAM>\)/);
  });

  test.each([
    ['a completed buy without an id', { state: 'completed' }, true],
    ['one whose id is known', { state: 'completed', orderId: '7' }, false],
    ['a renewal', { ...RENEWAL, state: 'completed' }, false],
    ['one that is not completed', { state: 'unknown' }, false],
  ] as const)('can be entered for %s: %o', (_, of, may) => {
    expect(canEnterOrderId(purchase(of))).toBe(may);
  });
});

describe('who did what', () => {
  test('the approver and the time', () => {
    expect(decisionLine(RECORDS.completed())).toMatch(/^Approved by <@U0ANN>, <!date/);
    expect(decisionLine(RECORDS.rejected())).toMatch(/^Rejected <!date/);
  });

  test('a try that never left is no second approval', () => {
    const again = record({ state: 'approved', approver: ANN }, [
      move('requested', 'approved', ANN),
      sending,
      move('sending', 'approved'),
    ]);
    expect(decisionLine(again)).toContain('<@U0ANN>');
  });

  test('Buy now names the requester', () => {
    expect(decisionLine(record({ state: 'approved', needsApproval: false }))).toMatch(
      /Confirmed by <@U0SAM>.*no approval needed/,
    );
  });

  test('who settled, with the note', () => {
    const settled = record({ ...sent, state: 'completed', why: 'seen it' }, [
      sending,
      move('sending', 'unknown'),
      move('unknown', 'completed', ANN, { placed: true, note: 'seen it in the console', orderId: null }),
    ]);
    expect(settlementLine(settled)).toMatch(/^Settled as placed by <@U0ANN>, .*: “seen it in the console”$/);
  });

  test('a late answer is shown as evidence that moves nothing', () => {
    const late = record({ ...sent, state: 'unknown' }, [
      sending,
      move('sending', 'unknown'),
      answered({ vendorText: 'ok <!here>' }, true),
    ]);
    const story = historyLines(late).join('\n');
    expect(story).toMatch(/A late answer.*status 200, code 200.*It says: “ok &lt;!here&gt;”/);
    expect(story).toMatch(/moves nothing/);
  });
});

test('a plain yes is not told twice; any other answer is, with what it said', () => {
  const of = (state: 'completed' | 'declined', more: Parameters<typeof answered>[0]) =>
    answerLines(record({ ...sent, state }, [sending, answered(more)]));
  expect(of('completed', { vendorText: 'success' })).toEqual([]);
  expect(
    of('declined', { outcome: 'declined', why: 'the vendor refused it with code 402', code: '402', vendorText: 'no' }),
  ).toEqual(['The vendor refused it with code 402 (status 200, code 402). It says: “no”']);
});

test('the raw answer is never in the story, only whether there is one', () => {
  const secret = record({ ...sent, state: 'completed' }, [sending, answered({ rawBody: '{"password":"hunter2"}' })]);
  expect(historyLines(secret).join()).not.toContain('hunter2');
  expect(hasAnswerToShow(secret)).toBe(true);
  expect(hasAnswerToShow(RECORDS.unknown())).toBe(false);
});
