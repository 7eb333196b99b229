import { describe, expect, test } from 'vitest';
import type { BatchFilingFacts, BatchRow } from '../../src/purchasing/model/batch-change.ts';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import type { Purchase, State } from '../../src/purchasing/model/purchase.ts';
import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import {
  type BatchDecided,
  type BatchProposal,
  cameToNothing,
  decideBatch,
  decideBatchFiling,
  decideBatchTakingBack,
  decideBatchWithdrawal,
  reviewBatch,
} from '../../src/purchasing/rules/batches.ts';
import { decideExpiry } from '../../src/purchasing/rules/decisions.ts';
import { decideShortage, heldBy } from '../../src/purchasing/rules/holding.ts';
import { type Departure, decideSending } from '../../src/purchasing/rules/sending.ts';
import {
  ANN,
  attempt,
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
  twin,
  YEARLY,
} from './fixture.ts';

const ofSize = (quantity: number): Partial<FilingFacts> => ({
  order: { orderId: '1', bought: inState('completed', { quantity }), renewals: [], entries: [] },
});
const proposal: BatchProposal = {
  submission: 'S',
  requester: SAM.user,
  contents: [
    { kind: 'renew', plan: MONTHLY, orderId: '1' },
    { kind: 'renew', plan: MONTHLY, orderId: '2' },
  ],
  reason: 'r',
  separate: [],
};
const facts = (...rows: Partial<FilingFacts>[]): BatchFilingFacts => ({
  now: NOW,
  freeze: null,
  filed: null,
  deliveredBefore: null,
  rows: rows.map((row) => filingFacts(row)),
});
const own = { freeUpTo: 10, renewalsNeedApproval: false };

describe('a batch is filed', () => {
  const file = (given: BatchFilingFacts, needsApproval: boolean, rules: GivenPolicy, asked = proposal) =>
    decideBatchFiling(
      { ...asked, id: 'B', ids: ['P1', 'P2'], person: SAM.person },
      { needsApproval },
      given,
      policy(rules),
    );

  test.each<[string, BatchFilingFacts, boolean, GivenPolicy, string]>([
    ['whole, for approval', facts({}, {}), true, {}, 'requested, requested'],
    ['whole, approved by the requester alone', facts(ofSize(5), ofSize(5)), false, own, 'approved, approved'],
    [
      'not where the rows together are more than is free, though each alone is not',
      facts(ofSize(6), ofSize(5)),
      false,
      own,
      '2: approval_now_needed',
    ],
    [
      'not where the rows together break a limit',
      facts({ ...ofSize(500), counted: 400 }, { ...ofSize(101), counted: 400 }),
      true,
      {},
      '2: over_day_limit',
    ],
    ['not where one is asked for already', facts({}, { twins: [twin('requested')] }), true, {}, '2: twin_open'],
    [
      'not where one was renewed and it is not ticked',
      facts({ twins: [twin('completed')] }, {}),
      true,
      {},
      '1: twin_completed',
    ],
  ])('%s', (_, given, needsApproval, rules, expected) => {
    const { result, file: filed } = file(given, needsApproval, rules);
    if (!isRefusal(result)) {
      expect(filed?.rows.map(({ state }) => state).join(', ')).toBe(expected);
      expect(filed?.rows.map(({ batch, submission, notices }) => [batch, submission, notices])).toEqual([
        [{ id: 'B', place: 0 }, 'S:1', []],
        [{ id: 'B', place: 1 }, 'S:2', []],
      ]);
      return;
    }
    expect(filed).toBeUndefined();
    expect(
      result.refused === 'rows_refused' && result.rows.map(({ orderId, because }) => `${orderId}: ${because.refused}`),
    ).toEqual([expected]);
  });

  test.each<[string, BatchProposal['separate'], string]>([
    ['counts for the orders of which it was said', ['1'], 'filed'],
    ['counts for no other order', ['2'], '1: twin_completed'],
  ])('a tick that they are new, separate purchases %s', (_, separate, expected) => {
    const { result } = file(facts({ twins: [twin('completed')] }, {}), true, {}, { ...proposal, separate });
    const refused = isRefusal(result) && result.refused === 'rows_refused' ? result.rows : [];
    expect(refused.map(({ orderId, because }) => `${orderId}: ${because.refused}`).join() || 'filed').toBe(expected);
  });

  test('not where the ledger has forgotten the batch and was given a row of it back: nothing is filed, and that is told', () => {
    const given = facts({ filed: inState('unknown', { id: 'P0' }) }, {});
    const { result, file: filed } = file(given, true, {});
    expect(filed).toBeUndefined();
    const because = { refused: 'filed_alone', id: 'P0', state: 'unknown' };
    expect(result).toEqual({ refused: 'rows_refused', rows: [{ orderId: '1', because }] });
    expect(reviewBatch(proposal, given, policy({})).rows[0]).toEqual(because);
  });

  test('once for one submission', () => {
    const filed = {
      id: 'B0',
      requester: SAM.user,
      requesterPerson: SAM.person,
      createdAt: NOW,
      rows: [inState('approved')],
    };
    const { result, file: again } = file({ ...facts({}, {}), filed }, true, {});
    expect(result).toMatchObject({ id: 'B0', again: true });
    expect(again).toBeUndefined();
  });

  test('as its review says: of each row what it needs, counting those before it', () => {
    const found = reviewBatch(proposal, facts(ofSize(6), ofSize(5)), policy(own));
    expect(found.needsApproval).toBe(true);
    expect(found.rows.map((row) => !isRefusal(row) && row.needsApproval)).toEqual([false, true]);
    const gone = {
      ...proposal,
      contents: [...proposal.contents.slice(0, 1), { kind: 'renew', plan: YEARLY, orderId: '2' } as const],
    };
    expect(reviewBatch(gone, facts({}, {}), policy({})).rows[1]).toMatchObject({ refused: 'plan_gone' });
  });
});

