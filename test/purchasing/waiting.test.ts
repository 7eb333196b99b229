import { expect, test } from 'vitest';
import type { BalanceReading } from '../../src/purchasing/model/answer.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { LaneView } from '../../src/purchasing/ports/ledger.ts';
import { laneStanding } from '../../src/purchasing/rules/waiting.ts';
import { inState, NOW } from './fixture.ts';

const sending = inState('sending');
const first: Purchase = { ...inState('approved'), id: 'P-FIRST', changedAt: NOW - 60_000 };
const later: Purchase = { ...first, id: 'P-LATER', changedAt: NOW - 30_000 };
const asked: Purchase = { ...first, sendAfter: NOW + 5_000 };
const ofBatch: Purchase = { ...first, batch: { id: 'B-1', place: 0 } };
const unread: BalanceReading = { ok: false, at: NOW, why: 'the vendor answered with status 502' };

const IDLE: Pick<LaneView, 'sending' | 'next' | 'frozen' | 'firstReadingDue'> = {
  sending: null,
  next: null,
  frozen: false,
  firstReadingDue: false,
};

test.each<[string, Partial<typeof IDLE>, Purchase[], BalanceReading | null, string]>([
  ['nothing is approved', {}, [], null, 'nothing'],
  ['it is next', { next: first }, [later, first], null, 'P-FIRST: rights and balance are being asked for'],
  ['another one is sent', { sending, next: first }, [first], null, 'P-FIRST: one purchase is sent at a time'],
  ['spending is frozen', { frozen: true, next: first }, [first], unread, 'P-FIRST: spending is frozen'],
  [
    'a reading is due',
    { firstReadingDue: true, next: first },
    [first],
    null,
    'P-FIRST: the balance after the one before is read first',
  ],
  [
    'the balance is unreadable',
    { next: first },
    [first],
    unread,
    'P-FIRST: the balance could not be read: the vendor answered with status 502',
  ],
  [
    'rights were unreadable',
    {},
    [asked],
    null,
    'P-FIRST: the rights of the people concerned could not be read; they are asked again',
  ],
  [
    'its batch waits for money',
    {},
    [{ ...asked, why: 'the balance is used up' }],
    null,
    'P-FIRST: the balance is used up',
  ],
  ['its batch has an unknown row', {}, [ofBatch], null, 'P-FIRST: another row of its batch has to be settled first'],
  ['it is too old', {}, [first], null, 'P-FIRST: it is too old, and expires'],
])('what is sent next, and why not yet, where %s', (_, lane, approved, reading, expected) => {
  const found = laneStanding({ lane: { ...IDLE, ...lane }, approved, reading, now: NOW });
  expect(found.next ? `${found.next.purchase.id}: ${found.next.why}` : 'nothing').toBe(expected);
  expect(found.sending).toBe(lane.sending ?? null);
});
