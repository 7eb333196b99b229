import type { BalanceReading } from './model/answer.ts';
import type { Request } from './model/batch.ts';
import type { Freeze } from './model/freeze.ts';
import type { Order } from './model/order.ts';
import { type Policy, RIGHTS, type Right } from './model/policy.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import { type Clock, within } from './ports/clock.ts';
import type { Directory } from './ports/directory.ts';
import type { HomePublisher, Homes, HomeTab, HomeView, Published } from './ports/homes.ts';
import type { LedgerReads } from './ports/ledger.ts';
import type { Log } from './ports/log.ts';
import type { Orders } from './ports/orders.ts';
import type { Purchasing } from './purchasing.ts';
import { changedAtOf, isOpenRequest, requestsOf, waitingFor } from './requests.ts';
import { retryAfter } from './rules/delivery.ts';
import { orderOf } from './rules/orders.ts';
import { checkRights, FRESH_RIGHTS_WITHIN_MS, isRequester } from './rules/rights.ts';

/** What concerns one person: on their Home tab, and where they ask for it. */
export interface HomePage {
  /** As the ledger names this person. */
  readonly person: string;
  readonly rights: ReadonlySet<Right>;
  readonly now: number;
  readonly freeze: Freeze | null;
  /** What they may decide or settle, oldest first. */
  readonly waiting: readonly Request[];
  /** The ids of the purchases that they may decide or settle. */
  readonly theirs: ReadonlySet<string>;
  /** Their own requests that are open, oldest first. */
  readonly open: readonly Request[];
  /** Their own that are over, the last to change first. */
  readonly outcomes: readonly Request[];
  /** Their running orders, the soonest end first. */
  readonly orders: readonly Order[];
  /** How many of them there are. */
  readonly ordersInAll: number;
}

export interface HomeSurroundings {
  /** Slack user id. */
  readonly user: string;
  readonly now: number;
  readonly contact: string | null;
  /** Null while it is read; undefined for those who may not see it. */
  readonly balance: BalanceReading | null | undefined;
}

export type DrawHome = (found: HomePage | Refusal, around: HomeSurroundings) => HomeView;

export interface HomePagesDeps {
  readonly homes: Homes;
  readonly publisher: HomePublisher;
  readonly ledger: Pick<LedgerReads, 'open' | 'outcomesOf' | 'batch' | 'sides' | 'freeze'>;
  readonly orders: Pick<Orders, 'page'>;
  readonly directory: Directory;
  /** How many people may be looked up now where nobody waits. */
  readonly spare: () => number;
  readonly purchasing: Pick<Purchasing, 'balance'>;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly log: Log;
  readonly draw: DrawHome;
  readonly wake: () => void;
  /** What is not finished by then is published at the next start. */
  readonly stopping: AbortSignal;
}

/** More than a page shows is said in a number. */
const ORDERS_READ = 10;

/** The last to change are among the last filed; what was settled late is not far. */
const OUTCOMES_READ = 20;
const OUTCOMES_SHOWN = 5;

const AT_ONCE = 10;

/** Nobody waits for it: whoever clicks goes first for two seconds. */
const RIGHTS_WITHIN_MS = 4_000;

/** Longer than a balance and two calls to Slack take together. */
const LEASE_MS = 30_000;

/** A view that is there at once is worth more than one that is complete. */
const BALANCE_AT_ONCE_WITHIN_MS = 400;

/** The Home tabs of all who have opened theirs, kept up to date with the ledger. */
export class HomePages {
  readonly #deps: HomePagesDeps;
  /** Slack takes no more calls until then. */
  #quietUntil = 0;

  constructor(deps: HomePagesDeps) {
    this.#deps = deps;
  }

  async opened(user: string): Promise<void> {
    await this.#deps.homes.opened(user);
    this.#deps.wake();
  }

  /** Nobody goes on looking at what they may not see any more. */
  async rightsChanged(): Promise<void> {
    await this.#deps.homes.rightsChanged();
    this.#deps.wake();
  }

