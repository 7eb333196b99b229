import { plural } from '../src/plural.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { formatDollars } from '../src/purchasing/model/money.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { inCents } from '../src/purchasing/model/quotient.ts';
import { FORESEEN_DAYS, isPace, type Runway } from '../src/purchasing/rules/runway.ts';
import { type Ago, type Committed, changeSince, type Outlook } from '../src/purchasing/spending.ts';
import { type DrawnMessage, paragraph, section } from './blocks.ts';
import { balanceNow, contentShort, freezeLine, person, signed, when } from './format.ts';
import { stateWord } from './sentences.ts';

const WAITING_SHOWN = 10;

/**
 * @param waiting whatever is not over: waiting for approval, to be sent, being sent or unknown
 * @param outlook null where it could not be read
 */
export function balanceText(
  reading: BalanceReading,
  waiting: readonly Purchase[],
  freeze: Freeze | null,
  outlook: Outlook | null,
): DrawnMessage {
  const balance = `Balance: ${balanceNow(reading)}`;
  const toBeSent = waiting.filter(({ state }) => state === 'approved' || state === 'sending');
  const undecided = waiting.filter(({ state }) => state === 'requested').length;
  const unknown = waiting.filter(({ state }) => state === 'unknown').length;
  const shown = toBeSent.slice(0, WAITING_SHOWN).map((purchase) => `• ${waitingLine(purchase)}`);
  const more = toBeSent.length - shown.length;
  return {
    text: balance,
    blocks: [
      section(`*${balance}*`),
      ...(outlook
        ? [
            ...paragraph(outlook.ago.map((ago) => agoLine(reading, ago))),
            ...paragraph([runwayLine(reading, outlook), renewalsLine(outlook)]),
          ]
        : paragraph(['What it was before could not be read.'])),
      section(
        [
          toBeSent.length === 0 ? 'Nothing waits to be sent.' : 'Waiting to be sent:',
          ...shown,
          ...(more > 0 ? [`and ${more} more`] : []),
        ].join('\n'),
      ),
      ...paragraph([
        outlook && committedLine(outlook.committed),
        undecided > 0 ? `${undecided} waiting for approval.` : null,
        unknown > 0 ? `${unknown} with an unknown outcome: the money may be gone already.` : null,
        undecided + unknown > 0 ? 'See `/proxy requests`.' : null,
      ]),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

function waitingLine(purchase: Purchase): string {
  const what = `${purchase.kind === 'buy' ? '' : 'renew '}${contentShort(purchase)}`;
  return `${what} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
}

function agoLine(reading: BalanceReading, ago: Ago): string {
  const over = ago.days === 1 ? 'Over 24 h' : `Over ${ago.days} days`;
  if (ago.link === null) return `${over}: no reading that old`;
  const change = changeSince(reading, ago);
  const then = `${formatDollars(ago.link.balance)}, read ${when(ago.link.at)}`;
  return change === null ? `${over}: it was ${then}` : `${over}: ${signed(change)}, from ${then}`;
}

function runwayLine(reading: BalanceReading, { all, lasts }: Outlook): string | null {
  if (!reading.ok) return null;
  if (!isPace(all)) return 'How long it is enough: not known yet, the balance is watched for less than a day.';
  const range = lasts(reading.balance);
  const days = Math.round(all.overMs / 86_400_000);
  const spent = `${formatDollars(all.spent)} left the account in the last ${days === 1 ? 'day' : `${days} days`}, as observed`;
  return `${rangeText(range)}: ${spent}.`;
}

/** `Enough for about 4 to 16 days` */
function rangeText(range: Runway | undefined): string {
  if (range === undefined) return 'How long it is enough is not known';
  const { least, most } = range;
  if (least === null) return `Enough for more than ${FORESEEN_DAYS} days`;
  if (most === null) return `Enough for about ${least} to more than ${FORESEEN_DAYS} days`;
  if (most === 0) return 'Enough for less than a day';
  return least === most
    ? `Enough for about ${plural(least, 'day')}`
    : `Enough for about ${least} to ${plural(most, 'day')}`;
}

/** What the range counts of renewals, and what it cannot. */
function renewalsLine({ all, soonRenewals, unpricedRenewals, moreOrders }: Outlook): string | null {
  if (!isPace(all)) return null;
  const due =
    soonRenewals.count === 0
      ? null
      : `Renewals due within 30 days, of orders that are kept or were renewed before: ${soonRenewals.count}, about ${formatDollars(inCents(soonRenewals.cost))} as observed.`;
  const unpriced =
    unpricedRenewals === 0
      ? null
      : `Not counted: ${unpricedRenewals === 1 ? '1 order that is probably renewed, and has' : `${unpricedRenewals} orders that are probably renewed, and have`} no price observed yet.`;
  const more = moreOrders ? 'There are more orders than were looked at: those that end first were.' : null;
  return [due, unpriced, more].filter((line) => line !== null).join(' ') || null;
}

function committedLine({ purchases, cost, unpriced }: Committed): string | null {
  if (purchases.length === 0) return null;
  const many = plural(purchases.length, 'purchase');
  const known = purchases.length - unpriced;
  const about = known === 0 ? null : `about ${formatDollars(inCents(cost))} at prices observed`;
  const rest = unpriced === 0 ? null : known === 0 ? 'no price observed yet' : `${unpriced} with no price observed yet`;
  return `Committed, approved, being sent or unknown: ${many}, ${[about, rest].filter((part) => part !== null).join(', ')}.`;
}
