import { describe, expect, test } from 'vitest';
import type { Change, ChangeFacts } from '../../src/purchasing/model/change.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { type Purchase, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import {
  type Decided,
  decideApproval,
  decideOrderId,
  decideRejection,
  decideSettlement,
  decideWithdrawal,
  type Settlement,
  waitsFor,
} from '../../src/purchasing/rules/decisions.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import { ANN, BEN, CHANNEL, changeFacts, clickIn, inState, NOW, policy, SAM, said, somebody } from './fixture.ts';

// Sam has asked; Ann has approved or rejected where somebody has.

const placed: Settlement = { placed: true, note: 'in the console', orderId: '12' };
const samByHisId = somebody(SAM.user, 'W0OTHER', 'approve');
const samByThePerson = somebody('W0SAM', SAM.person, 'approve');
const buyer = somebody('U0BOB', 'W0BOB', 'buy', 'renew');
const notInGroup: Clicker = { user: BEN.user, allowed: { refused: 'not_in_group', right: 'approve' } };
const notReadable: Clicker = { user: BEN.user, allowed: { refused: 'rights_unreadable', retryAfterSeconds: 7 } };
const here = clickIn(CHANNEL);
const elsewhere = clickIn('C0OTHER');

type Act = (purchase: Purchase, facts: ChangeFacts) => Change<Decided>;
const approve =
  (by: Clicker): Act =>
  (purchase, facts) =>
    decideApproval(purchase, facts, by, policy({}));
const reject =
  (by: Clicker): Act =>
  (purchase, facts) =>
    decideRejection(purchase, facts, by, 'not now');
const withdraw =
  (by: Clicker, clicked = here): Act =>
  (purchase) =>
    decideWithdrawal(purchase, by, clicked, policy({}));
const settle =
  (by: Clicker, settlement = placed): Act =>
  (purchase, facts) =>
    decideSettlement(purchase, facts, by, settlement);
const enter =
  (by: Clicker, orderId: OrderId = '12', byVendor = false): Act =>
  (purchase, facts) =>
    decideOrderId(purchase, facts, by, orderId, byVendor);

/** Where the state stays it is no refusal and no transition: it was so already, or only evidence is added. */
const APPROVED_BY_ANN = ['approved', 'sending', 'completed', 'declined', 'unknown'] as const;
const staying = (...states: readonly State[]) => Object.fromEntries(states.map((state) => [state, state]));

