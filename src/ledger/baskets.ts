import { type BasketEntryDetail, foldedName, type SavedBasket } from '../purchasing/model/saved-basket.ts';
import type { Baskets } from '../purchasing/ports/baskets.ts';
import { insertEntries } from './changes.ts';
import { deliveredBefore, keepClick } from './clicks.ts';
import { basket, json } from './json-columns.ts';
import { number, text, textOrNull } from './rows.ts';
import { type Database, type Row, runOne, type Sql } from './sql.ts';

/** Baskets that the team has saved under names. Who did what with them stays in the entries. */
export function createBaskets(database: Database): Baskets {
  return {
    all: () => database.read(readAll),

    change: (decide, click) =>
      database.write(async (sql) => {
        const now = await sql.now();
        const saved = await readAll(sql);
        const change = decide({ now, saved, deliveredBefore: await deliveredBefore(sql, click) });
        if (change.entry) {
          const { by, detail } = change.entry;
          await apply(sql, detail, by, now);
          await insertEntries(sql, [{ by, detail }], now);
        }
        await keepClick(sql, click, change.click);
        return change.result;
      }),
  };
}

async function readAll(sql: Sql): Promise<readonly SavedBasket[]> {
  return (await sql.all('SELECT * FROM baskets'))
    .sort((a, b) => (text(a, 'folded') < text(b, 'folded') ? -1 : 1))
    .map(toSaved);
}

async function apply(sql: Sql, detail: BasketEntryDetail, by: string, at: number): Promise<void> {
  const { id, name } = detail;
  const folded = foldedName(name);
  switch (detail.kind) {
    case 'basket_saved':
      return runOne(
        sql,
        `INSERT INTO baskets (id, name, folded, basket, plan_product_id, saved_by, saved_at)
         VALUES (:id, :name, :folded, :basket, :plan, :by, :at)`,
        { id, name, folded, basket: JSON.stringify(detail.basket), plan: detail.plan, by, at },
      );
    case 'basket_renamed':
      return runOne(sql, 'UPDATE baskets SET name = :name, folded = :folded WHERE id = :id', { id, name, folded });
    case 'basket_removed':
      return runOne(sql, 'DELETE FROM baskets WHERE id = :id', { id });
    default:
      return detail satisfies never;
  }
}

function toSaved(row: Row): SavedBasket {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    basket: json(row, 'basket', basket),
    plan: textOrNull(row, 'plan_product_id'),
    by: text(row, 'saved_by'),
    at: number(row, 'saved_at'),
  };
}
