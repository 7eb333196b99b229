import { describe, expect, test } from 'vitest';
import type { ChangeFacts } from '../../src/purchasing/model/change.ts';
import type { Attempt, Purchase } from '../../src/purchasing/model/purchase.ts';
import { type Departure, decideSending, declineUnsent } from '../../src/purchasing/rules/sending.ts';
import {
  attempt,
  changeFacts,
  FREEZE,
  type GivenPolicy,
  inState,
  money,
  NOW,
  policy,
  said,
  twin,
  YEARLY,
} from './fixture.ts';

const departure: Departure = {
  attemptId: 'a2',
  answerWithinMs: 30_000,
  balance: money('20.00'),
  balanceAt: NOW - 100,
  lastSending: 7,
};
const tried = (number: number, ago: number) => ({ attempt: attempt({ id: 'a1', number, firstAt: NOW - ago }) });
const confirmed = { approver: null, quantity: 5 };
const free = { freeUpTo: 5 };

describe('what is approved', () => {
  test.each<[string, Partial<Purchase>, Partial<ChangeFacts>, GivenPolicy, string]>([
    ['is sent', {}, {}, {}, 'sent'],
    ['waits while spending is frozen', {}, { freeze: FREEZE }, {}, 'waits: spending is frozen'],
    ['waits while another is sent', {}, { laneBusy: true }, {}, 'waits: another purchase is being sent'],
    ['waits where another was sent since', {}, { lastSending: 8 }, {}, 'waits: another purchase was sent meanwhile'],
    ['is sent in the last moment', { sendBy: NOW + 1 }, {}, {}, 'sent'],
    ['is left to its expiry then', { sendBy: NOW }, {}, {}, 'waits: it is too old'],
    ['is tried a second time', tried(1, 59_000), {}, {}, 'sent'],
    ['is tried a third time, a minute after the first', tried(2, 60_000), {}, {}, 'sent'],
    [
      'is not tried later than that',
      tried(2, 60_001),
      {},
      {},
      'declined: it could not be sent within 60 s of the first try',
    ],
    ['is not tried a fourth time', tried(3, 1_000), {}, {}, 'declined: it could not be sent in 3 tries'],
    [
      'is declined where its plan is gone',
      { plan: YEARLY },
      {},
      {},
      'declined: the plan Static residential, yearly is no longer offered',
    ],
    [
      'is declined over the limit of an order',
      { quantity: 501 },
      {},
      {},
      'declined: the limit is now 500 IPs an order',
    ],
    [
      'is declined over the limit of a day',
      { quantity: 2 },
      { countedBefore: 999 },
      {},
      'declined: the limit is now 1000 IPs a person in 24 h',
    ],
    ['is sent within the allowance without an approver', confirmed, {}, free, 'sent'],
    [
      'needs an approver where the allowance is smaller now',
      confirmed,
      { countedBefore: 1 },
      free,
      'declined: it now needs approval, and has none',
    ],
    ['needs none where it has one', { quantity: 5 }, { countedBefore: 1 }, free, 'sent'],
    ['needs none with approvals off', { ...confirmed, quantity: 500 }, {}, 'off', 'sent'],
    [
      'is declined beside the same that is being sent',
      {},
      { twin: twin('sending') },
      {},
      'declined: another purchase of the same content, P-TWIN, is sending',
    ],
    [
      'is declined beside the same that is unknown',
      {},
      { twin: twin('unknown') },
      {},
      'declined: another purchase of the same content, P-TWIN, is unknown',
    ],
    [
      'waits for a freeze before all else',
      tried(3, 1),
      { freeze: FREEZE, twin: twin('unknown') },
      {},
      'waits: spending is frozen',
    ],
  ])('%s', (_, overrides, facts, given, expected) => {
    const { result, to, set } = decideSending(
      inState('approved', overrides),
      changeFacts(facts),
      departure,
      policy(given),
    );
    const outcome =
      'entered' in result ? 'sent' : 'waits' in result ? `waits: ${result.waits}` : `declined: ${set?.why}`;
    expect(outcome).toBe(expected);
    expect(to).toBe({ sent: 'sending', waits: undefined, declined: 'declined' }[expected.split(':')[0] ?? '']);
    if (to === 'declined') expect(set?.declinedHow).toBe('not_sent');
  });

  test.each(['requested', 'sending', 'completed', 'declined', 'unknown', 'rejected', 'withdrawn', 'expired'] as const)(
    'and %s by now is not sent, nor declined for it',
    (state) => {
      const change = decideSending(inState(state), changeFacts(), departure, policy({}));
      expect(change).toEqual({ result: { refused: 'gone' }, by: 'desk' });
      expect(said(declineUnsent(inState(state), 'x').result)).toBe('refused: wrong_state');
    },
  );
});

describe('an attempt', () => {
  const entered = (overrides: Partial<Purchase>) =>
    decideSending(inState('approved', overrides), changeFacts(), departure, policy({})).set?.attempt;
  const begun: Partial<Attempt> = {
    id: 'a2',
    at: NOW,
    deadline: NOW + 30_000,
    balanceBefore: money('20.00'),
    balanceBeforeAt: NOW - 100,
    refused: false,
  };

  test('has an id, its deadline and the balance before', () => {
    expect(entered({})).toEqual({ ...begun, number: 1, firstAt: NOW });
  });

  test('after another counts on, from the first', () => {
    expect(entered(tried(1, 5_000))).toEqual({ ...begun, number: 2, firstAt: NOW - 5_000 });
  });
});