describe('who may do what, in every state', () => {
  test.each<[string, Act, Partial<Record<State, string>>, otherwise: string]>([
    ['another approves what is requested', approve(BEN), { requested: 'approved' }, 'wrong_state'],
    [
      'who has approved may press again',
      approve(ANN),
      { requested: 'approved', ...staying(...APPROVED_BY_ANN) },
      'wrong_state',
    ],
    ['the requester never approves', approve(SAM), { requested: 'own_purchase' }, 'wrong_state'],
    [
      'the requester, known by the id alone, never approves',
      approve(samByHisId),
      { requested: 'own_purchase' },
      'wrong_state',
    ],
    [
      'the requester, known as a person alone, never approves',
      approve(samByThePerson),
      { requested: 'own_purchase' },
      'wrong_state',
    ],
    ['another rejects what is requested', reject(BEN), { requested: 'rejected' }, 'wrong_state'],
    ['who has rejected may press again', reject(ANN), { requested: 'rejected', ...staying('rejected') }, 'wrong_state'],
    ['the requester never rejects', reject(SAM), { requested: 'own_purchase' }, 'wrong_state'],
    [
      'the requester withdraws until it is sent',
      withdraw(SAM),
      { requested: 'withdrawn', approved: 'withdrawn' },
      'wrong_state',
    ],
    ['nobody else withdraws', withdraw(BEN), {}, 'not_requester'],
    ['another settles what is unknown as placed', settle(BEN), { unknown: 'completed' }, 'wrong_state'],
    [
      'another settles what is unknown as not placed',
      settle(BEN, { ...placed, placed: false }),
      { unknown: 'declined' },
      'wrong_state',
    ],
    ['who has approved may settle', settle(ANN), { unknown: 'completed' }, 'wrong_state'],
    ['the requester never settles', settle(SAM), { unknown: 'own_purchase' }, 'wrong_state'],
    [
      'the requester, known by the id alone, never settles',
      settle(samByHisId),
      { unknown: 'own_purchase' },
      'wrong_state',
    ],
    [
      'the requester, known as a person alone, never settles',
      settle(samByThePerson),
      { unknown: 'own_purchase' },
      'wrong_state',
    ],
    ['the requester names the order of what is completed', enter(SAM), staying('completed'), 'wrong_state'],
    ['an approver names it', enter(BEN), staying('completed'), 'wrong_state'],
    ['nobody else names it', enter(buyer), {}, 'not_requester'],
    ['nobody withdraws elsewhere than where its messages are', withdraw(SAM, elsewhere), {}, 'wrong_card'],
    ['who is in no group for it does not approve', approve(notInGroup), {}, 'not_in_group'],
    ['who is in no group for it does not reject', reject(notInGroup), {}, 'not_in_group'],
    ['who is in no group for it does not settle', settle(notInGroup), {}, 'not_in_group'],
    ['who is in no group for it does not name an order', enter(notInGroup), {}, 'not_in_group'],
    ['whose rights cannot be read does not approve', approve(notReadable), {}, 'rights_unreadable'],
    ['whose rights cannot be read does not reject', reject(notReadable), {}, 'rights_unreadable'],
    ['whose rights cannot be read does not settle', settle(notReadable), {}, 'rights_unreadable'],
    ['whose rights cannot be read does not name an order', enter(notReadable), {}, 'rights_unreadable'],
    ['who they are cannot be read does not withdraw', withdraw(notReadable), {}, 'rights_unreadable'],
  ])('%s', (_, act, expected, otherwise) => {
    for (const state of STATES) {
      const { result, to } = act(inState(state), changeFacts());
      const outcome = expected[state] ?? otherwise;
      const refused = !(STATES as readonly string[]).includes(outcome);
      expect(said(result), state).toBe(refused ? `refused: ${outcome}` : outcome);
      expect(to, state).toBe(refused || outcome === state ? undefined : outcome);
    }
  });
});

describe('whoever has marked an order Keep', () => {
  const kept = changeFacts({ keptBy: BEN.user });
  const benByThePerson = somebody('W0BEN', BEN.user, 'approve');
  const two = policy({ twoPeopleAbove: 0 });
  test.each<[string, Act, State, string]>([
    ['does not approve the renewal that it files', approve(BEN), 'requested', 'refused: kept_by_you'],
    ['nor by another id', approve(benByThePerson), 'requested', 'refused: kept_by_you'],
    [
      'nor says the first of two yeses',
      (now, facts) => decideApproval(now, facts, BEN, two),
      'requested',
      'refused: kept_by_you',
    ],
    [
      'nor the second',
      (now, facts) =>
        decideApproval({ ...now, firstApprover: ANN.user }, facts, BEN, two, { user: ANN.user, ids: ANN.allowed.ids }),
      'requested',
      'refused: kept_by_you',
    ],
    ['does not settle it', settle(BEN), 'unknown', 'refused: kept_by_you'],
    ['may reject it', reject(BEN), 'requested', 'rejected'],
  ])('%s', (_, act, state, expected) => {
    expect(said(act(inState(state), kept).result)).toBe(expected);
  });

  test('leaves it to others, who approve and settle it', () => {
    expect(said(approve(ANN)(inState('requested'), kept).result)).toBe('approved');
    expect(said(settle(ANN)(inState('unknown'), kept).result)).toBe('completed');
  });
});

describe('what waits for somebody', () => {
  const undecided = ['requested', 'unknown'];
  test.each<[string, Clicker, readonly string[]]>([
    ['who approves, to decide or settle it', BEN, undecided],
    ['never its requester', SAM, []],
    ['never its requester, known by the id alone', samByHisId, []],
    ['never who may only buy', buyer, []],
    ['never whose rights cannot be read', notReadable, []],
  ])('%s', (_, { allowed }, expected) => {
    expect(STATES.filter((state) => waitsFor(inState(state), allowed, null))).toEqual(expected);
  });

  test('never whoever has marked the order that renews itself', () => {
    const waiting = (keptBy: string) => STATES.filter((state) => waitsFor(inState(state), BEN.allowed, keptBy));
    expect([waiting(BEN.user), waiting(ANN.user)]).toEqual([[], undecided]);
  });
});

