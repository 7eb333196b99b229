import { describe, expect, test } from 'vitest';
import type { ChangeFacts } from '../../src/purchasing/model/change.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { decideReading } from '../../src/purchasing/rules/answers.ts';
import { attempt, changeFacts, inState, money, NOW } from './fixture.ts';

// The balance before the attempt was $20.00.

const refused = inState('sending', { attempt: attempt({ refused: true }), why: 'no stock' });
const declined = inState('declined', { why: 'no stock' });
const notSent = inState('declined', { declinedHow: 'not_sent' });
const settled = inState('declined', { declinedHow: 'settled' });
const FELL = 'the vendor refused it, but the balance fell';

const decide = (purchase: Purchase, balance: string | null, facts: Partial<ChangeFacts> = {}, attemptId = 'a1') =>
  decideReading(
    purchase,
    changeFacts(facts),
    { attemptId, nth: 1 },
    balance === null ? { ok: false, at: NOW, why: 'status 502' } : { ok: true, at: NOW, balance: money(balance) },
  );

describe('a reading', () => {
  test.each<[string, Purchase, string | null, Partial<ChangeFacts>, string | undefined, string | undefined]>([
    ['of the same balance makes a no declined', refused, '20', {}, 'declined', 'no stock'],
    ['of a higher balance does too', refused, '25.00', {}, 'declined', 'no stock'],
    [
      'that failed does too, and says so',
      refused,
      null,
      {},
      'declined',
      'no stock (the balance could not be compared)',
    ],
    ['of a cent less makes it unknown', refused, '19.99', {}, 'unknown', FELL],
    ['of a balance below zero makes it unknown', refused, '-1', {}, 'unknown', FELL],
    ['after another was sent proves nothing', refused, '1', { sentSince: true }, 'declined', 'no stock'],
    ['that fell later contradicts what is declined', declined, '19.99', {}, 'unknown', FELL],
    [
      'that fell contradicts "never sent" as well',
      notSent,
      '1',
      {},
      'unknown',
      'nothing was sent, but the balance fell',
    ],
    ['that fell after another was sent does not', declined, '1', { sentSince: true }, undefined, undefined],
    ['that did not fall does not', declined, '20.00', {}, undefined, undefined],
    ['that failed does not', declined, null, {}, undefined, undefined],
    ['never moves what a person has settled', settled, '1', {}, undefined, undefined],
    ['never moves what is completed', inState('completed'), '1', {}, undefined, undefined],
    ['never moves what is unknown', inState('unknown'), '20.00', {}, undefined, undefined],
    ['never moves what waits for its answer', inState('sending'), '1', {}, undefined, undefined],
    [
      'never moves what is to be tried again',
      inState('approved', { attempt: attempt() }),
      '1',
      {},
      undefined,
      undefined,
    ],
  ])('%s', (_, purchase, balance, facts, to, why) => {
    const change = decide(purchase, balance, facts);
    expect([change.to, change.set?.why]).toEqual([to, why]);
    expect(change.taken).toBe(1);
    expect(change.entries).toMatchObject([
      { detail: { kind: 'reading', nth: 1, balance, readAt: NOW, alone: !facts.sentSince } },
    ]);
  });

  test('that was asked for before the attempt under way says nothing of it, and is not taken', () => {
    expect(decide(refused, '1', {}, 'a0')).toEqual({ result: refused, by: 'desk' });
  });
});
