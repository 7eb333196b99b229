import { describe, expect, test } from 'vitest';
import type { Change, ChangeFacts } from '../../src/purchasing/model/change.ts';
import { type Counted, type Purchase, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import { type BatchDecided, decideBatch } from '../../src/purchasing/rules/batches.ts';
import { countBatchOnce, countOnce } from '../../src/purchasing/rules/clicks.ts';
import {
  type Decided,
  decideApproval,
  decideRejection,
  decideTakingBack,
  type FirstYes,
  waitsFor,
} from '../../src/purchasing/rules/decisions.ts';
import { decideFiling, peopleNeeded, review } from '../../src/purchasing/rules/filing.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import { decideSending } from '../../src/purchasing/rules/sending.ts';
import {
  ANN,
  BEN,
  CHANNEL,
  changeFacts,
  clickIn,
  filingFacts,
  type GivenPolicy,
  inState,
  MONTHLY,
  money,
  NOW,
  policy,
  SAM,
  said,
  somebody,
  YEARLY,
} from './fixture.ts';

// Sam has asked for 15 IPs; more than 10 need two people.

const TWO = { twoPeopleAbove: 10 };
const annsYes: FirstYes = { user: ANN.user, ids: new Set([ANN.user, ANN.person]) };
const annByHerOtherId: Clicker = somebody('W0ANN', 'W0ANN', 'approve');
const requested = (overrides: Partial<Purchase> = {}) =>
  inState('requested', { quantity: 15, plan: MONTHLY, ...overrides });
const approve = (
  by: Clicker,
  purchase: Purchase,
  first: FirstYes | null = null,
  facts: Partial<ChangeFacts> = {},
  given: GivenPolicy = TWO,
): Change<Decided> => decideApproval(purchase, changeFacts(facts), by, policy(given), first);
const other = (quantity: number | null, plan = MONTHLY, before = true) => ({
  plan,
  quantity,
  cost: null,
  before,
});

describe('where two people are needed', () => {
  test('the first yes is kept and written down, and leaves it requested', () => {
    const { result, to, set, entries, notices } = approve(BEN, requested());
    expect(result).toMatchObject({ state: 'requested', firstApprover: BEN.user });
    expect({ to, set, notices }).toEqual({ set: { firstApprover: BEN.user } });
    expect(entries).toEqual([{ by: BEN.user, from: null, to: null, detail: { kind: 'first_yes' } }]);
  });

  test('the second approves, and both are kept', () => {
    const { to, set, by } = approve(BEN, requested({ firstApprover: ANN.user }), annsYes);
    expect({ to, set, by }).toEqual({
      to: 'approved',
      set: { approver: BEN.user, sendBy: NOW + 900_000, why: null },
      by: BEN.user,
    });
  });

  test.each<[string, Clicker, FirstYes | null, string]>([
    ['who has said the first', ANN, annsYes, 'first_yes_is_yours'],
    ['the same human under another id', annByHerOtherId, annsYes, 'first_yes_is_yours'],
    [
      'anybody where Slack does not tell who said the first',
      BEN,
      { user: ANN.user, ids: undefined },
      'rights_unreadable',
    ],
    ['the requester', SAM, annsYes, 'own_purchase'],
    [
      'somebody in no group for it',
      { user: BEN.user, allowed: { refused: 'not_in_group', right: 'approve' } },
      annsYes,
      'not_in_group',
    ],
    ['whoever has looked before the first was said', BEN, null, 'first_yes_changed'],
    ['whoever has looked at another first yes', BEN, { ...annsYes, user: 'U0LEA' }, 'first_yes_changed'],
  ])('the second is not said by %s', (_, by, first, refused) => {
    const { result, to, set } = approve(by, requested({ firstApprover: ANN.user }), first);
    expect({ result: said(result), to, set }).toEqual({ result: `refused: ${refused}` });
  });

  test('the first is not said by the requester, under whatever id', () => {
    for (const by of [SAM, somebody('U0OTHER', SAM.person, 'approve'), somebody(SAM.user, 'W0OTHER', 'approve')])
      expect(said(approve(by, requested()).result)).toBe('refused: own_purchase');
  });

  test('a request that has expired takes no first and no second', () => {
    const late = { expiresAt: NOW };
    expect(said(approve(BEN, requested(late)).result)).toBe('refused: wrong_state');
    expect(said(approve(BEN, requested({ ...late, firstApprover: ANN.user }), annsYes).result)).toBe(
      'refused: wrong_state',
    );
  });

  test('a click that was looked at too early does not count, and so can be looked at again', () => {
    const rule = (first: FirstYes | null) =>
      countOnce(
        (purchase: Purchase, facts: ChangeFacts) => decideApproval(purchase, facts, BEN, policy(TWO), first),
        (purchase) => purchase,
      );
    const purchase = requested({ firstApprover: ANN.user });
    expect(rule(null)(purchase, changeFacts())).toEqual({ result: { refused: 'first_yes_changed' }, by: BEN.user });
    expect(rule(annsYes)(purchase, changeFacts())).toMatchObject({ to: 'approved', click: 'done' });
  });

  test('a click on a batch that was looked at too early does not count either', () => {
    const purchase = requested({ firstApprover: ANN.user });
    const decision = { approve: new Set([purchase.id]), reject: new Set<string>(), reason: '' };
    const rule = (firsts: readonly FirstYes[]) =>
      countBatchOnce<Exclude<BatchDecided, Refusal>>(
        (rows) => decideBatch(rows, BEN, decision, policy(TWO), firsts),
        (rows) => ({ rows }),
      );
    const rows = [{ purchase, facts: changeFacts() }];
    expect(rule([])(rows)).toEqual({ result: { refused: 'first_yes_changed' }, changes: new Map() });
    const counted = rule([annsYes])(rows);
    expect(counted.click).toBe('done');
    expect(counted.changes.get(purchase.id)?.to).toBe('approved');
  });

  test('anybody’s rejection is one, the first approver’s too', () => {
    for (const by of [ANN, BEN]) {
      const { to, set } = decideRejection(requested({ firstApprover: ANN.user }), changeFacts(), by, 'no');
      expect(to).toBe('rejected');
      expect({ firstApprover: ANN.user, ...set }).toMatchObject({
        approver: by.user,
        firstApprover: by === ANN ? null : ANN.user,
      });
    }
  });

  test('it waits for whoever has not said yes', () => {
    const purchase = requested({ firstApprover: ANN.user });
    expect([ANN, annByHerOtherId, BEN, SAM].map(({ allowed }) => waitsFor(purchase, allowed, null))).toEqual([
      false,
      // By her other id alone nobody can tell here: at the click Slack is asked.
      true,
      true,
      false,
    ]);
  });
});

describe('the first yes is taken back', () => {
  const take = (by: Clicker, state: State = 'requested', channel = CHANNEL) =>
    decideTakingBack(inState(state, { firstApprover: ANN.user }), by, clickIn(channel), policy(TWO));

  test.each<[string, Clicker, Partial<Record<State, string>>, otherwise: string]>([
    ['by its giver, as long as it is requested', ANN, { requested: 'requested' }, 'wrong_state'],
    ['by nobody else', BEN, { requested: 'not_first_approver' }, 'wrong_state'],
    [
      'by nobody of whom it cannot be told',
      { ...ANN, allowed: { refused: 'rights_unreadable', retryAfterSeconds: 5 } },
      {},
      'rights_unreadable',
    ],
  ])('%s', (_, by, expected, otherwise) => {
    for (const state of STATES) {
      const { result, to } = take(by, state);
      const outcome = expected[state] ?? otherwise;
      expect(said(result), state).toBe(outcome === state ? state : `refused: ${outcome}`);
      expect(to).toBeUndefined();
    }
  });

  test('which is an entry, and then there is none', () => {
    expect(take(ANN)).toMatchObject({
      set: { firstApprover: null },
      entries: [{ by: ANN.user, detail: { kind: 'first_yes_taken_back' } }],
    });
    const again = decideTakingBack(requested(), ANN, clickIn(CHANNEL), policy(TWO));
    expect(said(again.result)).toBe('refused: not_first_approver');
  });

  test('not with the button of another card', () => {
    expect(said(take(ANN, 'requested', 'C0OTHER').result)).toBe('refused: wrong_card');
  });
});

describe('two people are needed', () => {
  const cases: readonly (readonly [string, number | null, readonly Counted[], GivenPolicy, 0 | 1 | 2])[] = [
    ['for more than the policy says', 11, [], TWO, 2],
    ['not for as many as it says', 10, [], TWO, 1],
    ['for a part of what was split', 6, [other(5)], TWO, 2],
    ['not where the parts are on other plans', 6, [other(5, YEARLY)], TWO, 1],
    ['where nobody can tell how many they are', null, [], TWO, 2],
    ['though the person may buy so many alone', 11, [], { ...TWO, freeUpTo: 50 }, 2],
    ['not within what a person may buy alone', 10, [], { ...TWO, freeUpTo: 50 }, 0],
    ['for every one above none', 1, [], { twoPeopleAbove: 0, freeUpTo: 5 }, 2],
    ['never where the policy does not ask for it', 500, [other(500)], {}, 1],
    ['never with approvals off', 500, [], 'off', 0],
  ];
  test.each(cases)('%s', (_, quantity, others, given, people) => {
    const counted = others.reduce((sum, { quantity: ips }) => sum + (ips ?? 0), 0);
    const own = { plan: MONTHLY, quantity, cost: null };
    expect(peopleNeeded('buy', own, { counted, others, spent: null }, policy(given))).toBe(people);
  });

  test('for a request that was split, also where the other part was asked for later', () => {
    const part = requested({ quantity: 6 });
    for (const before of [true, false])
      expect(approve(BEN, part, null, { others: [other(5, MONTHLY, before)] }).to).toBeUndefined();
    expect(approve(BEN, part, null, { others: [other(5, YEARLY)] }).to).toBe('approved');
  });

  test('which the review says beforehand', () => {
    const content = { kind: 'buy', plan: MONTHLY, basket: [{ country: 'DE', quantity: 6 }] } as const;
    const found = (others: readonly Counted[]) =>
      review(content, filingFacts({ others }), policy({ ...TWO, freeUpTo: 50 }));
    expect(found([])).toMatchObject({ needsApproval: false, twoPeople: false });
    expect(found([other(5)])).toMatchObject({ needsApproval: true, twoPeople: true });
  });

  test('since its review: then nothing is filed on the requester’s own word', () => {
    const content = { kind: 'buy', plan: MONTHLY, basket: [{ country: 'DE', quantity: 6 }] } as const;
    const filing = {
      submission: 's',
      requester: SAM.user,
      content,
      reason: '',
      separate: false,
      neverSeenAccepted: false,
      id: 'P-1',
      person: SAM.person,
    };
    const facts = filingFacts({ others: [other(5)] });
    const { result, file } = decideFiling(filing, { needsApproval: false }, facts, policy({ ...TWO, freeUpTo: 50 }));
    expect(file).toBeUndefined();
    expect((result as Refusal).refused).toBe('approval_now_needed');
  });
});

describe('when the policy changes on the way', () => {
  test('and one person is enough by now, the first approver may be the one', () => {
    const { to, set } = approve(ANN, requested({ firstApprover: ANN.user }), annsYes, {}, {});
    expect(to).toBe('approved');
    expect(set).toMatchObject({ approver: ANN.user, firstApprover: null });
  });

  test('the same human does not stand there as two, under whatever id', () => {
    const { to, set } = approve(
      somebody('W0ANN', ANN.user, 'approve'),
      requested({ firstApprover: ANN.user }),
      annsYes,
      {},
      {},
    );
    expect(to).toBe('approved');
    expect(set).toMatchObject({ approver: 'W0ANN', firstApprover: null });
    const beside = approve(annByHerOtherId, requested({ firstApprover: ANN.user }), annsYes, {}, {});
    expect(beside.set).toMatchObject({ approver: annByHerOtherId.user, firstApprover: null });
  });

  const departure = { attemptId: 'A', answerWithinMs: 30_000, balance: money('10'), balanceAt: NOW, lastSending: 7 };
  test.each<[string, Partial<Purchase>, Partial<ChangeFacts>, GivenPolicy, string | null]>([
    ['two have approved', { firstApprover: ANN.user, approver: BEN.user }, {}, TWO, null],
    ['one has, and two are needed by now', { approver: BEN.user }, {}, TWO, 'it now needs two approvals, and has one'],
    [
      'one has, which was enough before more was asked for',
      { approver: BEN.user, quantity: 6 },
      { others: [other(6, MONTHLY, false)] },
      TWO,
      null,
    ],
    ['nobody has, and two are needed by now', { approver: null }, {}, TWO, 'it now needs approval, and has none'],
  ])('%s: what is sent', (_, overrides, facts, given, why) => {
    const purchase = inState('approved', { quantity: 15, plan: MONTHLY, ...overrides });
    const { to, set } = decideSending(purchase, changeFacts(facts), departure, policy(given));
    expect(to).toBe(why === null ? 'sending' : 'declined');
    expect(set?.why ?? null).toBe(why);
  });
});
