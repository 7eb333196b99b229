import { describe, expect, test } from 'vitest';
import { NO_PRICE } from '../../src/purchasing/model/cost.ts';
import type { Twin } from '../../src/purchasing/model/purchase.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { buyReview } from '../../views/buy/form.ts';
import { renewReview } from '../../views/renew/form.ts';
import { filedView, type ReviewSurroundings } from '../../views/review.ts';
import { readTicks } from '../../views/state.ts';
import {
  ANN,
  accepted,
  asOrderId,
  blockIds,
  FREEZE,
  facts,
  GROUP,
  LONGEST_BASKET,
  LONGEST_PLAN,
  MONTHLY,
  money,
  NOW,
  POLICY,
  purchase,
  readsAs,
  SAM,
} from './fixture.ts';

const TWIN: Twin = { id: 'p0', state: 'completed', requester: ANN, changedAt: NOW - 3_600_000 };
const BASKET = [
  { country: 'DE', quantity: 5 },
  { country: 'US', quantity: 10 },
];
const CONTENT = { kind: 'buy', plan: MONTHLY, basket: BASKET } as const;
const RENEWED = { kind: 'renew', plan: MONTHLY, orderId: '9007199254740993' } as const;

const review = (overrides: Partial<Review> = {}): Review => ({
  needsApproval: true,
  twoPeople: false,
  twoPeopleFor: null,
  countedDollars: null,
  cost: NO_PRICE,
  mayBeOver: false,
  quantity: 15,
  basket: BASKET,
  order: null,
  counted: 0,
  twin: null,
  lastTwin: null,
  unseen: false,
  ...overrides,
});

const around = (overrides: Partial<ReviewSurroundings> = {}): ReviewSurroundings => ({
  balance: null,
  freeze: null,
  now: NOW,
  changed: undefined,
  approvers: [GROUP],
  user: SAM,
  contact: null,
  reason: 'price checks',
  approvals: POLICY.approvals,
  externalId: 'x1',
  ...overrides,
});

