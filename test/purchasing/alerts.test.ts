import { describe, expect, test } from 'vitest';
import type { Link, Movement } from '../../src/purchasing/model/account.ts';
import type { ToldFacts, WatchFacts } from '../../src/purchasing/model/alerts.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { BalancePolicy } from '../../src/purchasing/model/policy.ts';
import { decideAlerts, decideFreezingFor, decideKnowing, isElsewhere } from '../../src/purchasing/rules/alerts.ts';
import { policyOf } from '../support/office.ts';
import { CHANNEL, LEAD } from '../support/people.ts';
import { NO_INTERVAL } from '../support/policy.ts';

const NOW = Date.UTC(2026, 10, 28, 14, 20);
const DAY = 86_400_000;
const money = (text: string) => text as Money;

const fall: Movement = {
  seq: 7,
  from: NOW - 900_000,
  to: NOW,
  before: money('1000.00'),
  after: money('952.00'),
  difference: money('-48.00'),
  kind: 'elsewhere',
  purchases: [],
  final: true,
};
const topUp: Movement = { ...fall, seq: 8, after: money('1500'), difference: money('500'), kind: 'top_up' };
const open: Movement = { ...fall, seq: 6, kind: 'unknown', purchases: ['P-1'], final: false };

function facts(over: Partial<WatchFacts> = {}): WatchFacts {
  return {
    now: NOW,
    judgedUpTo: 0,
    movements: [],
    toldOf: new Set(),
    latest: null,
    underWay: false,
    told: { low: null, short: null },
    spent: { spent: money('0'), overMs: 30 * DAY },
    freeze: null,
    ...over,
  };
}

const policy = (over: Partial<BalancePolicy> = {}): BalancePolicy => ({ ...NO_INTERVAL, ...over });
const link = (balance: string, seq = 9): Link => ({
  seq,
  at: NOW,
  balance: money(balance),
  keptAfter: 0,
  unbooked: [],
});
const keysOf = (of: WatchFacts, with_ = policy()) => decideAlerts(of, with_)?.notices.map(({ key }) => key) ?? [];

describe('what the balance did', () => {
  test('is told once it is final, whatever before it is still open, and once', () => {
    const movements = [open, fall, topUp];
    expect(decideAlerts(facts({ movements }), policy())).toMatchObject({ judgedUpTo: 0, freeze: null });
    expect(keysOf(facts({ movements }))).toEqual(['fall:7', 'top_up:8']);
    expect(keysOf(facts({ movements, toldOf: new Set([7]) }))).toEqual(['top_up:8']);
    expect(decideAlerts(facts({ movements, toldOf: new Set([7, 8]) }), policy())).toBeNull();
  });

  test('is looked at no more when all is final', () => {
    const movements = [{ ...open, kind: 'ours', final: true } as const, fall];
    expect(decideAlerts(facts({ movements, toldOf: new Set([7]) }), policy())).toMatchObject({
      judgedUpTo: 7,
      notices: [],
    });
    expect(decideAlerts(facts({ judgedUpTo: 7 }), policy())).toBeNull();
  });

  test('over a hole of a ledger that went back in time is nothing to tell', () => {
    const hole: Movement = { ...fall, kind: 'unknown', final: true };
    expect(decideAlerts(facts({ movements: [hole] }), policy())).toMatchObject({
      judgedUpTo: 7,
      notices: [],
      freeze: null,
    });
  });

  test.each([
    [null, undefined],
    ['48', undefined],
    ['47.99', '$48.00 left the account between 2026-11-28 14:05 UTC and 2026-11-28 14:20 UTC'],
  ])('freezes spending above %s, if at all', (above, reason) => {
    const freezing = policy({ freezeOnUnexplainedAbove: above === null ? null : money(above) });
    const change = decideAlerts(facts({ movements: [fall] }), freezing);
    if (reason === undefined) expect(change?.freeze).toBeNull();
    else expect(change?.freeze?.to).toEqual({ by: 'desk', at: NOW, reason: expect.stringContaining(reason) });
    // Told already: whoever has ended that freeze has looked at it.
    expect(decideAlerts(facts({ movements: [open, fall], toldOf: new Set([7]) }), freezing)).toBeNull();
  });

  test('freezes nothing that is frozen: the first reason stands', () => {
    const freeze = { by: LEAD, reason: 'x', at: NOW };
    const change = decideAlerts(facts({ movements: [fall], freeze }), policy({ freezeOnUnexplainedAbove: money('1') }));
    expect(change).toMatchObject({ freeze: null, notices: [{ key: 'fall:7' }] });
  });
});

