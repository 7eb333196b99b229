import type { ReportedMonth, ReportingChange, ReportingFacts } from '../model/monthly-report.ts';
import { type NewNotice, reportNotices } from '../model/outbox.ts';
import { isMonth, type Month } from '../model/spend.ts';
import { firstDayOf, monthOf, monthSpan, monthsFrom } from './periods.ts';
import { type Zone, zoneOf } from './zones.ts';

/** Minutes after midnight of the first. */
const DUE_AT_MINUTES = 9 * 60;

/** What was due longer ago is no news, for a bot that was down or that was told to report again: two months. */
const NEWS_FOR_MS = 62 * 86_400_000;

/** When the report of this month is due: on the first of the next. */
export function reportDueAt(month: Month, zone: Zone): number {
  return zone.at(firstDayOf(monthsFrom(month, 1)), DUE_AT_MINUTES);
}

/**
 * A month is reported that a bot has seen which reports, or a part of it. So the ledger notes the month while it runs, and on the first of
 * the next, at the hour, its report is owed and the next month noted, in one transaction; late where no bot was there. Months in which none
 * was there at all are not reported: what the balance did meanwhile it shows in the month in which it is read again.
 */
export function decideReport(facts: ReportingFacts, timeZone: string): ReportingChange | null {
  const { now, next, watchedSince } = facts;
  const zone = zoneOf(timeZone);
  const present = monthOf(now, zone);
  if (next === present) return null;
  // Nothing noted yet; or the clock was ahead: the notice's key lets no month be told twice.
  if (next === null || next > present) return { next: present, notices: [] };
  const dueAt = reportDueAt(next, zone);
  if (now < dueAt) return null;
  const seen = watchedSince !== null && watchedSince < monthSpan(next, zone).to;
  const isNews = seen && now - dueAt <= NEWS_FOR_MS;
  return { next: present, notices: isNews ? owed({ month: next, timeZone }) : [] };
}

function owed({ month, timeZone }: ReportedMonth): readonly NewNotice[] {
  return reportNotices(month, `${month} ${timeZone}`);
}

/** @param text of the notice */
export function reportedMonth(text: string | null): ReportedMonth {
  const [month = '', timeZone = ''] = (text ?? '').split(' ');
  if (!isMonth(month) || timeZone === '') throw new Error(`no month: ${text}`);
  return { month, timeZone };
}
