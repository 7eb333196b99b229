import { describe, expect, test } from 'vitest';
import type { Movement } from '../../src/purchasing/model/account.ts';
import { allCountries } from '../../src/purchasing/model/countries.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { SPENT_BY, type SpentBy } from '../../src/purchasing/model/spend.ts';
import { spendOf } from '../../src/purchasing/rules/spend.ts';
import type { SpendReport } from '../../src/purchasing/spending.ts';
import { spendMessage } from '../../views/spend.ts';
import { attempt, LONGEST_PLAN, money, NOW, purchase, readsAs } from './fixture.ts';
import { movement } from './movements.ts';

const DAY = 86_400_000;
const MOST = money('999999999999.99');
/** Of organisations, with as many characters as an id was ever seen with. */
const personNumber = (n: number) => `W${String(n).padStart(14, '0')}`;

/** Each of 200 people, 25 plans and all countries, for the largest sums. */
async function busiest(by: SpentBy): Promise<SpendReport> {
  const countries = allCountries().map(({ code }) => code);
  const purchases = Array.from({ length: Math.max(200, countries.length) }, (_, n): Purchase => {
    const country = countries[n % countries.length] ?? 'US';
    return purchase({
      id: `p${n}`,
      state: 'completed',
      requester: personNumber(n % 200),
      requesterPerson: personNumber(n % 200),
      plan: { ...LONGEST_PLAN, productId: `${'&'.repeat(70)}${n % 25}` },
      basket: [{ country, quantity: 999_999_999 }],
      quantity: 999_999_999,
      attempt: attempt({ at: NOW - DAY }),
    });
  });
  const ours = purchases.map(({ id }, n) =>
    movement({ seq: n + 2, before: MOST, after: money('0'), purchases: [id], to: NOW - DAY + n }),
  );
  const shared = movement({ seq: 900, before: MOST, after: money('0'), purchases: purchases.map(({ id }) => id) });
  const known = { by: personNumber(1), at: NOW, note: '&'.repeat(3_000) };
  const others = (['unknown', ...Array<'elsewhere'>(9).fill('elsewhere')] as const).map((kind) =>
    movement({ kind, before: MOST, after: money('0'), ...(kind === 'elsewhere' ? { known } : {}) }),
  );
  const topUp = movement({ kind: 'top_up', before: money('0'), after: MOST, purchases: [] });
  const movements: readonly Movement[] = [...ours, shared, ...others, topUp];
  const link = { seq: 1, at: NOW, balance: MOST, keptAfter: 0, unbooked: [] };
  const facts = {
    span: { from: NOW - 90 * DAY, to: NOW },
    begins: link,
    ends: link,
    movements,
    purchases,
    costs: new Map(),
  };
  return { query: { period: 'last month', by }, now: NOW, timeZone: 'UTC', facts, spend: await spendOf(facts, by) };
}

describe('/proxy spend', () => {
  test.each(SPENT_BY)('by %s fits at its longest, and says how much more the CSV has', async (by) => {
    const report = await busiest(by);
    const text = readsAs(spendMessage(report));
    expect(report.spend.rows.length).toBe({ person: 200, plan: 25, country: allCountries().length }[by]);
    if (by !== 'plan') expect(text).toContain(`and ${report.spend.rows.length - 25} more: they are in the CSV`);
    expect(text).toContain("nobody can tell each one's part");
    expect(text).toContain('and 6 more that somebody knows about: they are in the CSV');
  });
});
