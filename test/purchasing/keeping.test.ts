import { describe, expect, test } from 'vitest';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { OrderEntry, OrderEntryDetail, OrderFacts } from '../../src/purchasing/model/order.ts';
import { decideFiling, review } from '../../src/purchasing/rules/filing.ts';
import { keptRenewal, type NotKept, owedWhereNotKept, passesSoon } from '../../src/purchasing/rules/keeping.ts';
import { attempt, FREEZE, facts, MONTHLY, purchase, YEARLY } from '../views/fixture.ts';
import { filingFacts, policy, twin } from './fixture.ts';

const ANN = 'U0ANN';
const BEN = 'U0BEN';
const DAY = 86_400_000;
const END = Date.UTC(2026, 1, 28, 12);
const NOW = END - 3 * DAY;
const POLICY = policy({});
const bought = purchase({ state: 'completed', requester: ANN, attempt: attempt({ at: Date.UTC(2026, 0, 31, 12) }) });
const said = (detail: OrderEntryDetail, by = BEN): OrderEntry => ({ seq: 1, at: 0, by, detail });
const keep = said({ kind: 'order_intent', intent: 'keep', endsAt: END });
const kept = (over: Partial<OrderFacts> = {}) => facts({ bought, entries: [keep], ...over });
const handedOver = said({ kind: 'order_owner', owner: BEN, before: ANN });
const letEnd = said({ kind: 'order_intent', intent: 'let_end', endsAt: END });
const renewals = [purchase({ kind: 'renew', state: 'completed', attempt: attempt({ at: NOW }) })];

function renewalOf(of: OrderFacts, now = NOW) {
  const found = keptRenewal(of, POLICY, now);
  if (!found || !('proposal' in found)) throw new Error('nothing to file');
  return found;
}

describe('an order that is kept files', () => {
  test('a renewal on the plan last paid, in its owner’s name, with whose word it goes by', () => {
    expect(renewalOf(kept()).proposal).toEqual({
      submission: `kept:123:${END}`,
      requester: ANN,
      content: { kind: 'renew', plan: MONTHLY, orderId: '123' },
      reason: 'The order is kept: it is renewed before it ends.',
      separate: false,
      neverSeenAccepted: false,
      kept: { by: BEN, endsAt: END },
    });
    expect(renewalOf(kept({ entries: [keep, handedOver] })).proposal.requester).toBe(BEN);
  });

  test.each<[string, OrderFacts, number, object | undefined]>([
    ['not one that is not kept', facts({ bought }), NOW, undefined],
    ['not one that is let end', kept({ entries: [keep, letEnd] }), NOW, undefined],
    ['not one whose end is not known', kept({ bought: null, renewals, entries: [keep] }), NOW, undefined],
    ['not one that has ended', kept(), END, { refused: 'missed' }],
    [
      'not on a plan that is gone',
      kept({ bought: { ...bought, plan: { ...YEARLY, term: MONTHLY.term } } }),
      NOW,
      { refused: 'plan_gone', name: YEARLY.name },
    ],
  ])('%s', (_, of, now, why) => {
    expect(keptRenewal(of, POLICY, now)).toEqual(why && expect.objectContaining({ why }));
  });

  test.each<[string, Partial<FilingFacts>, string]>([
    ['is let end', { order: kept({ entries: [keep, letEnd] }) }, 'not_kept_now'],
    ['is handed over', { order: kept({ entries: [keep, handedOver] }) }, 'not_kept_now'],
    ['is renewed', { order: kept({ renewals }) }, 'not_kept_now'],
    ['has ended', { now: END }, 'not_kept_now'],
    ['cannot be sent, since spending is frozen', { freeze: FREEZE }, 'kept_while_frozen'],
  ])('nothing where, in the transaction that files, it %s', (_, over, refused) => {
    const filing = { ...renewalOf(kept()).proposal, id: 'P-1', person: ANN };
    const decided = decideFiling(
      filing,
      { needsApproval: true },
      filingFacts({ now: NOW, order: kept(), ...over }),
      POLICY,
    );
    expect(decided).toEqual({ result: expect.objectContaining({ refused }) });
  });

  describe('without anybody’s yes, where the policy asks for none,', () => {
    const free = policy({ renewalsNeedApproval: false, freeUpTo: 1_000 });
    const byOwner = { ...keep, by: ANN, at: NOW - DAY };
    const decided = (
      entries: readonly OrderEntry[],
      wentBackAt: number | null,
      of = free,
      over: Partial<OrderFacts> = {},
    ) => {
      const order = kept({ entries, ...over });
      const filing = { ...renewalOf(order).proposal, id: 'P-1', person: ANN };
      const facts = filingFacts({ now: NOW, order, wentBackAt });
      const found = review(filing.content, facts, of, true);
      const needsApproval = !('refused' in found) && found.needsApproval;
      const { result, file } = decideFiling(filing, { needsApproval }, facts, of);
      if (needsApproval)
        expect(decideFiling(filing, { needsApproval: false }, facts, of).result).toEqual({
          refused: 'approval_now_needed',
        });
      return file?.state ?? result;
    };

    test('on its owner’s own word alone', () => {
      expect(decided([byOwner], null)).toBe('approved');
      expect(decided([keep], null)).toBe('requested');
      expect(decided([byOwner, keep], null)).toBe('requested');
      expect(decided([byOwner, handedOver], null)).toBe('requested');
    });

    test('not where the ledger went back in time since that was said, and may have forgotten a renewal', () => {
      expect(decided([byOwner], NOW - 2 * DAY)).toBe('approved');
      expect(decided([byOwner], NOW - DAY)).toBe('requested');
      expect(decided([byOwner], NOW - 1)).toBe('requested');
      expect(decided([byOwner], NOW - 1, policy('off'))).toMatchObject({ refused: 'kept_before_restore' });
      expect(decided([byOwner], null, policy('off'))).toBe('approved');
    });

    test('but where it was renewed since', () => {
      const since = purchase({
        kind: 'renew',
        state: 'completed',
        createdAt: NOW - 10,
        attempt: attempt({ at: NOW - 40 * DAY }),
      });
      expect(decided([byOwner], NOW - 20, free, { renewals: [since] })).toBe('approved');
      expect(decided([byOwner], NOW - 5, free, { renewals: [since] })).toBe('requested');
    });
  });

  test('as Proxy Desk itself, with the evidence', () => {
    const filing = { ...renewalOf(kept()).proposal, id: 'P-1', person: ANN };
    const { file } = decideFiling(filing, { needsApproval: true }, filingFacts({ now: NOW, order: kept() }), POLICY);
    expect(file).toMatchObject({ requester: ANN, filedBy: 'desk', evidence: { kept: { by: BEN, endsAt: END } } });
  });
});

