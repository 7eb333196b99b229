import { describe, expect, test } from 'vitest';
import { decodeRenew, newRenewDraft, withTypedRenew } from '../../../views/renew/draft.ts';
import { renewForm } from '../../../views/renew/form.ts';
import {
  ANN,
  accepted,
  asOrderId,
  attempt,
  facts,
  LONGEST_BASKET,
  liveTokens,
  MONTHLY,
  NOW,
  POLICY,
  purchase,
  readsAs,
  YEARLY,
} from '../fixture.ts';

const PLANS = [MONTHLY, YEARLY];
const bought = purchase({
  state: 'completed',
  attempt: attempt({ at: Date.UTC(2026, 0, 1) }),
  changedAt: Date.UTC(2026, 0, 1),
});
const renewal = purchase({
  state: 'completed',
  kind: 'renew',
  requester: ANN,
  plan: YEARLY,
  attempt: attempt({ at: NOW }),
  changedAt: NOW,
});

describe('a new renewal', () => {
  test.each([
    ['is preset to the plan last paid', facts({ bought, renewals: [renewal] }), PLANS, 'lt-yearly'],
    ['is preset to the plan bought', facts({ bought }), PLANS, 'lt-monthly'],
    ['is preset to nothing where that plan is gone', facts({ bought, renewals: [renewal] }), [MONTHLY], ''],
    ['is preset to nothing for an order never seen, where there is a choice', facts(), PLANS, ''],
    ['is the only one offered, for an order never seen', facts(), [MONTHLY], 'lt-monthly'],
  ])('%s', (_, order, plans, plan) => {
    expect(newRenewDraft('123', plans, order).plan).toBe(plan);
  });
});

describe('the form', () => {
  const form = (order = facts(), more = {}) =>
    renewForm('d1', newRenewDraft('123', PLANS, order), {
      plans: PLANS,
      order,
      now: NOW,
      approvalsOff: false,
      ...more,
    });

  test('has the labels of the contract', () => {
    expect(form()).toMatchObject({
      callback_id: 'renew',
      private_metadata: 'd1',
      title: { text: 'Renew order' },
      submit: { text: 'Review' },
    });
    expect(form().blocks.flatMap((block) => ('label' in block ? [block.label.text] : []))).toEqual(['Plan', 'Reason']);
  });

  test('says what the ledger knows', () => {
    const text = readsAs(form(facts({ bought, renewals: [renewal] })));
    expect(text).toMatch(/Order 123\n15 IPs.*Bought by @U0SAM/s);
    expect(text).toMatch(/Renewed once, last by @U0ANN/);
    expect(text).toContain('15 IPs');
    expect(text).toContain('Plan last paid: Static residential, yearly');
    expect(text).toMatch(/Ends about 2027-02-01, in \d+ days, computed by us\./);
  });

  test('says of an imported order what was written down, whose it is now, and that it was to be let end', () => {
    const at = NOW - 86_400_000;
    const order = facts({
      entries: [
        {
          seq: 1,
          at,
          by: 'U0ANN',
          detail: {
            kind: 'order_imported',
            plan: MONTHLY,
            basket: Array.from({ length: 249 }, () => ({ country: 'GS', quantity: 1 })),
            boughtAt: null,
            owner: 'U0SAM',
            note: 'for <!here> &',
          },
        },
        { seq: 2, at, by: 'U0SAM', detail: { kind: 'order_intent', intent: 'let_end', endsAt: null } },
      ],
    });
    const view = form(order);
    expect(readsAs(view)).toMatch(
      /249 IPs\n.*and 219 more countries.*Imported by @U0ANN.*Owned by @U0SAM\nNote: “for <!here> &”.*To be let end, said by @U0SAM/s,
    );
    expect(liveTokens(view)).toEqual(['<@U0ANN>', '<@U0SAM>', '<@U0SAM>']);
  });

  test('says plainly that the bot has never seen it, which always needs approval', () => {
    expect(readsAs(form())).toMatch(/this bot has never seen it.*always needs approval/s);
    expect(readsAs(form(facts(), { approvalsOff: true }))).not.toMatch(/needs approval/);
  });

  test('says that the plan last paid is gone, and presets no other', () => {
    const order = facts({ bought: { ...bought, plan: { ...MONTHLY, productId: 'old', name: 'Old plan' } } });
    expect(readsAs(form(order))).toMatch(/Old plan.*is no longer offered.*Plan: \(Choose a plan\)/s);
  });

  test('is accepted by Slack at its largest', () => {
    const plan = { ...MONTHLY, name: '&'.repeat(75), productId: 'x'.repeat(75), termText: '&'.repeat(40) };
    const order = facts({
      orderId: asOrderId('9'.repeat(40)),
      bought: { ...bought, basket: LONGEST_BASKET, plan },
      renewals: [{ ...renewal, plan }],
    });
    const draft = { ...newRenewDraft(asOrderId('9'.repeat(40)), [plan], order), reason: '&'.repeat(500) };
    accepted(renewForm('d', draft, { plans: [plan], order, now: NOW, approvalsOff: false }));
  });
});

describe('what is submitted', () => {
  const draft = newRenewDraft('123', PLANS, facts());

  test('is the order, the plan chosen and the reason', () => {
    const typed = withTypedRenew(draft, {
      plan: { plan: { selected_option: { value: 'lt-yearly' } } },
      reason: { reason: { value: 'still used' } },
    });
    expect(decodeRenew(typed, { plans: PLANS })).toEqual({
      ok: true,
      content: { kind: 'renew', plan: YEARLY, orderId: '123' },
    });
  });

  test('or what is missing, at its field', () => {
    expect(decodeRenew(draft, POLICY)).toEqual({
      ok: false,
      errors: { plan: 'Choose a plan.' },
    });
  });
});
