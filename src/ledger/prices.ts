import type { Estimate, Price, Priced, Prices } from '../purchasing/model/account.ts';
import type { ExpectedCost } from '../purchasing/model/cost.ts';
import type { Money } from '../purchasing/model/money.ts';
import { estimate, expect } from '../purchasing/rules/prices.ts';
import { number, text } from './rows.ts';
import { anyOf, inParts, type Row, type Sql } from './sql.ts';

/** Of the countries of this basket. */
export async function observedPrices(sql: Sql, of: Priced): Promise<Prices> {
  return (await pricesOf(sql, [of])).get(tableOf(of)) ?? new Map();
}

/** At the prices observed so far, in as few statements as there are plans. */
export async function estimatesOf(sql: Sql, all: readonly Priced[]): Promise<readonly (Estimate | undefined)[]> {
  const prices = await pricesOf(sql, all);
  return all.map((of) => estimate(of.basket, prices.get(tableOf(of)) ?? new Map()));
}

export async function expectedCost(sql: Sql, of: Priced): Promise<ExpectedCost> {
  return expect(of.basket, await observedPrices(sql, of));
}

export async function expectedCosts(sql: Sql, all: readonly Priced[]): Promise<readonly ExpectedCost[]> {
  const prices = await pricesOf(sql, all);
  return all.map((of) => expect(of.basket, prices.get(tableOf(of)) ?? new Map()));
}

/** Prices are of a kind of purchase and a plan. */
function tableOf({ kind, productId }: Priced): string {
  return `${kind} ${productId}`;
}

async function pricesOf(sql: Sql, all: readonly Priced[]): Promise<ReadonlyMap<string, Prices>> {
  const tables = new Map<string, Map<string, Price>>();
  for (const [table, those] of Map.groupBy(all, tableOf)) {
    const prices = new Map<string, Price>();
    tables.set(table, prices);
    const countries = new Set(those.flatMap(({ basket }) => basket.map(({ country }) => country)));
    for (const some of inParts([...countries])) {
      const { list, params } = anyOf(some, 'country');
      const rows = await sql.all(
        `SELECT * FROM observed_prices WHERE kind = :kind AND product_id = :product_id AND country IN (${list})`,
        { ...params, kind: those[0]?.kind ?? '', product_id: those[0]?.productId ?? '' },
      );
      for (const row of rows) prices.set(text(row, 'country'), toPrice(row));
    }
  }
  return tables;
}

function toPrice(row: Row): Price {
  return {
    each: { amount: text(row, 'amount') as Money, divisor: BigInt(text(row, 'divisor')) },
    since: number(row, 'since'),
    latest: number(row, 'latest'),
    observations: number(row, 'observations'),
  };
}
