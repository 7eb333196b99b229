import { beforeEach, describe, expect, it, test } from 'vitest';
import { parseSpend } from '../../src/input/spend.ts';
import type { Movement, MovementKind } from '../../src/purchasing/model/account.ts';
import { difference, type Money, sum } from '../../src/purchasing/model/money.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { SpendFacts, SpentBy } from '../../src/purchasing/model/spend.ts';
import { spanOf } from '../../src/purchasing/rules/periods.ts';
import { spentIn } from '../../src/purchasing/rules/runway.ts';
import { kindSums, leftBetween, spendFacts, spendOf } from '../../src/purchasing/rules/spend.ts';
import { spendCsv } from '../../src/purchasing/rules/spend-csv.ts';
import { UTC, zoneOf } from '../../src/purchasing/rules/zones.ts';
import { attempt, purchase, YEARLY } from '../views/fixture.ts';

const DAY = 86_400_000;
const span = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) };
const during = span.from + DAY;

let seq = 0;
let balance = '1000.00' as Money;

beforeEach(() => {
  balance = '1000.00' as Money;
});

/** The balance changes by so much. */
function changed(by: string, kind: MovementKind, ...purchases: string[]): Movement {
  const before = balance;
  balance = sum(before, by as Money);
  seq += 1;
  const at = { from: during, to: during + 1_000, before, after: balance, difference: difference(balance, before) };
  return { seq, ...at, kind, purchases, final: kind !== 'unknown' };
}

function bought(id: string, of: Partial<Purchase> = {}): Purchase {
  return purchase({ id, state: 'completed', attempt: attempt({ at: during }), ...of });
}

const US = { basket: [{ country: 'US', quantity: 10 }], quantity: 10 };
const DE = { basket: [{ country: 'DE', quantity: 5 }], quantity: 5 };
const BOB = { requester: 'U0BOB', requesterPerson: 'W0BOB' };

function spend(
  movements: readonly Movement[],
  purchases: readonly Purchase[],
  by: SpentBy,
  of: Partial<SpendFacts> = {},
) {
  return spendOf({ span, begins: null, ends: null, movements, purchases, costs: new Map(), ...of }, by);
}

const row = (key: string, spent: string, purchases: number, ips: number | null, withoutCost = 0) => ({
  key,
  spent,
  purchases,
  ips,
  withoutCost,
});