describe('where it cannot be filed', () => {
  const order = renewalOf(kept()).order;
  const TWIN = twin('completed');
  test.each<[NotKept, string | null]>([
    [{ refused: 'missed' }, 'was not renewed in time'],
    [{ refused: 'no_owner' }, 'nobody owns it'],
    [{ refused: 'barred', as: 'deactivated' }, 'its owner may not renew'],
    [{ refused: 'not_in_group', right: 'renew' }, 'its owner may not renew'],
    [{ refused: 'nobody_in_group', right: 'renew' }, 'nobody may renew'],
    [{ refused: 'plan_gone', name: 'Gold' }, 'the plan last paid, Gold, is no longer offered'],
    [{ refused: 'over_order_limit', quantity: 9, limit: 5 }, 'at most 5'],
    [{ refused: 'over_day_limit', quantity: 9, counted: 4, limit: 5 }, '4 of 5'],
    [
      {
        refused: 'over_dollar_limit',
        whose: 'everybody',
        spent: '64' as Money,
        cost: '5' as Money,
        limit: '64' as Money,
        timeZone: 'Asia/Tokyo',
      },
      'would cost about $5.00, and everybody together has spent or asked for about $64.00 of $64.00 in this calendar month (Asia/Tokyo)',
    ],
    [{ refused: 'kept_while_frozen', freeze: FREEZE }, 'spending is frozen'],
    [{ refused: 'order_never_seen', orderId: '123' }, 'order_never_seen'],
    [{ refused: 'twin_completed', twin: { ...TWIN, changedAt: NOW } }, null],
    [{ refused: 'twin_completed', twin: { ...TWIN, changedAt: END - DAY } }, 'less than 24 hours ago'],
    [{ refused: 'twin_open', twin: TWIN }, null],
    [{ refused: 'twin_just_declined', twin: TWIN, retryAfterSeconds: 5 }, null],
    [{ refused: 'rights_unreadable', retryAfterSeconds: 5 }, null],
    [{ refused: 'approval_now_needed' }, null],
    [{ refused: 'not_kept_now', orderId: '123' }, null],
  ])('$refused is told to owner and approvers once for each end and cause, or to nobody', (why, words) => {
    const owed = owedWhereNotKept(order, why);
    if (words === null) return expect(owed).toEqual([]);
    const key = `not kept:123:${END}:${why.refused}`;
    expect(owed).toMatchObject([
      { key: `${key}:approvers`, audience: 'approvers', by: ANN, text: expect.stringContaining(words) },
      { key: `${key}:owner`, audience: `user:${ANN}`, text: expect.stringContaining('2026-02-28') },
    ]);
  });

  test('what passes by itself is looked at sooner than what people have to mend', () => {
    expect(passesSoon({ refused: 'rights_unreadable', retryAfterSeconds: 5 })).toBe(true);
    expect(passesSoon({ refused: 'kept_while_frozen', freeze: FREEZE })).toBe(true);
    expect(passesSoon({ refused: 'no_owner' })).toBe(false);
  });
});
