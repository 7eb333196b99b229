import { describe, expect, test } from 'vitest';
import type { ExpectedCost, MonthSpent } from '../../src/purchasing/model/cost.ts';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content, Counted } from '../../src/purchasing/model/purchase.ts';
import type { Quotient } from '../../src/purchasing/model/quotient.ts';
import { decideBatchFiling, reviewBatch } from '../../src/purchasing/rules/batches.ts';
import { decideApproval } from '../../src/purchasing/rules/decisions.ts';
import { decideFiling, type Filing, review } from '../../src/purchasing/rules/filing.ts';
import { decideSending } from '../../src/purchasing/rules/sending.ts';
import {
  ANN,
  changeFacts,
  filingFacts,
  type GivenPolicy,
  inState,
  MONTHLY,
  money,
  NOW,
  policy,
  SAM,
  said,
  YEARLY,
} from './fixture.ts';

const dollars = (text: string): Quotient => ({ amount: money(text), divisor: 1n });
const priced = (text: string): ExpectedCost => ({
  known: true,
  amount: dollars(text),
  oldest: NOW,
  since: NOW,
  latest: NOW,
  observations: 1,
});
const noPrice: ExpectedCost = { known: false, missing: ['DE'] };
const month = (person: string, everybody = person, unpriced = 0): MonthSpent => ({
  person: { amount: dollars(person), unpriced },
  everybody: { amount: dollars(everybody), unpriced },
});
const other = (cost: string | null, plan = MONTHLY): Counted => ({
  plan,
  quantity: 1,
  cost: cost === null ? null : dollars(cost),
});

interface Rules {
  readonly approvals?: GivenPolicy;
  readonly person?: string;
  readonly all?: string;
}

function rules({ approvals = { freeUpTo: 50, renewalsNeedApproval: false }, person, all }: Rules): Policy {
  const given = policy(approvals);
  const limits = {
    ...given.limits,
    dollarsPerPersonPerMonth: person === undefined ? null : money(person),
    dollarsPerMonth: all === undefined ? null : money(all),
  };
  return { ...given, limits };
}

const free = (text: string, ips: number | null = null): Rules => ({
  approvals: { freeUpTo: ips, freeUpToDollars: money(text) },
});
const two = (text: string): Rules => ({ approvals: { freeUpTo: 50, twoPeopleAboveDollars: money(text) } });

const BUY: Content = { kind: 'buy', plan: MONTHLY, basket: [{ country: 'DE', quantity: 3 }] };
const RENEWAL: Content = { kind: 'renew', plan: MONTHLY, orderId: '77' };
const APPROVED = { needsApproval: true };
const ALONE = { needsApproval: false };

