import { move } from '../model/change.ts';
import {
  type Intent,
  importedOf,
  type Order,
  type OrderEntry,
  type OrderEntryDetail,
  type OrderFacts,
  type OrderState,
  placedOf,
} from '../model/order.ts';
import type { NewOrderEntry, OrderChange, OrderChangeFacts } from '../model/order-change.ts';
import type { OrderId } from '../model/order-id.ts';
import { outcomeNotice } from '../model/outbox.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { paidUntil } from './calendar.ts';
import { countedOnce } from './clicks.ts';
import { type Allowed, type Clicker, isRequester } from './rights.ts';

/** @returns null for an order that the ledger has never seen. */
export function orderOf(facts: OrderFacts): Order | null {
  const { orderId, bought, renewals, entries } = facts;
  const placed = placedOf(facts);
  const [first] = renewals;
  const plan = renewals.at(-1)?.plan ?? placed?.plan;
  if (plan === undefined) return null;
  const imported = importedOf(entries)?.detail;
  const endsAt = paidUntil(facts);
  return {
    orderId,
    source: bought ? 'bought' : imported ? 'imported' : 'renewed',
    plan,
    basket: placed?.basket ?? [],
    quantity: placed?.quantity ?? null,
    owner: latest(entries, 'order_owner')?.owner ?? bought?.requester ?? imported?.owner ?? first?.requester ?? null,
    note: (latest(entries, 'order_note')?.note ?? imported?.note ?? '') || null,
    boughtAt: placed?.at ?? null,
    renewals: renewals.length,
    endsAt,
    intent: intentOf(facts, endsAt),
    remindAgain: remindAgainOf(facts, endsAt),
  };
}

function latest<K extends OrderEntryDetail['kind']>(entries: OrderFacts['entries'], kind: K) {
  const found = entries.findLast(({ detail }) => detail.kind === kind)?.detail;
  return found as Extract<OrderEntryDetail, { kind: K }> | undefined;
}

/** To be kept holds over renewals. To let it end is said of one end: whoever renews it all the same has changed their mind. */
function intentOf({ entries }: OrderFacts, endsAt: number | null): Intent | null {
  const said = latest(entries, 'order_intent');
  if (!said) return null;
  return said.intent === 'let_end' && said.endsAt !== endsAt ? null : said.intent;
}

/** The last that was said of whether it is kept. */
export function saidLast({ entries }: Pick<OrderFacts, 'entries'>): OrderEntry | undefined {
  return entries.findLast(({ detail }) => detail.kind === 'order_intent');
}

/** Said of one end. */
function remindAgainOf({ entries }: OrderFacts, endsAt: number | null): number | null {
  const said = latest(entries, 'order_remind_again');
  return said?.endsAt === endsAt ? said.rung : null;
}

/** @param endingWithinMs an order whose end is as near as that is ending. */
export function orderState({ endsAt }: Pick<Order, 'endsAt'>, now: number, endingWithinMs: number): OrderState {
  if (endsAt === null) return 'end not known';
  if (endsAt <= now) return 'ended';
  return endsAt - now <= endingWithinMs ? 'ending' : 'active';
}

/** What an owner or an approver says about an order. */
export type OrderSaying =
  | { readonly say: 'note'; readonly note: string }
  | { readonly say: 'intent'; readonly intent: Intent | null }
  /** To somebody who may renew. @param heir what Slack says of them, asked just before */
  | { readonly say: 'owner'; readonly owner: string; readonly heir: Allowed };

export type OrderChanged = Order | Refusal;

/** The owner and those who approve change an order; a click counts once. */
export function decideOrderSaying(
  facts: OrderChangeFacts,
  by: Clicker,
  orderId: OrderId,
  saying: OrderSaying,
): OrderChange<OrderChanged> {
  const [of] = facts.orders;
  const order = of ? orderOf(of) : null;
  const asItIs = order ?? ({ refused: 'order_not_in_book', orderId } as const);
  return countedOnce<OrderChange<OrderChanged>>(facts.deliveredBefore, asItIs, () => {
    const no = refuseSaying(order, by, orderId, saying);
    if (no || !of || !order) return { result: no ?? asItIs };
    const detail = entryFor(order, saying);
    if (!detail) return { result: order };
    const entry: NewOrderEntry = { orderId, by: by.user, detail };
    const said = { ...of, entries: [...of.entries, { seq: 0, at: facts.now, by: by.user, detail }] };
    const withdrawn =
      detail.kind === 'order_intent' ? facts.keptRenewals.flatMap((of) => withdrawKept(of, by, detail)) : [];
    return { result: orderOf(said) ?? order, entries: [entry], purchases: withdrawn };
  });
}

/**
 * What the order has filed by itself since it was kept, and is not wanted any more. Of what is being sent, or unknown, money may have
 * left: that goes on, and so does what a person has asked for.
 */
function withdrawKept(
  purchase: Purchase,
  { user, allowed }: Clicker,
  { intent }: { readonly intent: Intent | null },
): NonNullable<OrderChange<unknown>['purchases']> {
  if (intent === 'keep' || (purchase.state !== 'requested' && purchase.state !== 'approved')) return [];
  const why = intent === 'let_end' ? 'its order is to be let end' : 'its order is not kept any more';
  const moved = move(purchase, 'withdrawn', user, { why });
  const knows = !isRefusal(allowed) && isRequester(purchase, allowed);
  const notices = knows ? [] : [outcomeNotice(purchase.id, 'withdrawn')];
  return [{ purchase, change: { ...moved, set: { why }, notices } }];
}

function refuseSaying(
  order: Order | null,
  { allowed }: Clicker,
  orderId: OrderId,
  saying: OrderSaying,
): Refusal | undefined {
  if (isRefusal(allowed)) return allowed;
  if (!order) return { refused: 'order_not_in_book', orderId };
  if (!mayChangeOrder(order, allowed)) return { refused: 'not_owner', owner: order.owner };
  if (saying.say !== 'owner' || !isRefusal(saying.heir)) return undefined;
  const { heir, owner } = saying;
  return heir.refused === 'rights_unreadable' ? heir : { refused: 'heir_may_not_renew', user: owner };
}

export function mayChangeOrder(
  { owner }: Order,
  allowed: { readonly ids: ReadonlySet<string>; readonly rights: ReadonlySet<string> },
): boolean {
  return allowed.rights.has('approve') || (owner !== null && allowed.ids.has(owner));
}

/** Nothing where it is so already. */
function entryFor(order: Order, saying: OrderSaying): OrderEntryDetail | undefined {
  switch (saying.say) {
    case 'note': {
      const note = saying.note.trim();
      return note === (order.note ?? '') ? undefined : { kind: 'order_note', note };
    }
    case 'intent':
      return saying.intent === order.intent
        ? undefined
        : { kind: 'order_intent', intent: saying.intent, endsAt: order.endsAt };
    case 'owner':
      return order.owner !== null && !isRefusal(saying.heir) && saying.heir.ids.has(order.owner)
        ? undefined
        : { kind: 'order_owner', owner: saying.owner, before: order.owner };
    default:
      return saying satisfies never;
  }
}
