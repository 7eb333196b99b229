import { describe, expect, it } from 'vitest';
import type { Movement } from '../../src/purchasing/model/account.ts';
import { allCountries } from '../../src/purchasing/model/countries.ts';
import { compare, difference, type Money, sum } from '../../src/purchasing/model/money.ts';
import type { MonthlyReport } from '../../src/purchasing/model/monthly-report.ts';
import type { Order } from '../../src/purchasing/model/order.ts';
import { NOTHING } from '../../src/purchasing/model/quotient.ts';
import { SPENT_BY, type SpendFacts } from '../../src/purchasing/model/spend.ts';
import { spendOf } from '../../src/purchasing/rules/spend.ts';
import { renderNotice } from '../../views/notice.ts';
import {
  ANN,
  asOrderId,
  attempt,
  buttonsOf,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  money,
  notice,
  purchase,
  readsAs,
  surroundings,
} from './fixture.ts';

const span = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) };
const DUE = span.to + 9 * 3_600_000;
const DAY = 86_400_000;

const NO_FACTS: SpendFacts = { span, begins: null, ends: null, movements: [], purchases: [], costs: new Map() };

async function report(facts: SpendFacts = NO_FACTS, over: Partial<MonthlyReport> = {}): Promise<MonthlyReport> {
  return {
    month: '2026-11',
    timeZone: 'Europe/Berlin',
    dueAt: DUE,
    watchedSince: null,
    wentBackAt: null,
    facts,
    by: {
      person: await spendOf(facts, 'person'),
      plan: await spendOf(facts, 'plan'),
      country: await spendOf(facts, 'country'),
    },
    before: null,
    unexplained: { shown: [], total: 0 },
    unknown: { shown: [], total: 0 },
    ended: { shown: [], total: 0 },
    renewals: null,
    ...over,
  };
}

function drawn(of: MonthlyReport, now = DUE) {
  const owed = notice({ kind: 'report', key: 'report:2026-11', text: '2026-11 Europe/Berlin', purchaseId: null });
  return renderNotice(owed, null, surroundings({ report: of, now, mention: ['S0LEADS'] }));
}

/** So many purchases of a dollar each and some cents, by so many people, in every country there is. */
function factsOf(count: number, people: number): SpendFacts {
  const countries = allCountries();
  const movements: Movement[] = [];
  const purchases = Array.from({ length: count }, (_, nth) => {
    const country = countries[nth % countries.length]?.code ?? 'US';
    const requester = `U0P${nth % people}`;
    const id = `P-${String(nth).padStart(8, '0')}`;
    const before = money('100000.00');
    const after = difference(before, `1.${String(nth % 100).padStart(2, '0')}` as Money);
    const at = span.from + nth;
    const of = { seq: nth, from: at, to: at + 1, before, after, difference: difference(after, before) };
    movements.push({ ...of, kind: 'ours', purchases: [id], final: true });
    const plan = { ...LONGEST_PLAN, productId: `${nth % 100}${'&'.repeat(70)}` };
    const basket = [{ country, quantity: 1 }];
    return purchase({
      id,
      state: 'completed',
      requester,
      requesterPerson: requester,
      plan,
      basket,
      quantity: 1,
      attempt: attempt({ at }),
    });
  });
  return { ...NO_FACTS, movements, purchases };
}

const order = (over: Partial<Order> = {}): Order => ({
  orderId: asOrderId('1001'),
  source: 'bought',
  plan: MONTHLY,
  basket: [{ country: 'US', quantity: 2 }],
  quantity: 2,
  owner: ANN,
  note: null,
  boughtAt: null,
  renewals: 0,
  endsAt: span.to + DAY,
  intent: 'keep',
  remindAgain: null,
  ...over,
});

const fall = (note: string | null, amount = '48.00'): Movement => ({
  seq: 7,
  from: span.from,
  to: span.from + 900_000,
  before: money('1000.00'),
  after: difference(money('1000.00'), money(amount)),
  difference: `-${amount}` as Money,
  kind: 'elsewhere',
  purchases: [],
  final: true,
  ...(note === null ? {} : { known: { by: ANN, at: span.from, note } }),
});

