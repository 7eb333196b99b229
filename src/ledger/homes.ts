import type { Homes, HomeTab } from '../purchasing/ports/homes.ts';
import { hasEnded } from './leases.ts';
import { number, text, textOrNull } from './rows.ts';
import { type Database, one, type Row, runOne, type Sql } from './sql.ts';

/** Due, and before those that are only out of date: somebody looks at it. */
const JUST_OPENED = -1;

/** Who has opened the Home tab; triggers note what is out of date, in the transaction that makes it so. */
export function createHomes(database: Database): Homes {
  return {
    opened: (user) =>
      database.write((sql) =>
        runOne(
          sql,
          `INSERT INTO home_tabs (user_id, due_at) VALUES (:user, :due_at)
           ON CONFLICT (user_id) DO UPDATE SET wanted = home_tabs.wanted + 1, due_at = :due_at`,
          { user, due_at: JUST_OPENED },
        ),
      ),

    rightsChanged: () =>
      database.write(async (sql) => {
        await sql.run(
          'UPDATE home_tabs SET wanted = wanted + 1, recheck = 1, due_at = CASE WHEN due_at < 0 THEN due_at ELSE 0 END',
        );
      }),

    async lease(limit, leaseMs, unopened) {
      const due = `wanted > shown AND due_at <= :latest AND ${hasEnded('claimed_until')}`;
      const times = (now: number) => ({ now, latest: unopened > 0 ? now : JUST_OPENED });
      const look = async (sql: Sql) =>
        one(sql, `SELECT 1 AS due FROM home_tabs WHERE ${due} LIMIT 1`, times(await sql.now()));
      // Every process looks every second: without a lock, as long as there is nothing.
      if (!(await database.read(look))) return [];
      return database.write(async (sql) => {
        const now = await sql.now();
        const found = await sql.all(
          `SELECT * FROM home_tabs WHERE ${due} ORDER BY due_at, decides DESC, user_id LIMIT :limit`,
          { ...times(now), limit },
        );
        const isOpened = (row: Row) => number(row, 'due_at') === JUST_OPENED;
        const rows = [...found.filter(isOpened), ...found.filter((row) => !isOpened(row)).slice(0, unopened)];
        const until = now + leaseMs;
        for (const row of rows)
          await runOne(sql, 'UPDATE home_tabs SET claimed_until = :until WHERE user_id = :user', {
            user: text(row, 'user_id'),
            until,
          });
        return rows.map((row) => toHome(row, until));
      });
    },

    shown: ({ user, version, leasedUntil }, hash, { person, decides }) =>
      database.write(async (sql) => {
        await sql.run(
          // Without what was not yet known when it was drawn: from now on the ledger tells by it.
          `UPDATE home_tabs SET shown = :version, hash = :hash, attempts = 0, claimed_until = 0, due_at = 0,
             recheck = CASE WHEN wanted = :version THEN 0 ELSE recheck END,
             wanted = wanted + CASE WHEN COALESCE(person, '') <> COALESCE(:person, '') OR decides <> :decides THEN 1 ELSE 0 END,
             person = :person, decides = :decides
           WHERE user_id = :user AND claimed_until = :leased_until`,
          { user, version, hash, person, decides: decides ? 1 : 0, leased_until: leasedUntil },
        );
      }),

    failed: ({ user, leasedUntil }, afterMs) =>
      database.write(async (sql) => {
        await sql.run(
          `UPDATE home_tabs SET hash = NULL, attempts = attempts + 1, claimed_until = 0, due_at = :retry_at
           WHERE user_id = :user AND claimed_until = :leased_until`,
          { user, leased_until: leasedUntil, retry_at: (await sql.now()) + afterMs },
        );
      }),

    forget: (user) =>
      database.write(async (sql) => {
        await sql.run('DELETE FROM home_tabs WHERE user_id = :user', { user });
      }),
  };
}

function toHome(row: Row, leasedUntil: number): HomeTab {
  return {
    user: text(row, 'user_id'),
    version: number(row, 'wanted'),
    hash: textOrNull(row, 'hash'),
    recheck: number(row, 'recheck') === 1,
    attempts: number(row, 'attempts'),
    leasedUntil,
  };
}