const cases: readonly (readonly [string, Rules, Partial<FilingFacts>, object])[] = [
  ['what it costs, to the cent of what is free', free('20'), { cost: priced('20.00') }, ALONE],
  ['approval a cent above that', free('20'), { cost: priced('20.01') }, APPROVED],
  ['a part of a cent above that', free('20'), { cost: priced('20.0000001') }, APPROVED],
  ['what was asked for within the day counts', free('20'), { cost: priced('5'), others: [other('15.01')] }, APPROVED],
  ['up to the last cent of it', free('20'), { cost: priced('5'), others: [other('10'), other('5', YEARLY)] }, ALONE],
  ['approval where no price is known', free('20'), { cost: noPrice }, APPROVED],
  ['or of something that counts none', free('20'), { cost: priced('1'), others: [other(null)] }, APPROVED],
  ['both where IPs are free too', free('20', 2), { cost: priced('1') }, APPROVED],
  ['both hold', free('20', 3), { cost: priced('20') }, ALONE],
  ['two people above', two('10'), { cost: priced('10.01') }, { needsApproval: true, twoPeopleFor: 'dollars' }],
  ['not at it', two('10'), { cost: priced('10.00') }, ALONE],
  ['two of what was split', two('10'), { cost: priced('5'), others: [other('5.01', YEARLY)] }, { twoPeople: true }],
  ['two where no price is known', two('10'), { cost: noPrice }, { twoPeople: true, twoPeopleFor: 'dollars' }],
  ['two where of another none is', two('10'), { cost: priced('1'), others: [other(null)] }, { twoPeople: true }],
  ['a month to its last cent', { person: '100' }, { cost: priced('40'), spent: month('60') }, ALONE],
  [
    'no more than that',
    { person: '100' },
    { cost: priced('40.01'), spent: month('60') },
    { refused: 'over_dollar_limit', whose: 'person', spent: '60.00', cost: '40.01', limit: '100' },
  ],
  ['everybody to the last cent', { all: '100' }, { cost: priced('40'), spent: month('0', '60') }, ALONE],
  [
    'no more than that either',
    { all: '100' },
    { cost: priced('40'), spent: month('0', '60.01') },
    { refused: 'over_dollar_limit', whose: 'everybody' },
  ],
  [
    'approval where no price is known',
    { person: '100' },
    { cost: noPrice, spent: month('99.99') },
    { needsApproval: true, mayBeOver: true },
  ],
  [
    'no to it where nothing is left',
    { person: '100' },
    { cost: noPrice, spent: month('100.00') },
    { refused: 'over_dollar_limit', cost: null },
  ],
  [
    'approval where of something that was spent nobody knows how much',
    { all: '100' },
    { cost: priced('1'), spent: month('1', '1', 1) },
    { needsApproval: true, mayBeOver: true },
  ],
  ['nothing of all that without limits in dollars', {}, { cost: noPrice, spent: null }, ALONE],
  [
    'with approvals off the limits to the cent',
    { approvals: 'off', person: '100' },
    { cost: priced('40.01'), spent: month('60') },
    { refused: 'over_dollar_limit' },
  ],
  [
    'and what no price is known of, since nobody could approve it',
    { approvals: 'off', person: '100' },
    { cost: noPrice, spent: month('0') },
    { needsApproval: false, mayBeOver: true },
  ],
];

describe('in dollars a review asks for', () => {
  test.each(cases)('%s', (_, given, facts, expected) => {
    expect(review(BUY, filingFacts(facts), rules(given))).toMatchObject(expected);
  });
});

const filing: Filing = {
  submission: 's',
  requester: SAM.user,
  content: BUY,
  reason: '',
  separate: false,
  neverSeenAccepted: false,
  id: 'P-1',
  person: SAM.person,
};