  /** What concerns this person; rights are asked again at each click. */
  async page(
    user: string,
    freshness: 'cached' | 'fresh' = 'cached',
    withinMs = FRESH_RIGHTS_WITHIN_MS,
  ): Promise<HomePage | Refusal> {
    const { directory, ledger, orders, clock, policy } = this.#deps;
    const allowed = await checkRights(directory, user, RIGHTS, freshness, withinMs);
    if (isRefusal(allowed)) return allowed;
    const { person, rights } = allowed;
    const ids = [...allowed.ids];
    const { endingWithinMs } = policy().reminders;
    const [open, over, freeze, book] = await Promise.all([
      ledger.open(),
      ledger.outcomesOf(ids, OUTCOMES_READ),
      ledger.freeze(),
      orders.page({ which: 'running', endingWithinMs, owners: ids }, 0, ORDERS_READ),
    ]);
    const theirs = await waitingFor(ledger, open, allowed);
    const [waiting, own, outcomes] = await Promise.all([
      requestsOf(ledger, theirs),
      requestsOf(
        ledger,
        open.filter((purchase) => isRequester(purchase, allowed)),
      ),
      requestsOf(ledger, over),
    ]);
    return {
      person,
      rights,
      now: clock.now(),
      freeze,
      waiting,
      theirs: new Set(theirs.map(({ id }) => id)),
      open: own,
      outcomes: outcomes
        .filter((request) => !isOpenRequest(request))
        .toSorted((a, b) => changedAtOf(b) - changedAtOf(a))
        .slice(0, OUTCOMES_SHOWN),
      orders: book.orders.map(orderOf).filter((order) => order !== null),
      ordersInAll: book.total,
    };
  }

  /** One pass over those that are out of date. @returns whether there was any. */
  async refresh(): Promise<boolean> {
    const { homes, purchasing, clock, stopping, spare } = this.#deps;
    if (stopping.aborted || clock.monotonic() < this.#quietUntil) return false;
    const leased = await homes.lease(AT_ONCE, LEASE_MS, spare());
    let reading: Promise<BalanceReading> | undefined;
    const balance = () => {
      reading ??= purchasing.balance('home');
      return reading;
    };
    await Promise.all(leased.map((home) => this.#refresh(home, balance)));
    return leased.length > 0;
  }

  async #refresh(home: HomeTab, balance: () => Promise<BalanceReading>): Promise<void> {
    const { homes, log } = this.#deps;
    try {
      const found = await this.page(home.user, home.recheck ? 'fresh' : 'cached', RIGHTS_WITHIN_MS);
      const published = await this.#show(home, found, balance);
      if (!published) return await homes.failed(home, 0);
      if (!('hash' in published)) return await this.#failed(home, published);
      const unreadable = isRefusal(found) && found.refused === 'rights_unreadable' ? found : undefined;
      if (unreadable) return await homes.failed(home, unreadable.retryAfterSeconds * 1000);
      const page = isRefusal(found) ? null : found;
      const as = { person: page?.person ?? null, decides: page?.rights.has('approve') ?? false };
      await homes.shown(home, published.hash, as);
    } catch (err) {
      const why = err instanceof Error ? err.name : 'no answer';
      log.warn({ user: home.user, err }, 'a Home tab could not be drawn');
      await homes.failed(home, retryAfter({ kind: 'unreachable', why }, home.attempts) ?? 0);
    }
  }

  /** The view comes first, and the balance follows where it is slow. @returns undefined when it is left to the next start. */
  async #show(
    { user, hash }: HomeTab,
    found: HomePage | Refusal,
    balance: () => Promise<BalanceReading>,
  ): Promise<Published | undefined> {
    const { publisher, draw, policy, clock, stopping } = this.#deps;
    const { contact = null } = policy();
    const publish = (reading: BalanceReading | null | undefined, before: string | null) =>
      publisher.publish(user, draw(found, { user, now: clock.now(), contact, balance: reading }), before);
    if (isRefusal(found) || !found.rights.has('balance')) return publish(undefined, hash);
    const early = await within(clock, BALANCE_AT_ONCE_WITHIN_MS, balance(), null);
    if (stopping.aborted) return undefined;
    const first = await publish(early, hash);
    if (early !== null || !('hash' in first)) return first;
    const reading = await balance();
    return stopping.aborted ? undefined : publish(reading, first.hash);
  }

  async #failed(home: HomeTab, trouble: Exclude<Published, { readonly hash: string }>): Promise<void> {
    const { homes, clock, log } = this.#deps;
    if (trouble.kind === 'overtaken') return homes.failed(home, 0);
    log.warn({ user: home.user, ...trouble }, 'a Home tab could not be published');
    const waitMs = retryAfter(trouble, home.attempts);
    if (waitMs === null) return homes.forget(home.user);
    if (trouble.kind === 'rate_limited') this.#quietUntil = clock.monotonic() + waitMs;
    return homes.failed(home, waitMs);
  }
}
