import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import { paidUntil } from '../../src/purchasing/rules/calendar.ts';
import { isKnown } from '../../src/purchasing/rules/filing.ts';
import { ago, countryLines, day, ips, person, planName, when } from '../format.ts';
import { lastPlan } from './draft.ts';

/** What the ledger knows of an order, or that it knows nothing. */
export function orderLines(order: OrderFacts | null, now: number): readonly (string | null)[] {
  if (order === null || !isKnown(order))
    return ['*Attention: this bot has never seen it.* Check every digit of the id, or another order is paid for.'];
  const { bought, renewals } = order;
  const last = renewals.at(-1);
  const plan = lastPlan(order);
  return [
    bought
      ? `Bought by ${person(bought.requester)}, ${when(bought.changedAt)}`
      : 'This bot never saw it being bought, only renewed.',
    last
      ? `Renewed ${renewals.length === 1 ? 'once' : `${renewals.length} times`}, last by ${person(last.requester)}, ${when(last.changedAt)} (${ago(last.changedAt, now)})`
      : null,
    bought ? `${ips(bought.quantity)}\n${countryLines(bought.basket)}` : null,
    plan ? `Plan last paid: ${planName(plan)}` : null,
    paidLine(order, now),
  ];
}

function paidLine(order: OrderFacts, now: number): string {
  const until = paidUntil(order);
  if (until === null) return 'Paid until: not known';
  const past = until < now ? '; that has passed' : '';
  return `Paid until ${day(until)} (computed from the plan's term; the vendor states none${past})`;
}