describe('the review', () => {
  test('says exactly what will be sent', () => {
    const text = readsAs(buyReview('d1', CONTENT, review(), around()));
    for (const words of [
      'Buy 15 IPs',
      'Germany: 5',
      'United States: 10',
      'DE 5, US 10',
      'Reason: price checks',
      'product_id lt-monthly',
      'type long-term',
      'network type residential',
    ])
      expect(text).toContain(words);
  });

  test('its submit is what it needs', () => {
    const submit = (found: Review) => buyReview('d1', CONTENT, found, around()).submit?.text;
    expect(submit(review())).toBe('Ask for approval');
    expect(submit(review({ needsApproval: false }))).toBe('Buy now');
    const renew = (found: Review) => renewReview('d1', RENEWED, found, around()).submit?.text;
    expect(renew(review())).toBe('Ask for approval');
    expect(renew(review({ needsApproval: false }))).toBe('Renew now');
  });

  test('says who can approve', () => {
    expect(readsAs(buyReview('d1', CONTENT, review(), around()))).toMatch(
      /Needs approval: every purchase does\. .*S0LEADS.*other than you/,
    );
  });

  test('without approval it says that money is spent at once', () => {
    expect(readsAs(buyReview('d1', CONTENT, review({ needsApproval: false }), around()))).toMatch(
      /real money is spent/,
    );
  });

  test.each([
    ['renewals', { kind: 'renew' }, {}, {}, /Needs approval: renewals do\./],
    [
      'an unknown size',
      { kind: 'renew' },
      { renewalsNeedApproval: false },
      { quantity: null },
      /how many IPs the order has is not known/,
    ],
    ['no allowance', { kind: 'buy' }, { freeUpTo: 0 }, {}, /Needs approval: every purchase does\./],
    ['more than is free', { kind: 'buy' }, { freeUpTo: 5 }, { counted: 0 }, /Needs approval: 5 IPs a day are free\./],
    [
      'more than is left',
      { kind: 'buy' },
      { freeUpTo: 5 },
      { counted: 2 },
      /3 of your 5 free IPs a day are left \(2 counted since 2026-01-04 14:03 UTC\)/,
    ],
    [
      'an allowance that is used',
      { kind: 'buy' },
      { freeUpTo: 5 },
      { counted: 15 },
      /your free allowance of 5 IPs a day is used \(15 counted since 2026-01-04 14:03 UTC\)/,
    ],
  ] as const)('says why approval is needed: %s', (_, { kind }, rules, found, words) => {
    if (POLICY.approvals.mode === 'off') throw new Error('the policy has approvals');
    const rest = around({ approvals: { ...POLICY.approvals, ...rules } });
    const view =
      kind === 'buy' ? buyReview('d1', CONTENT, review(found), rest) : renewReview('d1', RENEWED, review(found), rest);
    expect(readsAs(view)).toMatch(words);
  });

  test('never says that anything is sent at once while spending is frozen', () => {
    const text = readsAs(buyReview('d1', CONTENT, review({ needsApproval: false }), around({ freeze: FREEZE })));
    expect(text).toMatch(
      /No approval needed, but spending is frozen: it is sent once that ends, or expires 15 minutes after/,
    );
    expect(text).not.toMatch(/at once/);
  });

  test('the same completed before asks for a tick', () => {
    const view = buyReview('d1', CONTENT, review({ twin: TWIN }), around());
    expect(readsAs(view)).toMatch(
      /completed 1 h ago \(request p0, asked for by @U0ANN\)\. If approved, it is paid a second time\..*\[ \] This is a new, separate purchase/s,
    );
    expect(blockIds(view)).toContain('separate');
    expect(readTicks({ separate: { separate: { selected_options: [{ value: 'yes' }] } } })).toEqual({
      separate: true,
      neverSeen: false,
    });
    expect(readTicks({})).toEqual({ separate: false, neverSeen: false });
  });

  test('what cannot be filed has no submit, and says what to do', () => {
    const view = buyReview('d1', CONTENT, { refused: 'twin_open', twin: { ...TWIN, state: 'requested' } }, around());
    expect(view.submit).toBeUndefined();
    expect(readsAs(view)).toMatch(/cannot be filed.*waits for approval.*not paid twice/s);
  });

  test('what changed since the last review is said first', () => {
    const text = readsAs(buyReview('d1', CONTENT, review(), around({ changed: { refused: 'approval_now_needed' } })));
    expect(text.split('\n')[1]).toMatch(/^Nothing was filed and no money moved\. This now needs approval/);
  });

  test.each<[string, Refusal]>([
    ['the allowance is used', { refused: 'approval_now_needed' }],
    ['a price has changed', { refused: 'cost_changed', shown: null, now: money('9.60') }],
    ['the same was completed meanwhile', { refused: 'twin_completed', twin: TWIN }],
    ['the same was asked for meanwhile', { refused: 'asked_since', twin: TWIN }],
    ['an earlier review was submitted', { refused: 'review_outdated' }],
  ])('that nothing was filed comes first, and once: %s', (_, changed) => {
    const text = readsAs(buyReview('d1', CONTENT, review(), around({ changed })));
    expect(text.split('\n')[1]).toMatch(/^Nothing was filed/);
    expect(text.match(/Nothing was filed/g)).toHaveLength(1);
  });

  test('a freeze is said, and what it means', () => {
    expect(readsAs(buyReview('d1', CONTENT, review(), around({ freeze: FREEZE })))).toMatch(
      /frozen.*bill looks odd.*\nNothing is sent/,
    );
  });

  test('is accepted by Slack at its largest', () => {
    const plan = LONGEST_PLAN;
    const rest = around({
      freeze: { ...FREEZE, reason: '&'.repeat(3_000) },
      changed: { refused: 'plan_gone', name: '&'.repeat(200) },
    });
    accepted(
      buyReview('d1', { kind: 'buy', plan, basket: LONGEST_BASKET }, review({ twin: TWIN, unseen: true }), rest),
    );
    const order = facts({
      bought: purchase({ state: 'completed', basket: LONGEST_BASKET, plan }),
      renewals: [purchase({ plan })],
    });
    accepted(
      renewReview(
        'd1',
        { kind: 'renew', plan, orderId: asOrderId('9'.repeat(40)) },
        review({ order, twin: TWIN, unseen: true }),
        rest,
      ),
    );
  });
});

describe('the review of a renewal', () => {
  test('keeps every digit of the order', () => {
    expect(readsAs(renewReview('d1', RENEWED, review({ order: facts() }), around()))).toContain('9007199254740993');
  });

  test('asks for a tick where nothing needs approval and the order was never seen', () => {
    const view = renewReview('d1', RENEWED, review({ unseen: true, needsApproval: false }), around());
    expect(readsAs(view)).toMatch(/this bot has never seen it.*\[ \] I know this order/s);
  });
});

describe('after filing', () => {
  test('it says what was filed, and that the rest comes by direct message', () => {
    const view = filedView(purchase(), null);
    expect(view).toMatchObject({ clear_on_close: true });
    expect(view.submit).toBeUndefined();
    expect(readsAs(view)).toMatch(/Filed: Buy 15 IPs.*waits for approval.*direct message/s);
  });
});
