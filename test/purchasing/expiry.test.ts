import { describe, expect, test } from 'vitest';
import type { ChangeFacts } from '../../src/purchasing/model/change.ts';
import { type Purchase, STATES } from '../../src/purchasing/model/purchase.ts';
import { decideOverdue, OVERDUE_GRACE_MS } from '../../src/purchasing/rules/answers.ts';
import { decideExpiry } from '../../src/purchasing/rules/decisions.ts';
import { attempt, changeFacts, FREEZE, inState, NOW, said } from './fixture.ts';

const late = { expiresAt: NOW, sendBy: NOW };

describe('time', () => {
  test.each<[string, Purchase, Partial<ChangeFacts>, string | undefined]>([
    ['ends what nobody decided', inState('requested', late), {}, 'nobody decided in time'],
    ['not a moment before', inState('requested', { expiresAt: NOW + 1 }), {}, undefined],
    ['ends what could not be sent', inState('approved', late), {}, 'it was approved, but could not be sent in time'],
    ['not a moment before, either', inState('approved', { sendBy: NOW + 1 }), {}, undefined],
    [
      'says that a freeze was why',
      inState('approved', late),
      { freeze: FREEZE },
      'it was approved, but spending stayed frozen until it was too old',
    ],
  ])('%s', (_, purchase, facts, why) => {
    const { to, set, by } = decideExpiry(purchase, changeFacts(facts));
    expect([to, set?.why, by]).toEqual([why && 'expired', why, 'desk']);
  });

  test.each(STATES.filter((state) => state !== 'requested' && state !== 'approved'))(
    'does not touch what is %s',
    (state) => {
      const change = decideExpiry(inState(state, late), changeFacts());
      expect([said(change.result), change.to, change.entries]).toEqual(['refused: wrong_state', undefined, undefined]);
    },
  );
});

describe('a process that was sending and is gone', () => {
  const overdue = (deadline: number, overrides: Partial<Purchase> = {}) =>
    decideOverdue(
      inState('sending', { attempt: attempt({ deadline }), ...overrides }),
      changeFacts(),
      OVERDUE_GRACE_MS,
    );

  test.each<[string, number, Partial<Purchase>, string | undefined]>([
    ['leaves it unknown 15 s after the deadline', NOW - 15_000, {}, 'unknown'],
    ['may be alive until then', NOW - 14_999, {}, undefined],
    ['leaves a stored no to its reading', 0, { attempt: attempt({ deadline: 0, refused: true }) }, undefined],
    ['leaves alone what has moved on', 0, { state: 'completed' }, undefined],
    ['leaves alone what is to be tried again', 0, { state: 'approved' }, undefined],
  ])('%s', (_, deadline, overrides, to) => {
    const change = overdue(deadline, overrides);
    expect(change.to).toBe(to);
    expect(change.readings?.length).toBe(to && 3);
  });
});
