import { isUnderWay } from './model/batch.ts';
import type { Click } from './model/click.ts';
import { searchCountries } from './model/countries.ts';
import type { Order, OrderFacts } from './model/order.ts';
import { isOrderId, orderIdOf } from './model/order-id.ts';
import { type Policy, RIGHTS, type Right } from './model/policy.ts';
import type { Purchase } from './model/purchase.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { Directory } from './ports/directory.ts';
import type { Endings } from './ports/endings.ts';
import type { Ledger, PurchaseRecord } from './ports/ledger.ts';
import type { OrderQuery, Orders } from './ports/orders.ts';
import { countKeptDue } from './rules/keeping.ts';
import { decideOrderSaying, mayChangeOrder, type OrderChanged, type OrderSaying, orderOf } from './rules/orders.ts';
import { checkRights, FRESH_RIGHTS_WITHIN_MS, isRequester } from './rules/rights.ts';

export interface OrderBookDeps {
  readonly orders: Orders;
  readonly endings: Pick<Endings, 'kept'>;
  readonly ledger: Pick<Ledger, 'now' | 'open' | 'order' | 'record'>;
  readonly directory: Directory;
  readonly policy: () => Policy;
  /** There is something new to tell. */
  readonly wake: () => void;
}

/** What a person asks to see of the book. */
export interface BookQuery {
  readonly which: OrderQuery['which'];
  /** Only their own. */
  readonly mine: boolean;
  readonly country: string | null;
}

export interface BookPage {
  readonly orders: readonly Order[];
  /** 0 is the first; the last one there is, where a later one was asked for. */
  readonly page: number;
  readonly pages: number;
  /** As {@link OrderPage.total}. */
  readonly total: number;
  /** As {@link OrderPage.more}. */
  readonly more: boolean;
  readonly now: number;
  readonly endingWithinMs: number;
  /** Completed buys whose order id is not known, whether this person may enter it, and whether they asked for it; on the first page. */
  readonly unnamed: readonly { readonly purchase: Purchase; readonly theirs: boolean; readonly own: boolean }[];
  /** Whether whoever looks at it may import orders. */
  readonly mayImport: boolean;
}

export interface OpenedOrder {
  readonly order: Order;
  /** All that the order is computed from. */
  readonly facts: OrderFacts;
  /** What it was paid with, with what the ledger holds of each: the latest, oldest first. */
  readonly paid: readonly PurchaseRecord[];
  /** Renewals that are not over: waiting, being sent, or unknown. */
  readonly open: readonly Purchase[];
  /** What it has filed by itself before its present end, and what came to nothing: it is not filed again. */
  readonly keptInVain: Purchase | null;
  /** The ledger's clock. */
  readonly now: number;
  readonly endingWithinMs: number;
  readonly mayChange: boolean;
  /** What whoever opened it may do besides. */
  readonly rights: ReadonlySet<Right>;
}

/** What a person says about an order; whether somebody may have it is asked of Slack. */
export type Said = Exclude<OrderSaying, { readonly say: 'owner' }> | { readonly say: 'owner'; readonly owner: string };

/** Of the buys without an order id so many are looked through; there are few, since whoever bought is asked for it. */
const UNNAMED_READ = 100;

/** Renewals that an order's view has room for, however much there is to tell of each. */
const PAID_SHOWN = 12;

/** What people ask of the order book, and say in it. Anybody with a right sees it; owner and approvers change it. */
export class OrderBook {
  readonly #deps: OrderBookDeps;

  constructor(deps: OrderBookDeps) {
    this.#deps = deps;
  }

  /** @param page 0 is the first */
  async page(user: string, asked: BookQuery, page: number, size: number): Promise<BookPage | Refusal> {
    const { directory, orders, policy } = this.#deps;
    const allowed = await checkRights(directory, user, RIGHTS, 'cached');
    if (isRefusal(allowed)) return allowed;
    const { endingWithinMs } = policy().reminders;
    const query = {
      which: asked.which,
      endingWithinMs,
      ...(asked.mine ? { owners: [...allowed.ids] } : {}),
      ...(asked.country === null ? {} : { country: asked.country }),
    };
    const [there, unnamed] = await Promise.all([
      orders.page(query, page * size, size),
      page === 0 ? orders.unnamed(UNNAMED_READ) : [],
    ]);
    const pages = Math.max(1, Math.ceil(there.total / size));
    const last = Math.min(page, pages - 1);
    const found = last === page ? there : await orders.page(query, last * size, size);
    return {
      orders: found.orders.map(orderOf).filter((order) => order !== null),
      page: last,
      pages,
      total: found.total,
      more: found.more,
      now: found.now,
      endingWithinMs,
      mayImport: allowed.rights.has('approve'),
      unnamed: unnamed
        .map((purchase) => {
          const own = isRequester(purchase, allowed);
          return { purchase, own, theirs: own || allowed.rights.has('approve') };
        })
        .filter(({ purchase, own }) => (own || !asked.mine) && isThere(purchase, asked.country)),
    };
  }

