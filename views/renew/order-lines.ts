import { importedOf, type OrderFacts, placedOf, sentAt } from '../../src/purchasing/model/order.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import { paidUntil } from '../../src/purchasing/rules/calendar.ts';
import { isKnown } from '../../src/purchasing/rules/filing.ts';
import { intentSaidBy, orderOf } from '../../src/purchasing/rules/orders.ts';
import { ago, countryLines, day, ips, person, planName, when } from '../format.ts';
import { lastPlan } from './draft.ts';

/** A renewal so soon after another is more often a mistake than a wish; shorter than any usual term. */
const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

/** What the ledger knows of an order; nothing of one that it has never seen. */
export function orderLines(order: OrderFacts | null, now: number): readonly (string | null)[] {
  if (order === null || !isKnown(order)) return [];
  const { renewals } = order;
  const last = renewals.at(-1);
  const plan = lastPlan(order);
  return [
    originLine(order),
    last
      ? `Renewed ${renewals.length === 1 ? 'once' : `${renewals.length} times`}, last by ${person(last.requester)}, ${when(sentAt(last))} (${ago(sentAt(last), now)})`
      : null,
    plan ? `Plan last paid: ${planName(plan)}` : null,
    endLine(order, now),
  ];
}

/** How the ledger came to know of it. */
function originLine({ bought, entries }: OrderFacts): string {
  if (bought) return `Bought by ${person(bought.requester)}, ${when(sentAt(bought))}`;
  const imported = importedOf(entries);
  if (!imported) return 'This bot never saw it being bought, only renewed.';
  const { by, at, detail } = imported;
  const since = detail.boughtAt === null ? '' : `, as bought on ${day(detail.boughtAt)}`;
  return `Not bought by this bot: written down by ${person(by)}, ${when(at)}${since}`;
}

/** The size of an order, where the ledger knows it. */
export function sizeLine(order: OrderFacts): string | null {
  const placed = placedOf(order);
  return placed && `${ips(placed.quantity)}\n${countryLines(placed.basket)}`;
}

/** What is odd about renewing this order on this plan now. */
export function renewalWarnings(order: OrderFacts | null, plan: Plan | null, now: number): readonly string[] {
  if (order === null || !isKnown(order))
    return [
      '⚠️ *Attention: this bot has never seen it.* Check every digit of the order id, or another order is paid for.',
    ];
  const last = order.renewals.at(-1);
  const paid = lastPlan(order);
  const letEnd = orderOf(order)?.intent === 'let_end' ? intentSaidBy(order) : null;
  return [
    ...(letEnd === null ? [] : [`⚠️ *To be let end*: ${person(letEnd)} said that this order is not to be renewed.`]),
    ...(plan && paid && plan.productId !== paid.productId
      ? [`⚠️ *Another plan*: last paid was ${planName(paid)}, this pays for ${planName(plan)}.`]
      : []),
    ...(last && now - sentAt(last) < SOON_MS
      ? [`⚠️ *Renewed already*: ${ago(sentAt(last), now)}, by ${person(last.requester)}.`]
      : []),
  ];
}

function endLine(order: OrderFacts, now: number): string {
  const until = paidUntil(order);
  if (until === null) return 'Until when it runs is not known.';
  return `${until < now ? 'Ran' : 'Runs'} until about ${day(until)} (computed by us)`;
}
