import { inTurns } from '../turns.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import type { EndingOrder } from './model/end-reminder.ts';
import type { OrderId } from './model/order-id.ts';
import { type Policy, RIGHTS } from './model/policy.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import { type Clock, hasPassed, type Moment, momentOf } from './ports/clock.ts';
import type { Directory } from './ports/directory.ts';
import type { Endings } from './ports/endings.ts';
import type { Ledger } from './ports/ledger.ts';
import type { Orders } from './ports/orders.ts';
import type { Outbox } from './ports/outbox.ts';
import { isOutsideReminder } from './rules/clicks.ts';
import {
  type Addressee,
  decideRemindAgain,
  decideReminder,
  dueRung,
  isToRenew,
  mayBeDue,
  reminderDay,
  rungsOf,
} from './rules/end-reminders.ts';
import type { OrderChanged } from './rules/orders.ts';
import { orderOf } from './rules/orders.ts';
import { checkRights } from './rules/rights.ts';
import { UTC, type Zone, zoneOf } from './rules/zones.ts';

export interface RemindingDeps {
  readonly endings: Endings;
  readonly orders: Orders;
  readonly outbox: Pick<Outbox, 'noticeAt'>;
  readonly ledger: Pick<Ledger, 'now' | 'order'>;
  readonly directory: Directory;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly wake: () => void;
  readonly stopping: AbortSignal;
}

const DAY_MS = 86_400_000;

/** Reminders come at a time of day, to the minute. */
const LOOK_EVERY_MS = 60_000;

/** What ended longer ago is no news, also for a bot that was down or has just come. */
const NEWS_FOR_MS = 7 * DAY_MS;

/** Nobody waits for it. */
const RIGHTS_WITHIN_MS = 10_000;

/** Whose hour has not come where they are is asked about so seldom; at their hour the answer is a minute old at most. */
const ASKED_AGAIN_AFTER_MS = 1_800_000;

type Reminded = { readonly to: 'owner'; readonly person: string } | { readonly to: 'approvers' };

/**
 * Reminds owners of orders that end soon: once for each order, end and rung, in one message a day for each owner. Those of whom nobody
 * can be reminded are told to the approvers, who have no time zone together: theirs is UTC.
 */
export class Reminding {
  readonly #deps: RemindingDeps;
  readonly #asked = new Map<string, { readonly found: Reminded; readonly until: number }>();
  #looked: Moment | undefined;

  constructor(deps: RemindingDeps) {
    this.#deps = deps;
  }

  /** One pass over what ends. @returns whether anybody is to be told. */
  async remind(): Promise<boolean> {
    const { endings, ledger, clock, policy } = this.#deps;
    const { reminders } = policy();
    if (reminders.beforeEndMs.length === 0) return false;
    if (!hasPassed(clock, LOOK_EVERY_MS, this.#looked)) return false;
    const began = momentOf(clock);
    const now = await ledger.now();
    const longest = Math.max(...rungsOf(reminders));
    const ending = await endings.between(now - NEWS_FOR_MS, now + (longest + 2) * DAY_MS);
    const due: EndingOrder[] = [];
    for await (const order of inTurns(ending)) if (mayBeDue(order, reminders, now)) due.push(order);
    let told = false;
    for (const to of await this.#addressees(due, now)) {
      if (await endings.isWritten(to.key)) continue;
      const ids = [...to.owners.keys()];
      if (await endings.remind(to.key, ids, (facts) => decideReminder(facts, to, reminders))) told = true;
    }
    this.#looked = began;
    return told;
  }

  /** Who is to be told of what; whose zone or rights cannot be read is looked at again in a minute. */
  async #addressees(due: readonly EndingOrder[], now: number): Promise<readonly Addressee[]> {
    const { policy, stopping } = this.#deps;
    const { reminders } = policy();
    const found = new Map<string, Addressee & { readonly owners: Map<OrderId, string | null> }>();
    for (const [owner, orders] of Map.groupBy(due, (order) => order.owner)) {
      const zone = stopping.aborted ? undefined : await this.#zone(owner);
      if (!zone) continue;
      const [here, inUtc]: [EndingOrder[], EndingOrder[]] = [[], []];
      for await (const order of inTurns(orders)) {
        if (dueRung(order, reminders, zone, now) !== null) here.push(order);
        if (dueRung(order, reminders, UTC, now) !== null) inUtc.push(order);
      }
      if (here.length + inUtc.length === 0) continue;
      const who = await this.#reminded(owner, here.length > 0);
      if (!who) continue;
      const where = who.to === 'owner' ? zone : UTC;
      const day = new Date(reminderDay(where, reminders, now) * DAY_MS).toISOString().slice(0, 10);
      const key = `reminder:${who.to === 'owner' ? who.person : who.to}:${day}`;
      const audience = who.to === 'owner' ? (`user:${owner}` as const) : who.to;
      const to = found.get(key) ?? { key, audience, zone: where, owners: new Map() };
      for (const order of who.to === 'owner' ? here : inUtc) to.owners.set(order.orderId, owner);
      if (to.owners.size > 0) found.set(key, to);
    }
    return [...found.values()];
  }

  async #zone(owner: string | null): Promise<Zone | undefined> {
    if (owner === null) return UTC;
    const name = await this.#deps.directory.timeZone(owner);
    return name === undefined ? undefined : zoneOf(name);
  }