  /** Orders that somebody may mean who has typed this much: an order id, a country, or “mine”; those that end first where nothing is typed. */
  async suggest(user: string, typed: string, limit: number): Promise<readonly Order[] | Refusal> {
    const { directory, orders } = this.#deps;
    const asked = typed.trim().toLowerCase();
    if (isOrderId(asked)) {
      const allowed = await checkRights(directory, user, RIGHTS, 'cached');
      if (isRefusal(allowed)) return allowed;
      return (await orders.startingWith(asked, limit)).map(orderOf).filter((order) => order !== null);
    }
    const mine = asked === 'mine';
    const [country] = asked === '' || mine ? [] : searchCountries(asked, 1);
    if (asked !== '' && !mine && !country) return [];
    const found = await this.page(user, { which: 'running', mine, country: country?.code ?? null }, 0, limit);
    return isRefusal(found) ? found : found.orders;
  }

  /** @param id as a button or a command carries it: of what is no order id, the ledger knows no order. */
  async open(user: string, id: string): Promise<OpenedOrder | Refusal> {
    const { directory, ledger, orders, policy } = this.#deps;
    const orderId = orderIdOf(id);
    const [allowed, facts] = await Promise.all([
      checkRights(directory, user, RIGHTS, 'cached'),
      orderId && ledger.order(orderId),
    ]);
    if (isRefusal(allowed)) return allowed;
    const order = facts && orderOf(facts);
    if (!facts || !order) return { refused: 'order_not_in_book', orderId: id };
    const { bought, renewals } = facts;
    const shown = [...(bought ? [bought] : []), ...renewals.slice(-PAID_SHOWN)];
    const [records, kept, open, now] = await Promise.all([
      Promise.all(shown.map((purchase) => ledger.record(purchase.id))),
      order.endsAt === null ? null : orders.keptRenewal(order.orderId, order.endsAt),
      ledger.open(),
      ledger.now(),
    ]);
    return {
      order,
      facts,
      paid: records.filter((record) => record !== undefined),
      open: open.filter((purchase) => purchase.kind === 'renew' && purchase.orderId === orderId),
      keptInVain: kept && !isUnderWay(kept) ? kept : null,
      now,
      endingWithinMs: policy().reminders.endingWithinMs,
      mayChange: mayChangeOrder(order, allowed),
      rights: allowed.rights,
    };
  }

  /** How many orders that are kept are about to file their renewal, as soon as nothing stands in the way. */
  async keptDue(): Promise<number> {
    const { endings, ledger, policy } = this.#deps;
    const now = await ledger.now();
    const { renewKeptBeforeMs } = policy().reminders;
    return countKeptDue(await endings.kept(now, now + renewKeptBeforeMs), policy(), now);
  }

  /** The owner or an approver says something about an order. */
  async say(id: string, click: Click, said: Said): Promise<OrderChanged> {
    const { directory, orders, wake } = this.#deps;
    const orderId = orderIdOf(id);
    if (!orderId) return { refused: 'order_not_in_book', orderId: id };
    const [allowed, saying] = await Promise.all([
      checkRights(directory, click.user, RIGHTS, 'fresh'),
      said.say === 'owner' ? this.#withHeir(said.owner) : said,
    ]);
    const by = { user: click.user, allowed };
    const result = await orders.change([orderId], (facts) => decideOrderSaying(facts, by, orderId, saying), click.id);
    wake();
    return result;
  }

  async #withHeir(owner: string): Promise<OrderSaying> {
    const heir = await checkRights(this.#deps.directory, owner, ['renew'], 'fresh', FRESH_RIGHTS_WITHIN_MS);
    return { say: 'owner', owner, heir };
  }
}

function isThere({ basket }: Purchase, country: string | null): boolean {
  return country === null || basket.some((allocation) => allocation.country === country);
}