describe('a filing', () => {
  test('keeps what it was expected to cost, exactly', () => {
    const third: ExpectedCost = { ...priced('10'), amount: { amount: money('10'), divisor: 3n } } as ExpectedCost;
    const { file } = decideFiling(filing, APPROVED, filingFacts({ cost: third }), rules({}));
    expect(file?.evidence.cost).toEqual({
      amount: '10',
      divisor: '3',
      oldest: NOW,
      since: NOW,
      latest: NOW,
      observations: 1,
    });
    const none = decideFiling(filing, APPROVED, filingFacts({ cost: noPrice }), rules({}));
    expect(none.file?.evidence.cost).toEqual({ missing: ['DE'] });
  });

  test.each<[string, string | null, ExpectedCost, string]>([
    ['as its review showed', '48.00', priced('48'), 'requested'],
    ['not at another price', '48.00', priced('48.01'), 'refused: cost_changed'],
    ['not where a price is known by now', null, priced('48'), 'refused: cost_changed'],
    ['not where none is any more', '48.00', noPrice, 'refused: cost_changed'],
    ['where none was and none is', null, noPrice, 'requested'],
  ])('files %s', (_, shown, cost, expected) => {
    const promised = { needsApproval: true, cost: shown === null ? null : money(shown) };
    const { result } = decideFiling(filing, promised, filingFacts({ cost }), rules({}));
    expect(said(result)).toBe(expected);
  });

  test('of a form of the version before files all the same', () => {
    const { result } = decideFiling(filing, APPROVED, filingFacts({ cost: priced('1') }), rules({}));
    expect(said(result)).toBe('requested');
  });

  test('of several counts what the rows before it cost', () => {
    const rows = ['77', '78'].map((orderId) => ({ ...RENEWAL, orderId: orderId as '77' }));
    const facts = (...costs: ExpectedCost[]) => ({
      now: NOW,
      freeze: null,
      filed: null,
      deliveredBefore: null,
      rows: costs.map((cost) => filingFacts({ cost, spent: month('0') })),
    });
    const fits = reviewBatch({ contents: rows }, facts(priced('50'), priced('50')), rules({ person: '100' }));
    expect(fits.rows).toMatchObject([{ needsApproval: true }, { needsApproval: true }]);
    const over = reviewBatch({ contents: rows }, facts(priced('50'), priced('50.01')), rules({ person: '100' }));
    expect(over.rows).toMatchObject([{ needsApproval: true }, { refused: 'over_dollar_limit', spent: '50.00' }]);
    const batch = { submission: 's', requester: SAM.user, contents: rows, reason: '', separate: [] };
    const all = { ...batch, id: 'B-1', ids: ['P-1', 'P-2'], person: SAM.person };
    const file = (second: string, costs?: string[]) =>
      decideBatchFiling(
        all,
        { needsApproval: true, costs: costs?.map(money) },
        facts(priced('50'), priced(second)),
        rules({ person: '100' }),
      );
    expect(file('50').file?.rows).toHaveLength(2);
    expect(file('50.01')).toMatchObject({
      result: { refused: 'rows_refused', rows: [{ orderId: '78', because: { refused: 'over_dollar_limit' } }] },
    });
    expect(file('50', ['50.00', '49.00']).result).toMatchObject({
      rows: [{ orderId: '78', because: { refused: 'cost_changed', shown: '49.00', now: '50.00' } }],
    });
  });
});

describe('the first yes is not enough', () => {
  test.each<[string, ExpectedCost, string | undefined]>([
    ['above the limit', priced('10.01'), undefined],
    ['of what no price is known', noPrice, undefined],
    ['at the limit', priced('10'), 'approved'],
  ])('%s', (_, cost, to) => {
    expect(decideApproval(inState('requested'), changeFacts({ cost }), ANN, rules(two('10'))).to).toBe(to);
  });
});

describe('what enters sending', () => {
  const departure = { attemptId: 'A', answerWithinMs: 30_000, balance: money('10'), balanceAt: NOW, lastSending: 7 };
  test.each<[string, Rules, Parameters<typeof changeFacts>[0], string | null]>([
    ['fits the month to the cent', { person: '100' }, { cost: priced('40'), spent: month('60') }, null],
    [
      'is no cent more',
      { person: '100' },
      { cost: priced('40'), spent: month('60.01') },
      'with it, more than $100.00 would be spent by one person in this month ($60.01 is without it)',
    ],
    [
      'is nothing where nothing is left',
      { all: '100' },
      { cost: noPrice, spent: month('0', '100') },
      'with it, more than $100.00 would be spent in all in this month ($100.00 is without it)',
    ],
    ['may be what somebody approved without a price', { all: '100' }, { cost: noPrice, spent: month('1') }, null],
  ])('%s', (_, given, facts, why) => {
    const { to, set } = decideSending(inState('approved'), changeFacts(facts), departure, rules(given));
    expect(to).toBe(why === null ? 'sending' : 'declined');
    expect(set?.why ?? null).toBe(why);
  });

  test('is nothing of what nobody approved, and no price is known of by now', () => {
    const alone = inState('approved', { approver: null });
    const facts = changeFacts({ cost: noPrice, spent: month('1') });
    const { set } = decideSending(alone, facts, departure, rules({ person: '100' }));
    expect(set?.why).toBe('it now needs approval, and has none');
  });
});