function rowsOf(decided: BatchDecided): readonly Purchase[] {
  if (isRefusal(decided)) throw new Error(decided.refused);
  return decided.rows;
}

const row = (id: string, state: State, overrides: Partial<Purchase> = {}): BatchRow => ({
  purchase: inState(state, { id, kind: 'renew', orderId: '1', batch: { id: 'B', place: 0 }, ...overrides }),
  facts: changeFacts(),
});

describe('a batch is decided', () => {
  const decide = (rows: readonly BatchRow[], by = ANN, approve = ['P1'], reject = ['P2']) =>
    decideBatch(rows, by, { approve: new Set(approve), reject: new Set(reject), reason: 'no' }, policy({}));

  test('as shown: what is struck out is rejected, and the rest approved', () => {
    const { result, changes } = decide([row('P1', 'requested'), row('P2', 'requested'), row('P3', 'requested')]);
    expect(rowsOf(result).map(({ state }) => state)).toEqual(['approved', 'rejected', 'requested']);
    expect([...changes].map(([id, { to }]) => [id, to])).toEqual([
      ['P1', 'approved'],
      ['P2', 'rejected'],
    ]);
  });

  test.each<[string, readonly BatchRow[], typeof ANN, string]>([
    ['by whoever asked for it', [row('P1', 'requested'), row('P2', 'requested')], SAM, 'refused: own_purchase'],
    ['where a row was withdrawn since', [row('P1', 'requested'), row('P2', 'withdrawn')], ANN, 'refused: wrong_state'],
    [
      'where another has decided a row',
      [row('P1', 'approved', { approver: BEN.user }), row('P2', 'requested')],
      ANN,
      'refused: wrong_state',
    ],
    ['of which nothing was shown', [row('P8', 'requested')], ANN, 'refused: no_such_purchase'],
  ])('in no part %s', (_, rows, by, expected) => {
    const { result, changes } = decide(rows, by);
    expect(said(result)).toBe(expected);
    expect([...changes.values()].some(({ to }) => to !== undefined)).toBe(false);
  });

  test('by a second person where two have to, beside whoever said yes first', () => {
    const two = policy({ twoPeopleAbove: 1 });
    const rows = [row('P1', 'requested', { quantity: 5 })];
    const decision = { approve: new Set(['P1']), reject: new Set<string>(), reason: '' };
    const first = decideBatch(rows, ANN, decision, two);
    expect(rowsOf(first.result)[0]).toMatchObject({
      state: 'requested',
      firstApprover: ANN.user,
    });
    const half = [row('P1', 'requested', { quantity: 5, firstApprover: ANN.user })];
    const firsts = [{ user: ANN.user, ids: ANN.allowed.ids }];
    expect(said(decideBatch(half, ANN, decision, two, firsts).result)).toBe('refused: first_yes_is_yours');
    const second = decideBatch(half, BEN, decision, two, firsts);
    expect(rowsOf(second.result)[0]?.state).toBe('approved');
  });

  test('no more where it is withdrawn: what is sent goes on', () => {
    const clicked = clickIn('D1', 'D1');
    const { result } = decideBatchWithdrawal([row('P1', 'sending'), row('P2', 'approved')], SAM, clicked, policy({}));
    expect(rowsOf(result).map(({ state }) => state)).toEqual(['sending', 'withdrawn']);
    const over = decideBatchWithdrawal([row('P1', 'completed')], SAM, clicked, policy({}));
    expect(said(over.result)).toBe('refused: wrong_state');
    const others = decideBatchWithdrawal([row('P1', 'approved')], ANN, clickIn(CHANNEL, CHANNEL), policy({}));
    expect(said(others.result)).toBe('refused: not_requester');
  });
});

