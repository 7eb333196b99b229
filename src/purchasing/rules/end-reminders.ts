import {
  AFTER_END,
  type EndingOrder,
  type ReminderChange,
  type ReminderFacts,
  type ReminderRow,
  type Rung,
} from '../model/end-reminder.ts';
import { type Order, type OrderFacts, sentAt } from '../model/order.ts';
import type { OrderChange, OrderChangeFacts } from '../model/order-change.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Audience } from '../model/outbox.ts';
import type { Reminders } from '../model/policy.ts';
import { isRefusal } from '../model/refusals.ts';
import { countedOnce } from './clicks.ts';
import { mayChangeOrder, type OrderChanged, orderOf } from './orders.ts';
import type { Clicker } from './rights.ts';
import type { Day, Zone } from './zones.ts';

const DAY_MS = 86_400_000;

/** Rungs are days: one of 36 h is two days before, so that it comes too early rather than too late. */
export function rungsOf({ beforeEndMs }: Reminders): readonly Rung[] {
  return [...new Set(beforeEndMs.map((ms) => Math.ceil(ms / DAY_MS)))];
}

/**
 * The rung that an order has reached and that nobody was told of: the nearest to its end, however many were missed. From the end on
 * there is only the day after it.
 */
export function dueRung(
  { endsAt, again, last }: Pick<EndingOrder, 'endsAt' | 'again' | 'last'>,
  reminders: Reminders,
  zone: Zone,
  now: number,
): Rung | null {
  const rungs = now >= endsAt ? [AFTER_END] : [...rungsOf(reminders), ...(again === null ? [] : [again])];
  const reached = rungs.filter((rung) => rungAt(endsAt, rung, reminders, zone) <= now);
  const nearest = Math.min(...reached);
  return reached.length === 0 || (last !== null && nearest >= last) ? null : nearest;
}

/** In no zone does it come before this: to look no further where nothing can be due. */
export function mayBeDue(order: EndingOrder, reminders: Reminders, now: number): boolean {
  const { endsAt, again, last } = order;
  const left = [...rungsOf(reminders), ...(again === null ? [] : [again]), AFTER_END].filter(
    (rung) => last === null || rung < last,
  );
  const first = Math.max(...left);
  return left.length > 0 && now >= endsAt - (first + 1) * DAY_MS + reminders.atMinutes * 60_000;
}

function rungAt(endsAt: number, rung: Rung, { atMinutes }: Pick<Reminders, 'atMinutes'>, zone: Zone): number {
  return zone.at(zone.dayOf(endsAt) - rung, atMinutes);
}

/** The day whose reminder goes out now: yesterday's, as long as today's hour has not come. One a day is written. */
export function reminderDay(zone: Zone, { atMinutes }: Pick<Reminders, 'atMinutes'>, now: number): Day {
  const today = zone.dayOf(now);
  return now < zone.at(today, atMinutes) ? today - 1 : today;
}

/** Who gets a reminder, and of which orders. */
export interface Addressee {
  /** Of the notice; one for a person and a day. */
  readonly key: string;
  readonly audience: Audience;
  readonly zone: Zone;
  /** Whose each order was when the addressee was chosen. */
  readonly owners: ReadonlyMap<OrderId, string | null>;
}

export function decideReminder(facts: ReminderFacts, to: Addressee, reminders: Reminders): ReminderChange {
  const { now } = facts;
  if (facts.written) return { notice: null, lines: [] };
  const lines = facts.orders.flatMap(({ facts: of, last }) => {
    const order = orderOf(of);
    if (!order || order.endsAt === null || order.owner !== to.owners.get(order.orderId)) return [];
    const { orderId, owner, endsAt, remindAgain: again } = order;
    const rung = dueRung({ endsAt, again, last }, reminders, to.zone, now);
    if (rung === null) return [];
    const at = rungAt(endsAt, rung, reminders, to.zone);
    const told = (order.intent !== 'let_end' || rung === AFTER_END) && at > paidAt(of);
    return [{ orderId, owner, endsAt, rung, told }];
  });
  const { key, audience } = to;
  const notice = { key, kind: 'ending', audience, about: null, text: key, by: null } as const;
  return { notice: lines.some(({ told }) => told) ? notice : null, lines };
}

/** Whoever has just paid needs no reminder of a day that was over by then. What somebody wrote down may be long forgotten. */
function paidAt({ bought, renewals }: OrderFacts): number {
  const last = renewals.at(-1) ?? bought;
  return last ? sentAt(last) : Number.NEGATIVE_INFINITY;
}

/** What has become of an order since the reminder was written. */
export type ReminderState = 'ends' | 'ended' | 'renewed' | 'let_end' | 'handed_over' | 'gone';

export function reminderState({ facts, owner, endsAt, rung }: ReminderRow, now: number): ReminderState {
  const order = orderOf(facts);
  if (order?.endsAt == null || order.endsAt < endsAt) return 'gone';
  if (order.endsAt > endsAt) return 'renewed';
  if (order.owner !== owner) return 'handed_over';
  if (order.intent === 'let_end' && rung !== AFTER_END) return 'let_end';
  return endsAt <= now ? 'ended' : 'ends';
}

/** Whether it is still to be told. */
export function stillHolds(row: ReminderRow, now: number): boolean {
  const state = reminderState(row, now);
  return state === 'ends' || state === 'ended';
}

/** Whether it may still be renewed, and nobody's renewal of it is under way. */
export function isToRenew(row: ReminderRow, now: number): boolean {
  return row.renewal === null && stillHolds(row, now);
}

/** Somebody wants to hear of it again the next day; where it has ended by then, they hear of that anyway. */
export function decideRemindAgain(
  facts: OrderChangeFacts,
  by: Clicker,
  orderId: OrderId,
  zone: Zone,
  reminders: Reminders,
): OrderChange<OrderChanged> {
  const [of] = facts.orders;
  const order = of ? orderOf(of) : null;
  const asItIs = order ?? ({ refused: 'order_not_in_book', orderId } as const);
  return countedOnce<OrderChange<OrderChanged>>(facts.deliveredBefore, asItIs, () => {
    const found = remindAgain(order, by, orderId, facts.now, zone, reminders);
    if (isRefusal(found)) return { result: found };
    const { endsAt, remindAgain: rung } = found;
    if (rung === order?.remindAgain) return { result: found };
    const detail = { kind: 'order_remind_again', endsAt, rung } as const;
    return { result: found, entries: [{ orderId, by: by.user, detail }] };
  });
}

function remindAgain(
  order: Order | null,
  { allowed }: Clicker,
  orderId: OrderId,
  now: number,
  zone: Zone,
  reminders: Reminders,
) {
  if (isRefusal(allowed)) return allowed;
  if (!order) return { refused: 'order_not_in_book', orderId } as const;
  if (!mayChangeOrder(order, allowed)) return { refused: 'not_owner', owner: order.owner } as const;
  const tomorrow = zone.dayOf(now) + 1;
  const { endsAt } = order;
  if (endsAt === null || endsAt <= zone.at(tomorrow, reminders.atMinutes))
    return { refused: 'ends_before_tomorrow', orderId } as const;
  return { ...order, endsAt, remindAgain: zone.dayOf(endsAt) - tomorrow };
}
