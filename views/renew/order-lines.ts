import { importedOf, type OrderFacts, placedOf, sentAt } from '../../src/purchasing/model/order.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import { paidUntil } from '../../src/purchasing/rules/calendar.ts';
import { isKnown } from '../../src/purchasing/rules/filing.ts';
import { orderOf, saidLast } from '../../src/purchasing/rules/orders.ts';
import { ago, capital, countryLines, dayAsWritten, endText, ips, person, planName, quoted, when } from '../format.ts';
import { lastPlan } from './draft.ts';

/** A renewal so soon after another is more often a mistake than a wish; shorter than any usual term. */
const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

/** Enough to tell what it is for; all of it stands in the order's own view. */
const NOTE_SHOWN = 200;

/** What the ledger knows of an order; nothing of one that it has never seen. */
export function orderLines(order: OrderFacts | null, now: number): readonly (string | null)[] {
  if (order === null || !isKnown(order)) return [];
  const { renewals } = order;
  const last = renewals.at(-1);
  const plan = lastPlan(order);
  const { owner, note } = orderOf(order) ?? {};
  return [
    originLine(order),
    owner && owner !== order.bought?.requester ? `Owned by ${person(owner)}` : null,
    note ? `Note: ${quoted(note, NOTE_SHOWN)}` : null,
    last
      ? `Renewed ${renewals.length === 1 ? 'once' : `${renewals.length} times`}, last by ${person(last.requester)}, ${when(sentAt(last))} (${ago(sentAt(last), now)})`
      : null,
    plan ? `Plan last paid: ${planName(plan)}` : null,
    `${capital(endText(paidUntil(order), now))}.`,
  ];
}

/** How the ledger came to know of it. */
export function originLine({ bought, entries }: OrderFacts): string {
  if (bought) return `Bought by ${person(bought.requester)}, ${when(sentAt(bought))}`;
  const imported = importedOf(entries);
  if (!imported) return 'This bot never saw it being bought, only renewed.';
  const { by, at, detail } = imported;
  const since = detail.boughtAt === null ? '' : `; bought on ${dayAsWritten(detail.boughtAt)}`;
  return `Imported by ${person(by)}, ${when(at)}: not bought by this bot${since}`;
}

/** The size of an order, where the ledger knows it. */
export function sizeLine(order: OrderFacts): string | null {
  const placed = placedOf(order);
  return placed && `${ips(placed.quantity)}\n${countryLines(placed.basket)}`;
}

/** What is odd about renewing this order on this plan now. */
export function renewalWarnings(order: OrderFacts | null, plan: Plan | null, now: number): readonly string[] {
  return oddities(order, plan, now).map(({ said }) => `⚠️ ${said}`);
}

/** The same in a few words, for one of many orders; null where nothing is. */
export function oddInShort(order: OrderFacts, plan: Plan, now: number): string | null {
  const odd = oddities(order, plan, now).map(({ short }) => short);
  return odd.length === 0 ? null : capital(odd.join('; '));
}

interface Odd {
  readonly short: string;
  readonly said: string;
}

function oddities(order: OrderFacts | null, plan: Plan | null, now: number): readonly Odd[] {
  if (order === null || !isKnown(order))
    return [
      {
        short: 'never seen by this bot',
        said: '*Attention: this bot has never seen it.* Check every digit of the order id, or another order is paid for.',
      },
    ];
  const last = order.renewals.at(-1);
  const paid = lastPlan(order);
  const said = orderOf(order)?.intent === 'let_end' ? saidLast(order) : undefined;
  return [
    ...(said
      ? [{ short: 'to be let end', said: `*To be let end*, said by ${person(said.by)}, ${when(said.at)}.` }]
      : []),
    ...(plan && paid && plan.productId !== paid.productId
      ? [
          {
            short: 'another plan than last paid',
            said: `*Another plan*: last paid was ${planName(paid)}, this pays for ${planName(plan)}.`,
          },
        ]
      : []),
    ...(last && now - sentAt(last) < SOON_MS
      ? [
          {
            short: `renewed already ${ago(sentAt(last), now)}`,
            said: `*Renewed already*: ${ago(sentAt(last), now)}, by ${person(last.requester)}.`,
          },
        ]
      : []),
  ];
}
