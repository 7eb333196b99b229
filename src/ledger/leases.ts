import { type Leases, LONGEST_LEASE_MS } from '../purchasing/ports/leases.ts';
import { number, toPurchase } from './rows.ts';
import { type Database, one, runOne, type Sql } from './sql.ts';

/**
 * Leases for the work that one process at a time should do, so that N of them do not ask Slack and the vendor N times. Each call looks
 * before it locks: most of the time nothing is due. No promise rests on a lease; what is decided is decided by compare-and-set.
 */
export function createLeases(database: Database): Leases {
  return {
    async takeHead(purchaseId, holder, leaseMs) {
      const params = async (sql: Sql) => ({ id: purchaseId, holder, now: await sql.now() });
      const free = `${hasEnded('head_until')} OR head_holder = :holder OR head_purchase <> :id`;
      const look = (sql: Sql, values: Awaited<ReturnType<typeof params>>) =>
        one(sql, `SELECT 1 AS free FROM desk WHERE id = 1 AND (${free})`, values);
      if (!(await database.read(async (sql) => look(sql, await params(sql))))) return false;
      return database.write(async (sql) => {
        const values = await params(sql);
        const taken = await sql.run(
          `UPDATE desk SET head_purchase = :id, head_holder = :holder, head_until = :until WHERE id = 1 AND (${free})`,
          { ...values, until: values.now + leaseMs },
        );
        return taken === 1;
      });
    },

    async leaveHead(holder) {
      await database.write((sql) => sql.run('UPDATE desk SET head_until = 0 WHERE head_holder = :holder', { holder }));
    },

    async takeInterval(everyMs, leaseMs) {
      // One that begins in the future was written before the clock was set back; so was a link of the future.
      const due = `NOT (interval_until > :now AND interval_until - interval_for <= :now)
        AND NOT EXISTS (SELECT 1 FROM purchases WHERE state = 'sending') AND NOT EXISTS (SELECT 1 FROM readings WHERE nth = 0)
        AND NOT EXISTS (SELECT 1 FROM (SELECT at FROM balance_readings WHERE unbooked IS NOT NULL ORDER BY seq DESC LIMIT 1) AS last
          WHERE at + :every > :now AND at <= :now)`;
      const look = async (sql: Sql) =>
        one(sql, `SELECT interval_failures FROM desk WHERE id = 1 AND ${due}`, {
          now: await sql.now(),
          every: everyMs,
        });
      if (!(await database.read(look))) return null;
      return database.write(async (sql) => {
        const row = await look(sql);
        if (!row) return null;
        await holdInterval(sql, leaseMs, 'interval_failures');
        return number(row, 'interval_failures');
      });
    },

    async endInterval(failed) {
      await database.write((sql) =>
        failed ? holdInterval(sql, failed.againAfterMs, 'interval_failures + 1') : holdInterval(sql, 0, '0'),
      );
    },

    async dueReadings(leaseMs) {
      // The lane waits for the first one, which is due as soon as it is owed, also when the clock was set back since.
      const due = `(nth = 0 OR due_at <= :now) AND ${hasEnded('claimed_until')}`;
      const look = async (sql: Sql) =>
        one(sql, `SELECT 1 AS due FROM readings WHERE ${due} LIMIT 1`, { now: await sql.now() });
      if (!(await database.read(look))) return [];
      return database.write(async (sql) => {
        const now = await sql.now();
        const rows = await sql.all(
          `SELECT p.*, r.nth FROM readings r JOIN purchases p ON p.id = r.purchase_id WHERE ${due} ORDER BY r.due_at, r.nth`,
          { now },
        );
        await sql.run(`UPDATE readings SET claimed_until = :until WHERE ${due}`, { now, until: now + leaseMs });
        return rows.map((row) => ({ purchase: toPurchase(row), nth: number(row, 'nth') }));
      });
    },
  };
}

async function holdInterval(sql: Sql, ms: number, failures: string): Promise<void> {
  await runOne(
    sql,
    `UPDATE desk SET interval_until = :until, interval_for = :ms, interval_failures = ${failures} WHERE id = 1`,
    { until: (await sql.now()) + ms, ms },
  );
}

/** Of a column with the end of a lease. One that is further ahead than any lease was taken before the clock was set back. */
export function hasEnded(column: string): string {
  return `(${column} <= :now OR ${column} - ${LONGEST_LEASE_MS} > :now)`;
}
