import { describe, expect, test } from 'vitest';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import { type Content, contentKey } from '../../src/purchasing/model/purchase.ts';
import {
  decideFiling,
  type Filing,
  fileOnce,
  overLimits,
  type Promised,
  peopleNeeded,
  review,
} from '../../src/purchasing/rules/filing.ts';
import { filingFacts, type GivenPolicy, inState, MONTHLY, NOW, policy, SAM, said, twin, YEARLY } from './fixture.ts';

const buy = (quantity: number): Content => ({ kind: 'buy', plan: MONTHLY, basket: [{ country: 'DE', quantity }] });
const renewal: Content = { kind: 'renew', plan: MONTHLY, orderId: '77' };
const renamed: Content = { ...buy(1), plan: { ...MONTHLY, name: 'x', term: null } };
const known = (quantity: number | null): Partial<FilingFacts> => ({
  order: { orderId: '77', bought: inState('completed', { quantity }), renewals: [], entries: [] },
});
const renewed: Partial<FilingFacts> = {
  order: { orderId: '77', bought: null, renewals: [inState('completed')], entries: [] },
};
const BASKET = inState('completed').basket;
const free = (freeUpTo: number) => ({ freeUpTo, renewalsNeedApproval: false });

describe('a review says', () => {
  test.each<[string, Content, Partial<FilingFacts>, GivenPolicy, object]>([
    ['that a buy needs approval', buy(1), {}, free(0), { needsApproval: true, quantity: 1, twin: null }],
    ['that it needs none within the allowance', buy(5), {}, free(5), { needsApproval: false }],
    ['that one IP more does', buy(6), {}, free(5), { needsApproval: true }],
    ['what of the allowance is used', buy(3), { counted: 3 }, free(5), { needsApproval: true, counted: 3 }],
    ['that nothing needs approval with approvals off', buy(500), {}, 'off', { needsApproval: false }],
    ['that an order has too many IPs', buy(501), {}, {}, { refused: 'over_order_limit', quantity: 501, limit: 500 }],
    ['nothing against an order of the limit', buy(500), { counted: 500 }, {}, { quantity: 500 }],
    ['nothing against a day of the limit', buy(1), { counted: 999 }, {}, { quantity: 1 }],
    ['that the day has too many', buy(1), { counted: 1_000 }, {}, { refused: 'over_day_limit', limit: 1_000 }],
    ['that a plan is gone', { ...buy(1), plan: YEARLY }, {}, {}, { refused: 'plan_gone' }],
    ['nothing against a plan with another name and term', renamed, {}, {}, { quantity: 1 }],
    [
      'that a renewal counts with its order’s IPs',
      renewal,
      known(15),
      free(15),
      { needsApproval: false, basket: BASKET },
    ],
    ['that it does not fit the allowance then', renewal, known(15), free(14), { needsApproval: true }],
    ['that renewals need approval by policy', renewal, known(1), { freeUpTo: 9 }, { needsApproval: true }],
    ['that an order of unknown size does', renewal, known(null), free(9), { needsApproval: true, quantity: null }],
    ['that an order never seen has no known size', renewal, {}, {}, { quantity: null, basket: [] }],
    ['that an order never seen wants a tick', renewal, {}, 'off', { unseen: true }],
    ['nothing of a tick for an order that was renewed', renewal, renewed, 'off', { unseen: false }],
    ['nothing of a tick for an order that was bought', renewal, known(1), 'off', { unseen: false }],
    ['nothing of a tick where somebody approves', renewal, {}, {}, { unseen: false, needsApproval: true }],
  ])('%s', (_, content, facts, given, expected) => {
    expect(review(content, filingFacts(facts), policy(given))).toMatchObject(expected);
  });

  test.each([
    ['requested', 'refused: twin_open'],
    ['approved', 'refused: twin_open'],
    ['sending', 'refused: twin_open'],
    ['unknown', 'refused: twin_open'],
    ['completed', 'wants a tick'],
    ['declined', 'nothing'],
    ['rejected', 'nothing'],
    ['withdrawn', 'nothing'],
    ['expired', 'nothing'],
  ] as const)('of the same content that is %s: %s', (state, expected) => {
    const found = review(buy(1), filingFacts({ twins: [twin(state)] }), policy({}));
    expect('refused' in found ? said(found) : found.twin ? 'wants a tick' : 'nothing').toBe(expected);
  });

  test.each([
    ['the vendor declined 58.5 s ago: wait 2 s', true, 58_500, 2],
    ['the vendor declined a minute ago: nothing', true, 60_000, undefined],
    ['was not sent, or settled as not placed: nothing', false, 1_000, undefined],
    ['the vendor declined before the clock was set back by an hour: nothing', true, -3_600_000, undefined],
  ])('of the same content that %s', (_, declinedByVendor, ago, retryAfterSeconds) => {
    const declined = twin('declined', { declinedByVendor, changedAt: NOW - ago });
    const found = review(buy(1), filingFacts({ twins: [declined] }), policy({}));
    expect('retryAfterSeconds' in found ? found.retryAfterSeconds : undefined).toBe(retryAfterSeconds);
  });
});

test('the same content is the same product and basket, or the same order, whatever else the plan says', () => {
  expect(contentKey(renamed)).toBe(contentKey(buy(1)));
  expect(contentKey(buy(2))).not.toBe(contentKey(buy(1)));
  expect(contentKey({ ...buy(1), plan: YEARLY })).not.toBe(contentKey(buy(1)));
  expect(contentKey({ ...renewal, plan: YEARLY })).toBe(contentKey(renewal));
});

