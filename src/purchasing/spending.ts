import { type Link, type Movement, pricedOf } from './model/account.ts';
import type { BalanceReading } from './model/answer.ts';
import { difference, type Money } from './model/money.ts';
import type { Policy, Right } from './model/policy.ts';
import type { Purchase } from './model/purchase.ts';
import { NOTHING, plus, type Quotient } from './model/quotient.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { Spend, SpendFacts, SpendQuery } from './model/spend.ts';
import type { Account } from './ports/account.ts';
import type { Directory } from './ports/directory.ts';
import type { Ledger } from './ports/ledger.ts';
import type { Orders } from './ports/orders.ts';
import { priceRenewals } from './renewal-costs.ts';
import { spanOf } from './rules/periods.ts';
import { checkRights } from './rules/rights.ts';
import {
  costOfRenewals,
  type DueRenewal,
  dueRenewals,
  FORESEEN_DAYS,
  PACE_OVER_MS,
  type Pace,
  type Runway,
  runway,
  spentIn,
} from './rules/runway.ts';
import { spendFacts, spendOf } from './rules/spend.ts';
import { zoneOf } from './rules/zones.ts';

const DAY_MS = 86_400_000;

/** Those that end first; who has more is told so. */
const ORDERS_LOOKED_AT = 300;

/** Whoever sees the balance, or decides what is spent, sees where it went. */
export const SPEND_RIGHTS = ['balance', 'approve'] as const satisfies readonly [Right, ...Right[]];

export interface SpendingDeps {
  readonly account: Account;
  readonly orders: Pick<Orders, 'page'>;
  readonly ledger: Pick<Ledger, 'now' | 'open'>;
  readonly directory: Directory;
  readonly policy: () => Policy;
}

/** What the balance was so long ago, in days; null where there is no reading that old. */
export interface Ago {
  readonly days: number;
  readonly link: Link | null;
}

/** What is approved, being sent or unknown, and what it costs at observed prices. */
export interface Committed {
  readonly purchases: readonly Purchase[];
  readonly cost: Quotient;
  /** So many have no observed price. */
  readonly unpriced: number;
}

/** What stands beside a balance: what it was, and for how long it may be enough. */
export interface Outlook {
  readonly now: number;
  readonly ago: readonly Ago[];
  readonly since: Link | null;
  /** Of the last 30 days. */
  readonly movements: readonly Movement[];
  readonly all: Pace;
  readonly committed: Committed;
  /** How long it is enough; undefined where no pace is known yet. */
  readonly lasts: (balance: Money) => Runway | undefined;
  /** Those due within 30 days. */
  readonly soonRenewals: { readonly count: number; readonly cost: Quotient };
  /** Orders that will probably be renewed and whose price nobody knows; and whether there are more orders than were looked at. */
  readonly unpricedRenewals: number;
  readonly moreOrders: boolean;
}

export interface SpendReport {
  readonly query: SpendQuery;
  readonly now: number;
  /** Whose months are meant. */
  readonly timeZone: string;
  readonly facts: SpendFacts;
  readonly spend: Spend;
}

/** What people ask of the money. It only reads. */
export class Spending {
  readonly #deps: SpendingDeps;

  constructor(deps: SpendingDeps) {
    this.#deps = deps;
  }

  async report(user: string, query: SpendQuery): Promise<SpendReport | Refusal> {
    const { directory, ledger, account, policy } = this.#deps;
    const { timeZone } = policy().reports;
    const allowed = await checkRights(directory, user, SPEND_RIGHTS, 'cached');
    if (isRefusal(allowed)) return allowed;
    const now = await ledger.now();
    const facts = await spendFacts(account, spanOf(query.period, now, zoneOf(timeZone)));
    return { query, now, timeZone, facts, spend: await spendOf(facts, query.by) };
  }

  async outlook(): Promise<Outlook> {
    const { ledger, account } = this.#deps;
    const now = await ledger.now();
    const from = now - PACE_OVER_MS;
    const [since, movements, renewed, open, due, ...links] = await Promise.all([
      account.first(),
      account.movements(from, now),
      account.renewals(from, now),
      ledger.open(),
      this.#due(now),
      ...AGO_DAYS.map((days) => account.asOf(now - days * DAY_MS)),
    ]);
    const overMs = since === null ? 0 : Math.min(PACE_OVER_MS, Math.max(0, now - since.at));
    const all = { spent: await spentIn(movements), overMs };
    const others = movements.filter(
      ({ kind, purchases }) => kind !== 'ours' || !purchases.every((id) => renewed.has(id)),
    );
    const withoutRenewals = { spent: await spentIn(others), overMs };
    return {
      now,
      ago: AGO_DAYS.map((days, nth) => ({ days, link: links[nth] ?? null })),
      since,
      movements,
      all,
      committed: await this.#committed(open.filter(({ state }) => COMMITTED.has(state))),
      lasts: (balance) => runway({ now, balance, all, withoutRenewals, due: due.renewals }),
      soonRenewals: soon(due.renewals, now + PACE_OVER_MS),
      unpricedRenewals: due.unpriced,
      moreOrders: due.more,
    };
  }

  async #committed(purchases: readonly Purchase[]): Promise<Committed> {
    const estimates = await this.#deps.account.estimates(purchases.map(pricedOf));
    const known = estimates.flatMap((estimate) => estimate?.amount ?? []);
    return { purchases, cost: known.reduce(plus, NOTHING), unpriced: estimates.length - known.length };
  }

  /** Every renewal that is probable. */
  async #due(now: number) {
    const { orders, account } = this.#deps;
    const page = await orders.page({ which: 'running', endingWithinMs: 0 }, 0, ORDERS_LOOKED_AT);
    const due = dueRenewals(await priceRenewals(account, page.orders), now, now + FORESEEN_DAYS * DAY_MS);
    return { ...due, more: page.total > page.orders.length };
  }
}

function soon(renewals: readonly DueRenewal[], until: number): Outlook['soonRenewals'] {
  const due = renewals.filter(({ at }) => at <= until);
  return { count: due.length, cost: costOfRenewals(due) };
}

const AGO_DAYS = [1, 7, 30] as const;

const COMMITTED: ReadonlySet<Purchase['state']> = new Set(['approved', 'sending', 'unknown']);

/** What the balance has changed by since then; null where there is nothing to compare. */
export function changeSince(reading: BalanceReading, { link }: Ago): Money | null {
  return reading.ok && link !== null ? difference(reading.balance, link.balance) : null;
}