describe('what was spent', () => {
  it('is put down to whom the purchases belong to, the most first', async () => {
    const purchases = [bought('A', US), bought('B', { ...DE, ...BOB }), bought('C', { ...US, ...BOB, plan: YEARLY })];
    const movements = [changed('-32.00', 'ours', 'A'), changed('-16.00', 'ours', 'B'), changed('-40.00', 'ours', 'C')];
    expect((await spend(movements, purchases, 'person')).rows).toEqual([
      row('W0BOB', '56.00', 2, 15),
      row(purchases[0]?.requesterPerson ?? '', '32.00', 1, 10),
    ]);
    expect((await spend(movements, purchases, 'plan')).rows).toEqual([
      row('lt-monthly', '48.00', 2, 15),
      row('lt-yearly', '40.00', 1, 10),
    ]);
    expect((await spend(movements, purchases, 'country')).rows).toEqual([
      row('US', '72.00', 2, 20),
      row('DE', '16.00', 1, 5),
    ]);
  });

  it('is not shared out: what several cost together stays together', async () => {
    const purchases = [bought('A', US), bought('B', { ...DE, ...BOB })];
    const both = [changed('-48.00', 'ours', 'A', 'B')];
    const { rows, together } = await spend(both, purchases, 'person');
    expect(together).toEqual({ spent: '48.00', purchases: 2 });
    expect(rows.map(({ spent, withoutCost }) => [spent, withoutCost])).toEqual([
      ['0', 1],
      ['0', 1],
    ]);
    // Of one plan they are, so that the sum is that plan's.
    expect(await spend(both, purchases, 'plan')).toMatchObject({
      together: null,
      rows: [row('lt-monthly', '48.00', 2, 15)],
    });
    const mixed = [bought('C', { basket: [...US.basket, ...DE.basket], quantity: 15 })];
    expect(await spend([changed('-48.00', 'ours', 'C')], mixed, 'country')).toMatchObject({
      rows: [],
      together: { spent: '48.00', purchases: 1 },
    });
  });

  it('puts a renewal of an order whose content is not known down to no country', async () => {
    const renewal = bought('A', { kind: 'renew', basket: [], quantity: null });
    const movements = [changed('-9.00', 'ours', 'A')];
    expect(await spend(movements, [renewal], 'country')).toMatchObject({ rows: [], together: { spent: '9.00' } });
    expect((await spend(movements, [renewal], 'plan')).rows).toEqual([row('lt-monthly', '9.00', 1, null)]);
  });

  it('says which purchases no balance has shown, unless it did so in another time', async () => {
    const purchases = [
      bought('A', US),
      bought('B', DE),
      bought('C', { attempt: attempt({ at: span.from - 1 }) }),
      bought('D', { state: 'unknown' }),
    ];
    const movements = [changed('500.00', 'top_up', 'A'), changed('-3.00', 'unknown', 'D')];
    const found = await spend(movements, purchases, 'plan', { costs: new Map([['B', '16.00' as Money]]) });
    expect(found.notObserved.map(({ id }) => id)).toEqual(['A']);
    expect(found.rows).toEqual([row('lt-monthly', '0', 1, 10, 1)]);
    expect(found.doubtful).toBe(1);
  });

  it('adds up, of every kind, to what the balance has changed by', async () => {
    const before = balance;
    const movements = [
      changed('-0.01', 'ours', 'A'),
      changed('250', 'top_up'),
      changed('-48.10', 'elsewhere'),
      changed('-1.5', 'unknown', 'B'),
      changed('-2.25', 'elsewhere'),
    ];
    const { kinds } = await spend(movements, [bought('A', US)], 'person');
    expect(kinds.elsewhere).toEqual({ movements: 2, sum: '-50.35' });
    const all = Object.values(kinds).reduce((total, one) => sum(total, one.sum), '0' as Money);
    expect(difference(all, difference(balance, before))).toMatch(/^0(\.0+)?$/);
  });
});

