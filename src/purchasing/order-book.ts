import type { Click } from './model/click.ts';
import { searchCountries } from './model/countries.ts';
import type { Order, OrderFacts } from './model/order.ts';
import { isOrderId, type OrderId } from './model/order-id.ts';
import { type Policy, RIGHTS } from './model/policy.ts';
import type { Purchase } from './model/purchase.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { Directory } from './ports/directory.ts';
import type { LedgerReads } from './ports/ledger.ts';
import type { OrderQuery, Orders } from './ports/orders.ts';
import { decideOrderSaying, mayChangeOrder, type OrderChanged, type OrderSaying, orderOf } from './rules/orders.ts';
import { type Allowed, checkRights, FRESH_RIGHTS_WITHIN_MS } from './rules/rights.ts';

export interface OrderBookDeps {
  readonly orders: Orders;
  readonly ledger: Pick<LedgerReads, 'order'>;
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
  readonly total: number;
  readonly now: number;
  readonly endingWithinMs: number;
  /** Completed buys whose order id is not known, and whether this person may enter it. */
  readonly unnamed: readonly { readonly purchase: Purchase; readonly theirs: boolean }[];
}

export interface OpenedOrder {
  readonly order: Order;
  /** All that the order is computed from. */
  readonly facts: OrderFacts;
  readonly mayChange: boolean;
}

/** What a person says about an order; whether somebody may have it is asked of Slack. */
export type Said = Exclude<OrderSaying, { readonly say: 'owner' }> | { readonly say: 'owner'; readonly owner: string };

/** How many buys without an order id stand above the book. */
const UNNAMED_SHOWN = 5;

/** What people ask of the order book, and say in it. Anybody with a right sees it; owner and approvers change it. */
export class OrderBook {
  readonly #deps: OrderBookDeps;

  constructor(deps: OrderBookDeps) {
    this.#deps = deps;
  }

  /** @param page 0 is the first */
  async page(user: string, query: BookQuery, page: number, size: number): Promise<BookPage | Refusal> {
    const { directory, orders, policy } = this.#deps;
    const allowed = await checkRights(directory, user, RIGHTS, 'cached');
    if (isRefusal(allowed)) return allowed;
    const { endingWithinMs } = policy().reminders;
    const [found, unnamed] = await Promise.all([
      orders.page(
        {
          which: query.which,
          endingWithinMs,
          ...(query.mine ? { owners: [...allowed.ids] } : {}),
          ...(query.country === null ? {} : { country: query.country }),
        },
        page * size,
        size,
      ),
      page === 0 ? orders.unnamed(UNNAMED_SHOWN) : [],
    ]);
    return {
      orders: found.orders.map(orderOf).filter((order) => order !== null),
      total: found.total,
      now: found.now,
      endingWithinMs,
      unnamed: unnamed.map((purchase) => ({
        purchase,
        theirs: allowed.rights.has('approve') || allowed.ids.has(purchase.requesterPerson),
      })),
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

  async open(user: string, orderId: OrderId): Promise<OpenedOrder | Refusal> {
    const { directory, ledger } = this.#deps;
    const [allowed, facts] = await Promise.all([checkRights(directory, user, RIGHTS, 'cached'), ledger.order(orderId)]);
    if (isRefusal(allowed)) return allowed;
    const order = orderOf(facts);
    if (!order) return { refused: 'order_not_in_book', orderId };
    return { order, facts, mayChange: mayChangeOrder(order, allowed) };
  }

  /** The owner or an approver says something about an order. */
  async say(orderId: OrderId, click: Click, said: Said): Promise<OrderChanged> {
    const { directory, orders, wake } = this.#deps;
    const [allowed, saying] = await Promise.all([
      checkRights(directory, click.user, RIGHTS, 'fresh'),
      said.say === 'owner' ? this.#heir(said.owner) : said,
    ]);
    if (isRefusal(saying)) return saying;
    const by = { user: click.user, allowed };
    const result = await orders.change([orderId], (facts) => decideOrderSaying(facts, by, orderId, saying), click.id);
    wake();
    return result;
  }

  async #heir(owner: string): Promise<OrderSaying | Refusal> {
    const { directory } = this.#deps;
    const allowed: Allowed = await checkRights(directory, owner, ['renew'], 'fresh', FRESH_RIGHTS_WITHIN_MS);
    if (!isRefusal(allowed)) return { say: 'owner', owner, ids: allowed.ids, mayRenew: true };
    if (allowed.refused === 'rights_unreadable') return allowed;
    return { say: 'owner', owner, ids: new Set([owner]), mayRenew: false };
  }
}