describe('a monthly report', () => {
  it('says the sum first, and what that is against the month before', async () => {
    const of = async (spent: string | null, since: number | null = null) => {
      const before = spent === null ? null : { month: '2026-10' as const, spent: money(spent), watchedSince: since };
      return drawn(await report(factsOf(2, 1), { before }));
    };
    expect((await of(null)).text).toBe('November 2026: $2.01 spent by purchases');
    expect(readsAs(await of('1.50'))).toContain('$0.51 more than in October 2026 ($1.50)');
    expect(readsAs(await of('3'))).toContain('$0.99 less than in October 2026 ($3.00)');
    expect(readsAs(await of('2.010'))).toContain('As much as in October 2026');
    expect(readsAs(await of('1.50', span.from - DAY))).toContain('$1.50 in October 2026, watched since 2026-10-31');
    expect(readsAs(await of(null))).not.toContain('October');
  });

  it('of a month in which nothing happened is short, and mentions no group', async () => {
    const text = readsAs(drawn(await report()));
    expect(text).toContain('Nothing was bought or renewed.');
    expect(text).toContain('Unknown outcomes still open: none');
    expect(text).not.toContain('By person');
    expect(text).not.toContain('Late');
    expect(JSON.stringify(drawn(await report()))).not.toContain('S0LEADS');
    expect(buttonsOf(drawn(await report()))).toEqual(['Download CSV']);
  });

  it('says what its reader must know of it: that it is late, partial, or of a ledger that went back', async () => {
    const late = drawn(await report(), DUE + DAY);
    expect(readsAs(late)).toContain('Late: it was due 2026-12-01 09:00 UTC.');
    const partial = drawn(await report(NO_FACTS, { watchedSince: span.from + DAY }));
    expect(readsAs(partial)).toContain('The balance is watched since 2026-11-02 00:00 UTC: nothing is known of before');
    const back = await report(NO_FACTS, { wentBackAt: span.from + DAY });
    expect(readsAs(drawn(back))).toContain('what it has forgotten is in no figure but the unknown');
    expect(readsAs(drawn(back))).not.toContain('may have been posted before');
    expect(readsAs(drawn(back, DUE + DAY))).toContain('This report may have been posted before.');
  });

  it('names prices as observed, and none where none is', async () => {
    const cost = { amount: money('10.00'), divisor: 3n };
    const ahead = {
      month: '2026-12' as const,
      orders: {
        shown: [
          { order: order(), cost },
          { order: order({ orderId: asOrderId('1002') }), cost: null },
        ],
        total: 7,
      },
      renewals: 6,
      cost,
      unpriced: 1,
      more: true,
    };
    const text = readsAs(drawn(await report(NO_FACTS, { renewals: ahead })));
    expect(text).toContain(
      'Renewals due in December 2026, of what is kept or was renewed before: 7 orders, about $3.33 as observed for 6 orders; no price observed yet for 1 order',
    );
    expect(text).toContain('1001, 2 IPs (US 2), ends about 2026-12-02: about $3.33');
    expect(text).toContain('1002, 2 IPs (US 2), ends about 2026-12-02: no price observed yet');
    expect(text).toContain('and 5 more: see /proxy orders');
    expect(text).toContain('More orders end then than were looked at');
    const none = { ...ahead, orders: { shown: [], total: 0 }, renewals: 0, cost: NOTHING, unpriced: 0, more: false };
    expect(readsAs(drawn(await report(NO_FACTS, { renewals: none })))).toContain(
      'Renewals due in December 2026, of what is kept or was renewed before: none',
    );
  });

  it('shows what people typed as they typed it, and makes nothing of it live', async () => {
    const typed = '<!channel> <@U0SAM> *bold* https://example.com </proxy|x> &amp;';
    const message = drawn(await report(NO_FACTS, { unexplained: { shown: [fall(typed), fall(null)], total: 2 } }));
    expect(liveTokens(message)).toEqual([`<@${ANN}>`]);
    expect(readsAs(message)).toContain('“<!channel> <＠U0SAM>');
    expect(readsAs(message)).toContain('nobody has said that they know about it');
  });

  it('holds on Slack’s limits with 10,000 purchases of 200 people in every country, and its rows add up', async () => {
    const facts = factsOf(10_000, 200);
    const long = order({ orderId: asOrderId('9'.repeat(40)), basket: LONGEST_BASKET, owner: `U${'W'.repeat(20)}` });
    const unknown = purchase({ id: 'P-00000000', state: 'unknown', basket: LONGEST_BASKET });
    const card = `https://example.slack.com/archives/C0APPROVALS/p1700000000000000`;
    const five = <T>(one: T) => ({ shown: Array.from({ length: 5 }, () => one), total: 10_000 });
    const of = await report(facts, {
      before: { month: '2026-10', spent: money('1000000.00'), watchedSince: null },
      watchedSince: span.from,
      wentBackAt: span.from,
      unexplained: five(fall('&'.repeat(500))),
      unknown: five({ purchase: unknown, card }),
      ended: five(long),
      renewals: {
        month: '2026-12',
        orders: five({ order: long, cost: { amount: money('1.00'), divisor: 3n } }),
        renewals: 10_000,
        cost: { amount: money('123456789.99'), divisor: 7n },
        unpriced: 5_000,
        more: true,
      },
    });
    const message = drawn(of, DUE + DAY);
    expect(readsAs(message)).toContain('and 195 more: $');
    expect(readsAs(message)).toMatch(/and \d{3} more: \$/);
    expect(JSON.stringify(message.blocks).length).toBeLessThan(20_000);
    const left = facts.movements.reduce((all, one) => sum(all, difference(one.before, one.after)), '0' as Money);
    for (const axis of SPENT_BY) {
      const rows = of.by[axis].rows.reduce((all, { spent }) => sum(all, spent), '0' as Money);
      expect(compare(rows, left)).toBe(0);
    }
  });
});
