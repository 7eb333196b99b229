import { plural } from '../src/plural.ts';
import type { Movement } from '../src/purchasing/model/account.ts';
import { compare, difference, formatDollars, isPositive, NO_MONEY, sum } from '../src/purchasing/model/money.ts';
import type { MonthlyReport, RenewalsAhead, Some } from '../src/purchasing/model/monthly-report.ts';
import type { Order } from '../src/purchasing/model/order.ts';
import { inCents } from '../src/purchasing/model/quotient.ts';
import { SPENT_BY, type SpentBy } from '../src/purchasing/model/spend.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import { amountOf } from '../src/purchasing/rules/alerts.ts';
import { spentHere } from '../src/purchasing/rules/spend.ts';
import { actions, type Block, button, context, type DrawnMessage, paragraph, section } from './blocks.ts';
import { countriesShort, day, ips, monthName, orderNumber, person, quoted, requestShort, when } from './format.ts';
import { ACTION } from './ids.ts';
import { kindLine, rowLine, spendValue, TOGETHER } from './spend.ts';
import { literal } from './text.ts';

const ROWS_SHOWN = 5;
const NOTE_SHOWN = 120;

/** At nine, as a rule; a look a minute, and Slack, may take some more. */
const LATE_AFTER_MS = 3_600_000;

/** What those who approve read of a month on its morning after; posted once, so that it says as of when. */
export function reportMessage({ report, now }: Pick<Surroundings, 'report' | 'now'>): DrawnMessage {
  if (!report) throw new Error('no month to report');
  const { month, timeZone, by } = report;
  const head = `${monthName(month)}: ${formatDollars(spentHere(by.person))} spent by purchases`;
  return {
    text: head,
    blocks: [
      section(`*${head}*`),
      ...paragraph([changeLine(report), ...reservations(report, now)]),
      ...(report.facts.purchases.length === 0
        ? [section('Nothing was bought or renewed.')]
        : SPENT_BY.flatMap((axis) => axisBlocks(report, axis))),
      ...paragraph(otherLines(report)),
      ...orderBlocks(report),
      ...actions([button('Download CSV', ACTION.downloadCsv, spendValue({ period: month, by: 'person' }))]),
      context(
        `As of ${when(now)}; the CSV follows in this thread, and the button sends it to you. Every figure is the difference of two balances that were read; renewals are at what was observed, never a quote. The month is that of ${literal(timeZone, 60)}.`,
      ),
    ],
  };
}

function changeLine({ by, before }: MonthlyReport): string | null {
  if (before === null) return null;
  const name = monthName(before.month);
  const spent = formatDollars(before.spent);
  if (before.watchedSince !== null) return `${spent} in ${name}, watched since ${day(before.watchedSince)}`;
  const change = difference(spentHere(by.person), before.spent);
  if (compare(change, NO_MONEY) === 0) return `As much as in ${name}`;
  return isPositive(change)
    ? `${formatDollars(change)} more than in ${name} (${spent})`
    : `${formatDollars(difference(NO_MONEY, change))} less than in ${name} (${spent})`;
}

/** What whoever reads the figures has to know of them. */
function reservations({ watchedSince, wentBackAt, dueAt }: MonthlyReport, now: number): readonly string[] {
  const late = now - dueAt > LATE_AFTER_MS;
  return [
    ...(watchedSince === null
      ? []
      : [`⚠️ The balance is watched since ${when(watchedSince)}: nothing is known of before.`]),
    ...(wentBackAt === null
      ? []
      : [
          `⚠️ The ledger went back in time, as it noted ${when(wentBackAt)}: what it has forgotten is in no figure but the unknown.${late ? ' This report may have been posted before.' : ''}`,
        ]),
    ...(late ? [`Late: it was due ${when(dueAt)}.`] : []),
  ];
}

function axisBlocks({ by, facts }: MonthlyReport, axis: SpentBy): Block[] {
  const spend = by[axis];
  const { rows, together, notObserved, doubtful } = spend;
  const rest = rows.slice(ROWS_SHOWN);
  const restSpent = rest.reduce((all, { spent }) => sum(all, spent), NO_MONEY);
  // Said once: they are the same on each axis.
  const isLast = axis === SPENT_BY.at(-1);
  return paragraph([
    `*By ${axis}*`,
    ...rows.slice(0, ROWS_SHOWN).map((row) => rowLine(row, { spend, facts })),
    rest.length === 0 ? null : `• and ${rest.length} more: ${formatDollars(restSpent)} together`,
    together === null
      ? null
      : `• ${TOGETHER[axis]}: *${formatDollars(together.spent)}*, ${plural(together.purchases, 'purchase')}`,
    isLast && notObserved.length > 0
      ? `Not in these sums: ${plural(notObserved.length, 'purchase')} that no balance shows, because it rose meanwhile or was not read.`
      : null,
    isLast && doubtful > 0 ? `${plural(doubtful, 'purchase')} of which nobody can tell yet whether money left.` : null,
  ]);
}