  /** Who hears of this owner's orders: the approvers where it was never known, is gone, or may not renew any more. */
  async #reminded(owner: string | null, isTheirHour: boolean): Promise<Reminded | undefined> {
    if (owner === null) return { to: 'approvers' };
    const { directory, clock } = this.#deps;
    const known = this.#asked.get(owner);
    if (known && !isTheirHour && clock.monotonic() < known.until) return known.found;
    const allowed = await checkRights(directory, owner, ['renew'], 'cached', RIGHTS_WITHIN_MS);
    if (isRefusal(allowed) && allowed.refused === 'rights_unreadable') return undefined;
    const found: Reminded = isRefusal(allowed) ? { to: 'approvers' } : { to: 'owner', person: allowed.person };
    this.#asked.set(owner, { found, until: clock.monotonic() + ASKED_AGAIN_AFTER_MS });
    return found;
  }

  /** Why a click on an order in this message does not count. */
  async refuseOutside(orderId: OrderId, message: ClickedMessage): Promise<Refusal | undefined> {
    const { endings, outbox, policy } = this.#deps;
    const notice = await outbox.noticeAt(message);
    const rows = notice?.kind === 'ending' ? await endings.rowsOf(notice.text ?? '') : [];
    const orders = rows.map((row) => row.orderId);
    return isOutsideReminder(orderId, message, notice, orders, policy()) ? { refused: 'wrong_reminder' } : undefined;
  }

  /** Whether it is a second message for the same, which nothing keeps up to date: Slack took it, and its answer was lost. */
  async isCopy(orderId: OrderId, message: ClickedMessage): Promise<boolean> {
    const { endings, outbox } = this.#deps;
    if (message.ts === '' || message.isPrivateAnswer || (await outbox.noticeAt(message))) return false;
    return (await endings.toldIn(orderId)).includes(message.channel);
  }

  /** Which of the orders that this message tells of may still be renewed, the soonest end first. */
  async toRenew(message: ClickedMessage): Promise<readonly OrderId[] | Refusal> {
    const { endings, ledger, outbox } = this.#deps;
    const [notice, now] = await Promise.all([outbox.noticeAt(message), ledger.now()]);
    if (notice?.kind !== 'ending') return { refused: 'wrong_reminder' };
    const rows = await endings.rowsOf(notice.text ?? '');
    return rows.filter((row) => isToRenew(row, now)).map(({ orderId }) => orderId);
  }

  /** The owner or an approver wants to hear of an order again the next day: theirs who get the reminder. */
  async remindAgain(orderId: OrderId, click: Click, message: ClickedMessage): Promise<OrderChanged> {
    const { directory, ledger, orders, outbox, policy, wake } = this.#deps;
    const [allowed, outside, notice, facts] = await Promise.all([
      checkRights(directory, click.user, RIGHTS, 'fresh'),
      this.refuseOutside(orderId, message),
      outbox.noticeAt(message),
      ledger.order(orderId),
    ]);
    if (outside) return outside;
    const forApprovers = notice?.text?.startsWith('reminder:approvers:') ?? false;
    const zone = await this.#zone(forApprovers ? null : (orderOf(facts)?.owner ?? null));
    if (!zone) return { refused: 'rights_unreadable', retryAfterSeconds: 10 };
    const by = { user: click.user, allowed };
    const result = await orders.change(
      [orderId],
      (read) => decideRemindAgain(read, by, orderId, zone, policy().reminders),
      click.id,
    );
    wake();
    return result;
  }
}
