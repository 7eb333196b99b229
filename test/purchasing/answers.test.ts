import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/purchasing/model/answer.ts';
import type { ChangeFacts } from '../../src/purchasing/model/change.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { type Purchase, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import { decideAnswer } from '../../src/purchasing/rules/answers.ts';
import { answer, attempt, changeFacts, inState, NOW } from './fixture.ts';

const OUTCOMES: Readonly<Record<string, Partial<Answer>>> = {
  yes: { outcome: 'completed' },
  no: { outcome: 'declined', why: 'code 402', vendorText: 'no stock' },
  'nothing clear': { outcome: 'unknown', why: 'it was reset' },
  'never left': { outcome: 'not_sent', why: 'refused' },
};
const decide = (said: string, overrides: Partial<Purchase> = {}, facts: Partial<ChangeFacts> = {}) =>
  decideAnswer(
    inState('sending', overrides),
    changeFacts(facts),
    overrides.attempt ?? attempt(),
    answer(OUTCOMES[said]),
  );
const thirdTry = { attempt: attempt({ number: 3 }) };
const longAgo = { attempt: attempt({ firstAt: NOW - 58_000 }) };
const lately = { attempt: attempt({ firstAt: NOW - 57_000 }) };

describe('an answer to what is being sent', () => {
  test.each<[string, string, Partial<Purchase>, State | undefined, object]>([
    ['that says yes completes it', 'yes', {}, 'completed', { why: 'the vendor said yes' }],
    [
      'that says no waits for the reading',
      'no',
      {},
      undefined,
      { attempt: attempt({ refused: true }), why: 'no stock' },
    ],
    ['that is not clear makes it unknown', 'nothing clear', {}, 'unknown', { why: 'it was reset' }],
    ['that nothing left has it tried in 3 s', 'never left', lately, 'approved', { sendAfter: NOW + 3_000 }],
    ['that nothing left the third time declines it', 'never left', thirdTry, 'declined', { declinedHow: 'not_sent' }],
    ['that nothing left for a minute declines it', 'never left', longAgo, 'declined', { declinedHow: 'not_sent' }],
  ])('%s', (_, said, overrides, to, set) => {
    const change = decide(said, overrides);
    expect(change.to).toBe(to);
    expect(change.set).toMatchObject(set);
    expect(change.entries).toMatchObject([{ detail: { kind: 'answer', attemptId: 'a1', late: false } }]);
  });

  test.each([
    ['yes', 'at once, in 10 s and in 60 s', [0, 10_000, 60_000]],
    ['no', 'at once, in 10 s and in 60 s', [0, 10_000, 60_000]],
    ['nothing clear', 'at once, in 10 s and in 60 s', [0, 10_000, 60_000]],
    ['never left', 'once before the next try', [0]],
  ])('(%s) has the balance read %s', (said, _, after) => {
    expect(decide(said, lately).readings).toEqual(after.map((ms, nth) => ({ nth, dueAt: NOW + ms })));
  });
});

describe('an answer moves nothing, and is kept as evidence', () => {
  test.each([
    ...STATES.filter((state) => state !== 'sending').map(
      (state) => [`that comes when it is ${state}`, inState(state, { attempt: attempt() })] as const,
    ),
    ['that comes after the vendor’s no', inState('sending', { attempt: attempt({ refused: true }) })],
  ] as const)('%s', (_, purchase) => {
    for (const said of Object.keys(OUTCOMES)) {
      const { entries, ...rest } = decideAnswer(purchase, changeFacts(), attempt(), answer(OUTCOMES[said]));
      expect(entries).toMatchObject([{ detail: { kind: 'answer', late: true } }]);
      expect(rest, said).toEqual({ result: 'late', by: 'desk' });
    }
  });
});

describe('an answer for an attempt that the ledger does not know', () => {
  const forgotten = attempt({ id: 'forgotten' });
  const answerTo = (purchase: Purchase, said: string) =>
    decideAnswer(purchase, changeFacts(), forgotten, answer(OUTCOMES[said]));

  test.each([
    ...(['requested', 'approved', 'declined', 'rejected', 'withdrawn', 'expired'] as const).map(
      (state) => [`makes unknown what is ${state}`, inState(state)] as const,
    ),
    ['makes unknown what another attempt is sending', inState('sending', { attempt: attempt({ id: 'a2' }) })],
  ] as const)('%s', (_, purchase) => {
    for (const said of ['yes', 'no', 'nothing clear']) {
      const change = answerTo(purchase, said);
      expect(change).toMatchObject({ to: 'unknown', result: 'forgotten', entries: [{ detail: { kind: 'answer' } }] });
      expect(change.wentBack).toContain(purchase.id);
    }
  });

  test.each([
    ['completed', inState('completed')],
    ['unknown', inState('unknown')],
    ['settled as not placed', inState('declined', { declinedHow: 'settled' })],
  ] as const)('moves nothing that is %s, and people are told', (_, purchase) => {
    const change = answerTo(purchase, 'yes');
    expect(change.to).toBeUndefined();
    expect(change.notices).toMatchObject([{ kind: 'alert' }]);
    expect(change.wentBack).toContain(purchase.id);
  });

  test('that says that nothing left is evidence, and no more', () => {
    expect(answerTo(inState('approved'), 'never left')).toMatchObject({ result: 'late', entries: [{}] });
    expect(answerTo(inState('approved'), 'never left').wentBack).toBeUndefined();
  });
});

describe('the order id in a yes', () => {
  test.each<[string, readonly OrderId[], Partial<Purchase>, string | null, string | undefined]>([
    ['is kept where it is exactly one', ['12'], {}, null, '12'],
    ['is kept where this purchase holds it already', ['12'], {}, inState('sending').id, '12'],
    ['is not taken from another purchase', ['12'], {}, 'P-OTHER', undefined],
    ['counts as not found where there are two', ['12', '13'], {}, null, undefined],
    ['counts as not found where there is none', [], {}, null, undefined],
    ['does not change the order that a renewal names', ['12'], { kind: 'renew', orderId: '77' }, null, undefined],
  ])('%s', (_, orderIds, overrides, orderIdHolder, kept) => {
    const facts = changeFacts({ orderIdHolder });
    const { set, to } = decideAnswer(inState('sending', overrides), facts, attempt(), answer({ orderIds }));
    expect(to).toBe('completed');
    expect(set?.orderId).toBe(kept);
  });
});
