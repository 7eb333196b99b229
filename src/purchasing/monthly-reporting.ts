import type { Movement } from './model/account.ts';
import { compare } from './model/money.ts';
import type { MonthlyReport, RenewalsAhead, Some } from './model/monthly-report.ts';
import type { Order } from './model/order.ts';
import type { OrderId } from './model/order-id.ts';
import type { Notice } from './model/outbox.ts';
import type { Policy } from './model/policy.ts';
import type { Month, Span, SpendFacts } from './model/spend.ts';
import type { Account } from './ports/account.ts';
import { type Clock, hasPassed, type Moment, momentOf } from './ports/clock.ts';
import type { Endings } from './ports/endings.ts';
import type { Ledger } from './ports/ledger.ts';
import type { Messenger } from './ports/messenger.ts';
import type { MonthlyReports } from './ports/monthly-reports.ts';
import type { Orders } from './ports/orders.ts';
import { type Outbox, placeOf } from './ports/outbox.ts';
import { priceRenewals } from './renewal-costs.ts';
import { decideReport, reportDueAt, reportedMonth } from './rules/monthly-reports.ts';
import { orderOf } from './rules/orders.ts';
import { monthSpan, monthsFrom } from './rules/periods.ts';
import { costOfRenewals, dueRenewals } from './rules/runway.ts';
import { kindSums, spendFacts, spendOf, spentHere } from './rules/spend.ts';
import { spendCsv } from './rules/spend-csv.ts';
import { type Zone, zoneOf } from './rules/zones.ts';
import type { SpendReport } from './spending.ts';

export interface MonthlyReportingDeps {
  readonly reports: MonthlyReports;
  readonly account: Account;
  readonly endings: Pick<Endings, 'between'>;
  readonly orders: Pick<Orders, 'look'>;
  readonly outbox: Pick<Outbox, 'placesOf'>;
  readonly ledger: Pick<Ledger, 'now' | 'open'>;
  readonly messenger: Pick<Messenger, 'link'>;
  readonly policy: () => Policy;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 60_000;

/** Of each list so many stand in a report: it is read on a phone. The CSV has all that is money. */
const SHOWN = 5;

/** Of a month in which more orders end, those that end first are priced. */
const ORDERS_PRICED = 1_000;

/** Tells those who approve of each month, once it is over; see {@link decideReport}. */
export class MonthlyReporting {
  readonly #deps: MonthlyReportingDeps;
  #looked: Moment | undefined;

  constructor(deps: MonthlyReportingDeps) {
    this.#deps = deps;
  }

  /** One look. @returns whether there is anything to tell. */
  async look(): Promise<boolean> {
    const { reports, policy, clock } = this.#deps;
    const { monthly, timeZone } = policy().reports;
    if (!monthly || !hasPassed(clock, LOOK_EVERY_MS, this.#looked)) return false;
    const began = momentOf(clock);
    const owed = await reports.look((facts) => decideReport(facts, timeZone));
    this.#looked = began;
    return owed;
  }

  /** All that a report says, as of now. */
  async report({ text, audience }: Pick<Notice, 'text' | 'audience'>): Promise<MonthlyReport> {
    const { account, reports } = this.#deps;
    const { month, timeZone } = reportedMonth(text);
    const zone = zoneOf(timeZone);
    const span = monthSpan(month, zone);
    const [facts, first, wentBackAt, unknown, ended, renewals, before] = await Promise.all([
      spendFacts(account, span),
      account.first(),
      reports.wentBackAt(),
      this.#unknown(audience),
      this.#ended(span),
      this.#renewals(monthsFrom(month, 1), zone),
      this.#before(monthsFrom(month, -1), zone),
    ]);
    return {
      month,
      timeZone,
      dueAt: reportDueAt(month, zone),
      watchedSince: first && first.at > span.from ? first.at : null,
      wentBackAt: wentBackAt !== null && wentBackAt >= span.from ? wentBackAt : null,
      facts,
      by: {
        person: await spendOf(facts, 'person'),
        plan: await spendOf(facts, 'plan'),
        country: await spendOf(facts, 'country'),
      },
      before,
      unexplained: unexplained(facts),
      unknown,
      ended,
      renewals,
    };
  }

  /** The same month as `/proxy spend` tells it, and its CSV. */
  async spend({ text }: Pick<Notice, 'text'>): Promise<{ readonly report: SpendReport; readonly csv: string }> {
    const { account, ledger } = this.#deps;
    const { month, timeZone } = reportedMonth(text);
    const facts = await spendFacts(account, monthSpan(month, zoneOf(timeZone)));
    const spend = await spendOf(facts, 'person');
    const query = { period: month, by: 'person' } as const;
    return { report: { query, now: await ledger.now(), timeZone, facts, spend }, csv: await spendCsv(facts, spend) };
  }

  async #before(month: Month, zone: Zone): Promise<MonthlyReport['before']> {
    const { account } = this.#deps;
    const span = monthSpan(month, zone);
    const first = await account.first();
    if (!first || first.at >= span.to) return null;
    const spent = spentHere({ kinds: await kindSums(await account.movements(span.from, span.to)) });
    return { month, spent, watchedSince: first.at > span.from ? first.at : null };
  }

  async #unknown(audience: Notice['audience']): Promise<MonthlyReport['unknown']> {
    const { ledger, outbox, messenger } = this.#deps;
    const unknown = (await ledger.open()).filter(({ state }) => state === 'unknown');
    const shown = unknown.slice(0, SHOWN).map(async (purchase) => {
      const places = await outbox.placesOf(purchase.id);
      const card = placeOf(places.findLast((place) => place.kind === 'unknown_card' && place.audience === audience));
      return { purchase, card: card && messenger.link(card) };
    });
    return { shown: await Promise.all(shown), total: unknown.length };
  }

  async #ended({ from, to }: Span): Promise<Some<Order>> {
    const ended = await this.#deps.endings.between(from + 1, to);
    const ids = ended.slice(0, SHOWN).map(({ orderId }) => orderId);
    return { shown: (await this.#orders(ids)).flatMap((facts) => orderOf(facts) ?? []), total: ended.length };
  }

  async #renewals(month: Month, zone: Zone): Promise<RenewalsAhead | null> {
    const { account, endings, ledger } = this.#deps;
    const { from, to } = monthSpan(month, zone);
    const begins = Math.max(from, await ledger.now());
    if (begins >= to) return null;
    const ending = await endings.between(begins + 1, to);
    const ids = ending.slice(0, ORDERS_PRICED).map(({ orderId }) => orderId);
    const priced = await priceRenewals(account, await this.#orders(ids));
    const due = priced.map((of) => ({ ...of, ...dueRenewals([of], begins, to) }));
    const known = due.flatMap(({ renewals }) => renewals);
    const counted = due.filter(({ renewals, unpriced }) => renewals.length + unpriced > 0);
    return {
      month,
      orders: { shown: counted.slice(0, SHOWN).map(({ order, cost }) => ({ order, cost })), total: counted.length },
      renewals: known.length,
      cost: costOfRenewals(known),
      unpriced: due.reduce((sum, { unpriced }) => sum + unpriced, 0),
      more: ending.length > ids.length,
    };
  }

  async #orders(ids: readonly OrderId[]) {
    return ids.length === 0 ? [] : (await this.#deps.orders.look(ids)).orders;
  }
}

function unexplained({ movements }: SpendFacts): Some<Movement> {
  const falls = movements.filter(({ kind }) => kind === 'elsewhere');
  return { shown: falls.toSorted((a, b) => compare(a.difference, b.difference)).slice(0, SHOWN), total: falls.length };
}