describe('the CSV', () => {
  it('has each movement and each purchase that none shows, and runs nothing in a spreadsheet', async () => {
    const purchases = [
      bought('A', { ...US, plan: { ...YEARLY, productId: '=1+1' } }),
      bought('B', { ...DE, orderId: '0'.repeat(30) as never }),
    ];
    const facts = {
      span,
      begins: null,
      ends: null,
      movements: [changed('-32.00', 'ours', 'A')],
      purchases,
      costs: new Map(),
    };
    const [head, first = '', second = '', rest] = (await spendCsv(facts, await spendOf(facts, 'person'))).split('\r\n');
    expect(head).toBe(
      'from,to,before,after,difference,kind,purchases,requesters,approvers,what,plans,baskets,order_id,known_by,known_at,note',
    );
    expect(first).toMatch(
      /^2026-11-02T00:00:00\.000Z,2026-11-02T00:00:01\.000Z,[\d.]+,[\d.]+,-32\.00,ours,A,.*,buy,'=1\+1,US 10,/,
    );
    expect(second).toMatch(/,,,,,not_observed,B,.*,DE 5,'0{30},,,$/);
    expect(rest).toBe('');
  });
});

describe('a busy month', () => {
  it.each([
    ['what it was spent on', (facts: SpendFacts) => spendOf(facts, 'person')],
    ['the sums of each kind', ({ movements }: SpendFacts) => kindSums(movements)],
    ['what left, day by day', ({ movements }: SpendFacts) => leftBetween(movements, [span.from, during])],
    ['what left in all', ({ movements }: SpendFacts) => spentIn(movements)],
    ['the CSV', (facts: SpendFacts) => spendCsv(facts, { notObserved: [] })],
  ])('holds up nobody else until it is counted: %s', async (_, count) => {
    const movements = Array.from({ length: 20_000 }, (__, nth) => changed('-1.00', 'ours', `P-${nth}`));
    const purchases = movements.flatMap(({ purchases: ids }) => ids.map((id) => bought(id, US)));
    let othersWent = false;
    setImmediate(() => {
      othersWent = true;
    });
    await count({ span, begins: null, ends: null, movements, purchases, costs: new Map() });
    expect(othersWent).toBe(true);
  });

  it('holds up nobody else until it is known which purchases no movement shows', async () => {
    const others = Array<Purchase>(200_000).fill(bought('P-1', US));
    let othersWent = false;
    setImmediate(() => {
      othersWent = true;
    });
    const { costs } = await spendFacts(
      {
        asOf: async () => null,
        movements: async () => [],
        purchases: async () => others,
        costs: async (ids) => new Map([[othersWent ? 'after others' : 'on end', String(ids.length) as Money]]),
      },
      span,
    );
    expect([...costs]).toEqual([['after others', '200000']]);
  });
});

describe('which time', () => {
  const iso = ({ from, to }: { from: number; to: number }) => [
    new Date(from).toISOString(),
    new Date(to).toISOString(),
  ];
  const at = (text: string) => Date.parse(text);

  test.each([
    ['this month', '2026-11-28T14:00:00Z', UTC, '2026-11-01T00:00:00.000Z', '2026-11-28T14:00:00.000Z'],
    ['last month', '2026-01-01T00:00:00Z', UTC, '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['last month', '2026-03-31T23:59:59Z', UTC, '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    [
      '2026-10',
      '2026-11-28T14:00:00Z',
      zoneOf('Europe/Berlin'),
      '2026-09-30T22:00:00.000Z',
      '2026-10-31T23:00:00.000Z',
    ],
    ['2026-11', '2026-11-28T14:00:00Z', UTC, '2026-11-01T00:00:00.000Z', '2026-11-28T14:00:00.000Z'],
    ['2027-12', '2026-11-28T14:00:00Z', UTC, '2027-12-01T00:00:00.000Z', '2027-12-01T00:00:00.000Z'],
    [
      '2026-01',
      '2026-02-01T00:00:00Z',
      zoneOf('Pacific/Kiritimati'),
      '2025-12-31T10:00:00.000Z',
      '2026-01-31T10:00:00.000Z',
    ],
    ['90d', '2026-11-28T14:00:00Z', UTC, '2026-08-30T14:00:00.000Z', '2026-11-28T14:00:00.000Z'],
    // There it is the first already, and summer time has begun within the month.
    [
      'this month',
      '2026-03-31T22:30:00Z',
      zoneOf('Europe/Berlin'),
      '2026-03-31T22:00:00.000Z',
      '2026-03-31T22:30:00.000Z',
    ],
    [
      'last month',
      '2026-03-31T22:30:00Z',
      zoneOf('Europe/Berlin'),
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
    ],
  ] as const)('%s at %s', (period, now, zone, from, to) => {
    expect(iso(spanOf(period, at(now), zone))).toEqual([from, to]);
  });

  test.each([
    ['', 'this month', 'person'],
    ['last month', 'last month', 'person'],
    ['90d by country', '90d', 'country'],
    ['by plan 2026-02', '2026-02', 'plan'],
    ['BY Plan This Month', 'this month', 'plan'],
  ])('“%s” is read', (typed, period, by) => {
    expect(parseSpend(typed.split(' ').filter(Boolean))).toEqual({ ok: true, query: { period, by } });
  });

  test.each([
    ['month', 'month'],
    ['2026-13', '2026-13'],
    ['2026-1', '2026-1'],
    ['this year', 'this year'],
    ['by', 'by'],
    ['by team', 'by team'],
    ['90d 90d', '90d'],
    ['by plan by country', 'by country'],
    ['this month last month', 'last month'],
  ])('“%s” is not, and is not guessed at', (typed, token) => {
    expect(parseSpend(typed.split(' '))).toEqual({ ok: false, token });
  });
});