describe('a balance that is low', () => {
  const below = policy({ warnBelow: money('100') });

  test.each([
    ['99.99', null, 9],
    ['100', null, null],
    ['99', 3, 3],
    ['104.99', 3, 3],
    ['105', 3, null],
  ])('of %s, where it was told %s, is told since %s', (balance, low, since) => {
    const change = decideAlerts(facts({ latest: link(balance), told: { low, short: null } }), below);
    expect(change ? change.told.low : low).toBe(since);
    expect(keysOf(facts({ latest: link(balance), told: { low, short: null } }), below)).toEqual(
      low === null && since !== null ? ['alert:low:9'] : [],
    );
  });

  test('waits while a purchase is being sent, until its last reading', () => {
    expect(decideAlerts(facts({ latest: link('1'), underWay: true }), below)).toBeNull();
    expect(decideAlerts(facts({ latest: link('1'), underWay: true, told: { low: 3, short: 3 } }), below)).toBeNull();
  });

  test('looked at twice is told once', () => {
    const change = decideAlerts(facts({ latest: link('1') }), below);
    expect(
      decideAlerts(facts({ latest: link('1'), told: change?.told ?? { low: null, short: null } }), below),
    ).toBeNull();
  });

  test('is no longer told where the policy does not want it', () => {
    expect(decideAlerts(facts({ latest: link('1'), told: { low: 3, short: 3 } }), policy())?.told).toEqual({
      low: null,
      short: null,
    });
  });
});

describe('a balance that is enough for a few days', () => {
  const days = policy({ warnDays: 7 });
  // $10 a day.
  const spent = { spent: money('300'), overMs: 30 * DAY };

  test.each([
    ['69.99', null, 9],
    ['70', null, null],
    ['79.99', 3, 3],
    ['80', 3, null],
  ])('of %s, where it was told %s, is told since %s', (balance, short, since) => {
    const of = facts({ latest: link(balance), spent, told: { low: null, short } });
    const change = decideAlerts(of, days);
    expect(change ? change.told.short : short).toBe(since);
  });

  test('says by what it counts', () => {
    const [notice] = decideAlerts(facts({ latest: link('45'), spent }), days)?.notices ?? [];
    expect(notice?.text).toBe(
      'The balance was $45.00 on 2026-11-28 14:20 UTC: enough for about 4 days, fewer than 7 (balance.warn_days). Observed: $300.00 left the account in the last 30 days, and this counts on as much.',
    );
  });

  test('is not told of an account that was watched for less than a week: nobody knows its pace yet', () => {
    const young = { spent: money('900'), overMs: 6 * DAY };
    expect(decideAlerts(facts({ latest: link('100'), spent: young }), days)).toBeNull();
  });
});

describe('a click on a fall', () => {
  const told = (over: Partial<ToldFacts> = {}): ToldFacts => ({
    told: { movement: fall, sentInVain: false },
    now: NOW,
    freeze: null,
    deliveredBefore: null,
    ...over,
  });
  const by = { user: LEAD, allowed: { person: LEAD, ids: new Set([LEAD]), rights: new Set(['approve'] as const) } };
  const nobody = { user: LEAD, allowed: { refused: 'not_in_group', right: 'approve' } } as const;

  test('is written down with who and what, once', () => {
    expect(decideKnowing(told(), by, 'me')).toMatchObject({
      entry: { by: LEAD, detail: { kind: 'fall_known', note: 'me' } },
      click: 'done',
    });
    const again = decideKnowing(told({ deliveredBefore: 'done' }), by, 'me');
    expect(again.entry ?? again.click).toBeUndefined();
  });

  test('that is refused is written down, once', () => {
    const refused = decideKnowing(told(), nobody, 'me');
    expect(refused).toMatchObject({ result: { refused: 'not_in_group' }, entry: { detail: { kind: 'refused' } } });
    expect(decideKnowing(told({ deliveredBefore: 'refused' }), nobody, 'me').entry).toBeUndefined();
    expect(decideKnowing(told({ deliveredBefore: 'refused' }), by, 'me').result).toEqual({
      refused: 'delivered_again',
    });
  });

  test('freezes for its reason, unless spending is frozen or it was delivered before', () => {
    expect(decideFreezingFor(told(), by).freeze?.to).toMatchObject({
      by: LEAD,
      reason: expect.stringContaining('$48.00'),
    });
    const freeze = { by: 'U1', reason: 'x', at: 1 };
    expect(decideFreezingFor(told({ freeze }), by)).toMatchObject({ result: { refused: 'already_frozen' } });
    expect(decideFreezingFor(told({ deliveredBefore: 'done' }), by).freeze).toBeUndefined();
    expect(decideFreezingFor(told(), nobody).freeze).toBeUndefined();
  });

  test.each([
    ['on its message', CHANNEL, { kind: 'fall', text: '7' }, false],
    ['on the message of another', CHANNEL, { kind: 'fall', text: '8' }, true],
    ['on another message', CHANNEL, { kind: 'card', text: null }, true],
    ['on a copy in the approvals channel', CHANNEL, undefined, false],
    ['in another channel', 'C0OTHER', undefined, true],
    ['in direct messages', 'D1', undefined, true],
  ] as const)('%s', (_, channel, notice, elsewhere) => {
    expect(isElsewhere(7, { channel, ts: '1', isPrivateAnswer: false }, notice, policyOf())).toBe(elsewhere);
  });
});