describe('filing', () => {
  const filing = (change: Partial<Filing>): Filing => ({
    id: 'P-NEW',
    submission: 'd1',
    requester: SAM.user,
    person: SAM.person,
    content: buy(1),
    reason: 'r',
    separate: false,
    neverSeenAccepted: false,
    ...change,
  });
  const done = { twins: [twin('completed')] };
  const open = { twins: [twin('requested')] };
  const again = { filed: inState('declined'), counted: 1_000 };
  const ticked = { content: renewal, neverSeenAccepted: true };

  test.each<[string, Partial<Filing>, 'asks' | 'buys', Partial<FilingFacts>, GivenPolicy, string]>([
    ['asks for approval', {}, 'asks', {}, {}, 'requested'],
    ['confirms itself within the allowance', {}, 'buys', {}, free(1), 'approved'],
    ['asks as promised, though the allowance would do now', {}, 'asks', {}, free(1), 'requested'],
    [
      'is refused where the allowance is used by now',
      {},
      'buys',
      { counted: 1 },
      free(1),
      'refused: approval_now_needed',
    ],
    ['is refused where a limit is reached by now', {}, 'asks', { counted: 1_000 }, {}, 'refused: over_day_limit'],
    ['is refused where the same is open by now', {}, 'asks', open, {}, 'refused: twin_open'],
    ['wants the tick where the same was completed', {}, 'asks', done, {}, 'refused: twin_completed'],
    ['goes on with it', { separate: true }, 'asks', done, {}, 'requested'],
    ['wants the tick for an order never seen', { content: renewal }, 'buys', {}, 'off', 'refused: order_never_seen'],
    ['goes on with that', ticked, 'buys', {}, 'off', 'approved'],
    ['twice is the purchase that was filed, whatever has changed', {}, 'buys', again, {}, 'declined'],
  ])('%s', (_, change, promised, facts, given, expected) => {
    const needs = promised === 'asks';
    const decided = decideFiling(filing(change), { needsApproval: needs }, filingFacts(facts), policy(given));
    expect(said(decided.result)).toBe(expected);
    if ('again' in decided.result) expect(decided.result.again).toBe('filed' in facts);
    if (decided.file) expect(decided.file.orderId).toBe(change.content ? '77' : null);
    expect(decided.file?.state).toBe(['requested', 'approved'].includes(expected) ? expected : undefined);
  });

  test.each([
    [
      'a request expires in a day, and its card is owed',
      true,
      { expiresAt: NOW + 86_400_000, sendBy: null },
      'status,card',
    ],
    ['a confirmation is sent within 15 min or not at all', false, { sendBy: NOW + 900_000 }, 'status'],
  ])('%s', (_, needs, times, owed) => {
    const { file } = decideFiling(filing({}), { needsApproval: needs }, filingFacts(), policy(free(1)));
    expect(file).toMatchObject(times);
    expect(file?.notices.map(({ kind }) => kind).join()).toBe(owed);
  });

  test.each<[string, Promised['lastTwin'], Partial<FilingFacts>, string]>([
    ['nothing of the same was filed before or since', null, {}, 'requested'],
    ['what the review knew of is still the last', 'P-TWIN', { twins: [twin('rejected')] }, 'requested'],
    ['what the review knew of is too old by now', 'P-TWIN', {}, 'requested'],
    ['nobody was shown a review', undefined, { twins: [twin('rejected')] }, 'requested'],
    ['the same was filed since, and came to nothing', null, { twins: [twin('withdrawn')] }, 'refused: asked_since'],
    ['one more was', 'P-OLD', { twins: [twin('expired')] }, 'refused: asked_since'],
    ['it waits', null, { twins: [twin('requested')] }, 'refused: twin_open'],
  ])('looks at what became of the same since its review: %s', (_, lastTwin, facts, expected) => {
    const promised = { needsApproval: true, lastTwin };
    expect(said(decideFiling(filing({}), promised, filingFacts(facts), policy({})).result)).toBe(expected);
  });

  test('files nothing by a review that is not shown any more, and still says what was filed', () => {
    const late = (facts: Partial<FilingFacts>) =>
      said(decideFiling(filing({}), { refused: 'review_outdated' }, filingFacts(facts), policy({})).result);
    expect(late({})).toBe('refused: review_outdated');
    expect(late(again)).toBe('declined');
  });

  test.each<[string, Partial<FilingFacts>, string, string | undefined]>([
    ['files', {}, 'requested', undefined],
    ['is kept as refused', open, 'refused: twin_open', 'refused'],
    ['says once more why it is refused', { ...open, deliveredBefore: 'refused' }, 'refused: twin_open', undefined],
    ['is not done where it was refused', { deliveredBefore: 'refused' }, 'refused: delivered_again', undefined],
    ['says what was filed', { ...again, deliveredBefore: 'refused' }, 'declined', undefined],
  ])('a submit that counts once %s', (_, given, expected, click) => {
    const facts = filingFacts(given);
    const decided = fileOnce(facts, decideFiling(filing({}), { needsApproval: true }, facts, policy({})));
    expect(said(decided.result)).toBe(expected);
    expect(decided.file !== undefined).toBe(expected === 'requested');
    expect(decided.click).toBe(click);
  });

  test('of a quantity that nobody knows breaks no limit, and always needs approval', () => {
    expect(overLimits(null, 5_000, policy({}))).toBeUndefined();
    expect(peopleNeeded('renew', { plan: MONTHLY, quantity: null, cost: null }, filingFacts(), policy(free(9)))).toBe(
      1,
    );
  });
});
