import type { Chart } from './model/chart.ts';
import { type Notice, reportOfCsv } from './model/outbox.ts';
import type { MonthlyReporting } from './monthly-reporting.ts';
import type { Charts } from './ports/charts.ts';
import { backoff, type Clock, within } from './ports/clock.ts';
import type { Files, NewFile, PutFile } from './ports/files.ts';
import type { Ledger } from './ports/ledger.ts';
import type { Log } from './ports/log.ts';
import type { Undelivered } from './ports/messenger.ts';
import { type Outbox, placeOf } from './ports/outbox.ts';
import { retryAfter } from './rules/delivery.ts';
import type { SpendReport } from './spending.ts';

export type DrawSpend = (report: SpendReport) => Promise<{ readonly chart: Chart; readonly alt: string } | null>;

export interface ReportFilesDeps {
  readonly outbox: Outbox;
  readonly ledger: Pick<Ledger, 'now'>;
  readonly files: Files;
  readonly charts: Charts;
  readonly reporting: Pick<MonthlyReporting, 'spend'>;
  readonly drawSpend: DrawSpend;
  readonly clock: Clock;
  readonly log: Log;
}

/** The report may wait for Slack; its files come soon after it. */
const REPORT_AGAIN_FIRST_MS = 2_000;
const REPORT_AGAIN_AT_MOST_MS = 300_000;

/** Whoever wants them later has the button of the report. */
const GIVEN_UP_AFTER_MS = 86_400_000;

/** Other messages wait meanwhile; the picture is the part that nobody misses. */
const DRAWN_WITHIN_MS = 5_000;

/**
 * Puts the CSV under a report, once: before Slack is asked to post it, the ledger says that it is done. Where Slack certainly did not take
 * it, it is tried again; where nobody can tell, it is not: the button of the report gives the same at any time.
 */
export class ReportFiles {
  readonly #deps: ReportFilesDeps;

  constructor(deps: ReportFilesDeps) {
    this.#deps = deps;
  }

  async deliver(notice: Notice): Promise<void> {
    const { outbox, files } = this.#deps;
    const place = placeOf(await outbox.noticeOf(reportOfCsv(notice)));
    if (!place) {
      const ms = backoff(notice.attempts, REPORT_AGAIN_FIRST_MS, REPORT_AGAIN_AT_MOST_MS);
      return this.#again(notice, 'its report is not posted', ms);
    }
    const put = await this.#put(notice);
    if ('why' in put) return this.#again(notice, put.why, retryAfter(put, notice.attempts));
    if (!(await outbox.noticeBegun(notice))) return;
    const to = { channel: place.channel, thread: { ts: place.ts, broadcast: false } };
    const shared = await files.sharePut(to, put, WORDS);
    if (!('fileId' in shared)) await this.#notShared(notice, shared);
  }

  /** The bytes of the CSV, and of a picture where there is one. */
  async #put(notice: Notice): Promise<readonly PutFile[] | Undelivered> {
    const { files, reporting } = this.#deps;
    const { report, csv } = await reporting.spend(notice);
    const { period } = report.query;
    const file = { name: `spending-${period}.csv`, title: `Spending, ${period}`, content: Buffer.from(csv) };
    const put = await files.put(file);
    if (!('fileId' in put)) return put;
    const picture = await this.#picture(report);
    const putToo = picture && (await files.put(picture));
    return putToo && 'fileId' in putToo ? [put, putToo] : [put];
  }

  async #picture(report: SpendReport): Promise<NewFile | null> {
    const { charts, clock, drawSpend } = this.#deps;
    const drawn = await drawSpend(report);
    const content = drawn && (await within(clock, DRAWN_WITHIN_MS, charts.draw(drawn.chart), null));
    if (!drawn || !content) return null;
    const { chart, alt } = drawn;
    return { name: `spending-${report.query.period}.png`, title: chart.title, content, altText: alt.slice(0, 1_000) };
  }

  async #again(notice: Notice, why: string, retryAfterMs: number | null): Promise<void> {
    const { outbox, ledger, log } = this.#deps;
    const now = await ledger.now();
    const isLate = now - notice.createdAt > GIVEN_UP_AFTER_MS;
    const retryAt = retryAfterMs === null || isLate ? null : now + retryAfterMs;
    if (retryAt === null) log.warn({ notice: notice.key, why }, 'a CSV was not put under its report');
    return outbox.noticeFailed(notice.id, why, retryAt);
  }

  async #notShared(notice: Notice, trouble: Undelivered): Promise<void> {
    const { outbox, ledger, log } = this.#deps;
    log.warn(
      { notice: notice.key, ...trouble },
      'it is not known whether a CSV stands under its report, or Slack refused it',
    );
    const again = trouble.kind === 'rate_limited' || trouble.kind === 'refused';
    const retryAfterMs = again ? retryAfter(trouble, notice.attempts) : null;
    const now = await ledger.now();
    if (retryAfterMs === null || now - notice.createdAt > GIVEN_UP_AFTER_MS) return;
    await outbox.noticeNotDone(notice.id, trouble.why, now + retryAfterMs);
  }
}

const WORDS = 'Each movement of the balance, with the purchases that explain it. Times in the CSV are in UTC.';