function otherLines({ by, unexplained }: MonthlyReport): readonly (string | null)[] {
  const { top_up, elsewhere, unknown } = by.person.kinds;
  return [
    '*What else the balance did*',
    kindLine('Topped up', top_up),
    kindLine('Left with nothing sent, unexplained', elsewhere),
    ...unexplained.shown.map(fallLine),
    moreLine(unexplained, 'in the CSV'),
    unknown.movements === 0 ? null : kindLine('Unknown, a purchase may explain it', unknown),
  ];
}

function fallLine(movement: Movement): string {
  const { known } = movement;
  const left = `• ${formatDollars(amountOf(movement))} between ${when(movement.from)} and ${when(movement.to)}`;
  return known === undefined
    ? `${left}: nobody has said that they know about it`
    : `${left}: ${person(known.by)} knows about it, ${quoted(known.note, NOTE_SHOWN)}`;
}

/** What there is none of takes a line each, together. */
function orderBlocks({ unknown, ended, renewals }: MonthlyReport): Block[] {
  const parts = [unknownLines(unknown), endedLines(ended), renewalLines(renewals)];
  return [
    ...parts.filter((lines) => lines.length > 1).flatMap(paragraph),
    ...paragraph(parts.filter((lines) => lines.length === 1).flat()),
  ];
}

function unknownLines(unknown: MonthlyReport['unknown']): readonly (string | null)[] {
  if (unknown.total === 0) return ['*Unknown outcomes still open*: none'];
  return [
    `*Unknown outcomes still open*: ${unknown.total}`,
    ...unknown.shown.map(({ purchase, card }) => {
      const id = literal(purchase.id, 60);
      const where = card === null ? `request ${id}` : `<${card}|request ${id}>`;
      return `• ${where}: ${requestShort(purchase)} for ${person(purchase.requester)}`;
    }),
    moreLine(unknown, 'see `/proxy requests`'),
  ];
}

function endedLines(ended: Some<Order>): readonly (string | null)[] {
  if (ended.total === 0) return ['*Orders that ended*: none'];
  return [
    `*Orders that ended*, by our reckoning: ${ended.total}`,
    ...ended.shown.map((order) => {
      const owner = order.owner === null ? '' : `, ${person(order.owner)}`;
      return `• ${orderShort(order)}, about ${day(order.endsAt ?? 0)}${owner}`;
    }),
    moreLine(ended, 'see `/proxy orders ended`'),
  ];
}

function renewalLines(renewals: RenewalsAhead | null): readonly (string | null)[] {
  if (renewals === null) return [];
  const { month, orders, cost, unpriced, more } = renewals;
  const title = `*Renewals due in ${monthName(month)}*, of what is kept or was renewed before`;
  if (orders.total === 0) return [`${title}: none`];
  const known = orders.total - unpriced;
  const sums = [
    known === 0
      ? null
      : `about ${formatDollars(inCents(cost))} as observed${unpriced === 0 ? '' : ` for ${plural(known, 'order')}`}`,
    unpriced === 0 ? null : `no price observed yet${known === 0 ? '' : ` for ${plural(unpriced, 'order')}`}`,
  ];
  return [
    `${title}: ${plural(orders.total, 'order')}, ${sums.filter((part) => part !== null).join('; ')}`,
    ...orders.shown.map(({ order, cost: one }) => {
      const price = one === null ? 'no price observed yet' : `about ${formatDollars(inCents(one))}`;
      return `• ${orderShort(order)}, ends about ${day(order.endsAt ?? 0)}: ${price}`;
    }),
    moreLine(orders, 'see `/proxy orders`'),
    more ? 'More orders end then than were looked at: those that end first were.' : null,
  ];
}

function orderShort({ orderId, quantity, basket }: Order): string {
  const what = basket.length === 0 ? '' : ` (${countriesShort(basket, 3)})`;
  return `${orderNumber(orderId)}, ${ips(quantity)}${what}`;
}

function moreLine({ shown, total }: Some<unknown>, where: string): string | null {
  return total > shown.length ? `• and ${total - shown.length} more: ${where}` : null;
}
