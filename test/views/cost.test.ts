import { describe, expect, test } from 'vitest';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import { newBuyDraft } from '../../views/buy/draft.ts';
import { buyForm } from '../../views/buy/form.ts';
import { costOfAllText, costText } from '../../views/cost.ts';
import { newRenewDraft } from '../../views/renew/draft.ts';
import { renewForm } from '../../views/renew/form.ts';
import { facts, MONTHLY, money, NOW, POLICY, readsAs, rowIds, YEARLY } from './fixture.ts';

const DAY_MS = 86_400_000;

const costing = (amount: string, over: object = {}): ExpectedCost => ({
  known: true,
  amount: { amount: money(amount), divisor: 1n },
  oldest: NOW,
  since: NOW,
  latest: NOW,
  observations: 1,
  ...over,
});
const IN_FRANCE: ExpectedCost = { known: false, missing: ['FR'] };

describe('what something is expected to cost', () => {
  test('says of which purchases it is observed, and since when nothing has changed', () => {
    expect(costText(costing('48.00', { observations: 4, since: NOW - 9 * DAY_MS }))).toMatch(
      /^about \$48\.00 at prices observed, latest \S+2026-01-05>, 4 purchases, unchanged since \S+2025-12-27>$/,
    );
  });

  test('says nothing twice where the latest purchase is the first at that price', () => {
    expect(costText(costing('48.00', { observations: 2, since: NOW - 60_000 }))).toMatch(
      /^about \$48\.00 at prices observed, latest \S+2026-01-05>, 2 purchases$/,
    );
  });

  test('of several of which some have no price says what the others come to, as observed', () => {
    expect(costOfAllText([costing('6.40'), IN_FRANCE, costing('3.20')])).toMatch(
      /^no price observed yet for .*France; the others about \$9\.60 at prices observed, latest /,
    );
    expect(costOfAllText([IN_FRANCE])).toMatch(/^no price observed yet for [^;]*France$/);
    expect(costOfAllText([costing('6.40'), costing('3.20')])).toMatch(/^about \$9\.60 at prices observed/);
  });
});

describe('a form', () => {
  const buy = (cost: ExpectedCost, unpricedNeedsApproval: boolean) =>
    readsAs(
      buyForm('d', newBuyDraft([MONTHLY], { basket: [] }, rowIds()), {
        plans: [MONTHLY],
        maxPerOrder: 500,
        approvals: POLICY.approvals,
        cost,
        unpricedNeedsApproval,
      }),
    );
  test('says what the plan costs that it names, and waits for one where there are several', () => {
    const several = (plan: string, cost: ExpectedCost | null) =>
      readsAs(
        buyForm(
          'd',
          { ...newBuyDraft([MONTHLY, YEARLY], { basket: [] }, rowIds()), plan },
          { plans: [MONTHLY, YEARLY], maxPerOrder: 500, approvals: POLICY.approvals, cost },
        ),
      );
    expect(several('', null)).toContain('Cost: the review says it, once a plan is chosen.');
    expect(several(YEARLY.productId, costing('48.00'))).toContain(`Cost of that on ${YEARLY.name}: about $48.00`);
    expect(buy(costing('48.00'), false)).toContain('Cost of that: about $48.00');
  });

  const renew = (expected: ExpectedCost, unpricedNeedsApproval: boolean) =>
    readsAs(
      renewForm('d', newRenewDraft('123', [MONTHLY], facts()), {
        plans: [MONTHLY],
        order: facts(),
        now: NOW,
        approvalsOff: false,
        cost: { plan: MONTHLY, expected },
        unpricedNeedsApproval,
      }),
    );

  test.each([
    ['buys', buy],
    ['renews', renew],
  ])('that %s says that what no price is known of needs approval, where there are limits in dollars', (_, form) => {
    expect(form(IN_FRANCE, true)).toMatch(/no price observed yet for .*France, so it needs approval/);
    expect(form(IN_FRANCE, false)).not.toContain('so it needs approval');
    expect(form(costing('48.00'), true)).not.toContain('so it needs approval');
  });
});
