import type { ReportingFacts } from '../purchasing/model/monthly-report.ts';
import { isMonth } from '../purchasing/model/spend.ts';
import type { MonthlyReports } from '../purchasing/ports/monthly-reports.ts';
import { firstLink } from './chain.ts';
import { wentBackAt } from './gone-back.ts';
import { insertNotice } from './outbox.ts';
import { text } from './rows.ts';
import { type Database, one, runOne, type Sql } from './sql.ts';

/** Which months were reported, on any database. */
export function createMonthlyReports(database: Database): MonthlyReports {
  return {
    async look(decide) {
      // Mostly nothing is due: no lock for that.
      if ((await database.read(async (sql) => decide(await reportingFacts(sql)))) === null) return false;
      return database.write(async (sql) => {
        const change = decide(await reportingFacts(sql));
        if (!change) return false;
        await runOne(sql, 'UPDATE desk SET report_month = :next WHERE id = 1', { next: change.next });
        for (const notice of change.notices) await insertNotice(sql, notice, null);
        return change.notices.length > 0;
      });
    },

    wentBackAt: () => database.read((sql) => wentBackAt(sql, 0)),
  };
}

async function reportingFacts(sql: Sql): Promise<ReportingFacts> {
  const desk = await one(sql, 'SELECT report_month FROM desk WHERE id = 1');
  if (!desk) throw new Error('the desk row is missing');
  const next = text(desk, 'report_month');
  return {
    now: await sql.now(),
    next: isMonth(next) ? next : null,
    watchedSince: (await firstLink(sql))?.at ?? null,
  };
}
