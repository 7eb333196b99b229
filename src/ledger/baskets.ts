import { BASKETS_AT_MOST, type Baskets, type SavedBasket } from '../purchasing/ports/baskets.ts';
import { basket, json } from './json-columns.ts';
import { number, text } from './rows.ts';
import { type Database, one, type Row, runOne } from './sql.ts';

export function createBaskets(database: Database): Baskets {
  return {
    all: () => database.read(async (sql) => (await sql.all('SELECT * FROM baskets ORDER BY folded')).map(toSaved)),

    save: (saved) =>
      database.write(async (sql) => {
        if (await one(sql, 'SELECT id FROM baskets WHERE id = :id', { id: saved.id })) return 'saved';
        const folded = saved.name.normalize('NFC').toLowerCase();
        if (await one(sql, 'SELECT id FROM baskets WHERE folded = :folded', { folded })) return 'name_taken';
        if ((await sql.all('SELECT id FROM baskets')).length >= BASKETS_AT_MOST) return 'too_many';
        await runOne(
          sql,
          `INSERT INTO baskets (id, name, folded, basket, plan_product_id, saved_by, saved_at)
           VALUES (:id, :name, :folded, :basket, :plan, :by, :at)`,
          {
            id: saved.id,
            name: saved.name,
            folded,
            basket: JSON.stringify(saved.basket),
            plan: saved.plan,
            by: saved.by,
            at: await sql.now(),
          },
        );
        return 'saved';
      }),

    remove: (id, may) =>
      database.write(async (sql) => {
        const row = await one(sql, 'SELECT * FROM baskets WHERE id = :id', { id });
        const found = row && toSaved(row);
        if (!found || !may(found)) return undefined;
        await runOne(sql, 'DELETE FROM baskets WHERE id = :id', { id });
        return found;
      }),
  };
}

function toSaved(row: Row): SavedBasket {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    basket: json(row, 'basket', basket),
    plan: text(row, 'plan_product_id'),
    by: text(row, 'saved_by'),
    at: number(row, 'saved_at'),
  };
}