describe('a row waits', () => {
  const departure: Departure = {
    attemptId: 'a2',
    answerWithinMs: 30_000,
    balance: money('20.00'),
    balanceAt: NOW,
    lastSending: 7,
  };
  const send = (siblings: readonly Purchase[], balance = '20.00') =>
    decideSending(
      row('P2', 'approved').purchase,
      changeFacts({ siblings }),
      { ...departure, balance: money(balance) },
      policy({}),
    );
  const short = inState('declined', { id: 'P1', attempt: attempt({ balanceBefore: money('20.00'), short: true }) });

  test.each<[string, readonly Purchase[], string, object]>([
    [
      'while another is unknown',
      [inState('unknown', { id: 'P1' })],
      '20.00',
      { waits: 'the outcome of P1 is unknown' },
    ],
    ['while the balance is what it was when the vendor refused one', [short], '20.00', { short: expect.any(String) }],
    ['while it is less', [short], '0.01', { short: expect.any(String) }],
    ['no longer when there is more', [short], '20.01', { entered: expect.anything() }],
    [
      'not for one that the vendor refused for another reason',
      [inState('declined', { id: 'P1' })],
      '20.00',
      { entered: expect.anything() },
    ],
    [
      'not for one that is completed, rejected or expired',
      [inState('completed'), inState('rejected'), inState('expired')],
      '20.00',
      { entered: expect.anything() },
    ],
  ])('%s', (_, siblings, balance, expected) => {
    const { result, to } = send(siblings, balance);
    expect(result).toMatchObject(expected);
    expect(to).toBe('entered' in expected ? 'sending' : undefined);
  });

  test('and says for what when it is too old', () => {
    const old = row('P2', 'approved', { sendBy: NOW - 1 }).purchase;
    const { set } = decideExpiry(old, changeFacts({ siblings: [inState('unknown', { id: 'P1' })] }));
    expect(set?.why).toBe('it was approved, but could not be sent in time: the outcome of P1 is unknown');
  });

  test('for money together with all others of its batch, and the requester is told once for the same row', () => {
    const rows = [row('P1', 'completed'), row('P2', 'approved'), row('P3', 'approved')];
    const { changes, notices } = decideShortage(rows, rows[1]?.purchase as Purchase, 'the balance is used up');
    expect([...changes].map(([id, { set }]) => [id, set?.sendAfter, set?.why])).toEqual([
      ['P2', NOW + 60_000, 'the balance is used up'],
      ['P3', NOW + 60_000, 'the balance is used up'],
    ]);
    expect(notices?.map(({ key }) => key)).toEqual(['B:batch_outcome:approved:P2']);
    expect(heldBy(rows.map(({ purchase }) => purchase))).toBeNull();
  });
});

describe('the first of two yeses to a batch', () => {
  const rows = [
    row('P1', 'rejected'),
    row('P2', 'requested', { firstApprover: ANN.user }),
    row('P3', 'requested', { firstApprover: ANN.user }),
  ];
  const takeBack = (given: readonly BatchRow[], by = ANN, channel = CHANNEL) =>
    decideBatchTakingBack(given, by, clickIn(channel), policy({}));

  test('is taken back from all rows that wait, by whoever said it', () => {
    const { result, changes } = takeBack(rows);
    expect(rowsOf(result).map(({ firstApprover }) => firstApprover)).toEqual([null, null, null]);
    expect([...changes].map(([id, { set }]) => [id, set])).toEqual([
      ['P2', { firstApprover: null }],
      ['P3', { firstApprover: null }],
    ]);
  });

  test.each<[string, ReturnType<typeof takeBack>, string]>([
    ['by anybody else', takeBack(rows, BEN), 'not_first_approver'],
    ['elsewhere', takeBack(rows, ANN, 'C0OTHER'), 'wrong_card'],
    ['where nobody has said any', takeBack([row('P1', 'rejected'), row('P2', 'requested')]), 'not_first_approver'],
    ['where all is decided', takeBack([row('P1', 'approved'), row('P2', 'rejected')]), 'wrong_state'],
  ])('is not taken back %s', (_, { result, changes }, refused) => {
    expect(said(result as Parameters<typeof said>[0])).toBe(`refused: ${refused}`);
    expect([...changes.values()].every(({ set, to }) => set === undefined && to === undefined)).toBe(true);
  });
});

test('what came to nothing can be asked for again, and nothing else', () => {
  const states: State[] = ['requested', 'approved', 'sending', 'completed', 'declined', 'unknown', 'rejected'];
  const rows = [...states, 'withdrawn' as const, 'expired' as const].map((state) => inState(state));
  expect(cameToNothing(rows).map(({ state }) => state)).toEqual(['declined', 'rejected', 'withdrawn', 'expired']);
});