describe('a decision that is refused', () => {
  test.each([
    ['approve', approve(SAM)],
    ['reject', reject(SAM)],
    ['withdraw', withdraw(BEN)],
    ['settle', settle(SAM)],
    ['enter order id', enter(buyer)],
  ])('is an entry, and nothing else: %s', (action, act) => {
    const { entries, to, set, notices } = act(inState(action === 'settle' ? 'unknown' : 'requested'), changeFacts());
    expect(entries).toMatchObject([{ from: null, to: null, detail: { kind: 'refused', action } }]);
    expect({ to, set, notices }).toEqual({});
  });
});

describe('what a decision writes', () => {
  test('an approval: who by the id as received, and until when it may be sent', () => {
    const { set, by } = approve(BEN)(inState('requested'), changeFacts());
    expect({ set, by }).toEqual({ set: { approver: BEN.user, sendBy: NOW + 900_000, why: null }, by: BEN.user });
  });

  test('a rejection: who by the id as received, why, and the news that the requester is owed', () => {
    const { set, notices } = reject(BEN)(inState('requested'), changeFacts());
    expect(set).toEqual({ approver: BEN.user, why: 'not now' });
    expect(notices).toMatchObject([{ kind: 'outcome', audience: 'requester', about: 'rejected' }]);
  });

  test.each([
    ['a minute before its time', NOW + 60_000, 'approved'],
    ['at its time', NOW, 'refused: wrong_state'],
    ['after it', NOW - 1, 'refused: wrong_state'],
  ])('an approval of a request %s', (_, expiresAt, expected) => {
    expect(said(approve(BEN)(inState('requested', { expiresAt }), changeFacts()).result)).toBe(expected);
  });
});

describe('settling', () => {
  const renewal = { kind: 'renew', orderId: '77' } as const;
  test.each<[string, Partial<Purchase>, Settlement, object]>([
    ['as placed keeps the note and the order id', {}, placed, { why: 'in the console', orderId: '12' }],
    ['as placed without an order id keeps none', {}, { ...placed, orderId: null }, { why: 'in the console' }],
    ['a renewal keeps the order that it renews', renewal, placed, { why: 'in the console' }],
    [
      'as not placed is told from a vendor’s no',
      {},
      { ...placed, placed: false },
      { why: 'in the console', declinedHow: 'settled' },
    ],
  ])('%s', (_, overrides, settlement, set) => {
    expect(settle(BEN, settlement)(inState('unknown', overrides), changeFacts()).set).toEqual(set);
  });

  test.each([
    ['another buy holds', 'P-OTHER', 'refused: order_id_taken'],
    ['it holds itself', inState('unknown').id, 'completed'],
    ['nobody holds', null, 'completed'],
  ])('with an order id that %s', (_, orderIdHolder, expected) => {
    expect(said(settle(BEN)(inState('unknown'), changeFacts({ orderIdHolder })).result)).toBe(expected);
  });

  test('a second time with the same note is no refusal, and changes nothing', () => {
    const change = settle(BEN)(inState('completed', { why: placed.note }), changeFacts());
    expect(change).toEqual({ result: inState('completed', { why: placed.note }), by: BEN.user });
  });
});

describe('an order id', () => {
  test.each<[string, Partial<Purchase>, Act, Partial<ChangeFacts>, string, string | undefined]>([
    ['is entered where none is known', {}, enter(SAM), {}, 'completed', '12'],
    ['is corrected', { orderId: '11' }, enter(SAM), {}, 'completed', '12'],
    ['that is known already changes nothing', { orderId: '12' }, enter(SAM), {}, 'completed', undefined],
    [
      'does not replace the vendor’s',
      { orderId: '11' },
      enter(SAM, '12', true),
      {},
      'refused: order_id_known',
      undefined,
    ],
    [
      'that another buy holds is refused',
      {},
      enter(BEN),
      { orderIdHolder: 'P-OTHER' },
      'refused: order_id_taken',
      undefined,
    ],
    [
      'of a renewal is not entered',
      { kind: 'renew', orderId: '77' },
      enter(SAM),
      {},
      'refused: wrong_state',
      undefined,
    ],
  ])('%s', (_, overrides, act, known, expected, orderId) => {
    const { result, set } = act(inState('completed', overrides), changeFacts(known));
    expect(said(result)).toBe(expected);
    expect(set?.orderId).toBe(orderId);
  });
});
