import type { types } from '@slack/bolt';
import { AFTER_END, type ReminderRow } from '../src/purchasing/model/end-reminder.ts';
import { isKept } from '../src/purchasing/model/filing.ts';
import { type Order, placedOf } from '../src/purchasing/model/order.ts';
import type { Notice } from '../src/purchasing/model/outbox.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import { isToRenew, type ReminderState, reminderState } from '../src/purchasing/rules/end-reminders.ts';
import { orderOf, saidLast } from '../src/purchasing/rules/orders.ts';
import { actions, type Block, button, context, type DrawnMessage, section } from './blocks.ts';
import { countriesShort, day, groups, ips, orderNumber, person, planName } from './format.ts';
import { ACTION } from './ids.ts';
import { tooLateToWithdraw } from './orders/order.ts';
import { stateWord } from './sentences.ts';
import { literal } from './text.ts';

const DAY_MS = 86_400_000;

/** With the longest names and notes they take most of a message's 10,000 characters. */
const ORDERS_SHOWN = 12;

/** One message for all orders that a person hears of on a day; drawn again, it says of each what was done with it since. */
export function reminderMessage(notice: Notice, { reminder, mention, now }: Surroundings): DrawnMessage {
  const rows = reminder.map((row) => ({ row, order: orderOf(row.facts), state: reminderState(row, now) }));
  // What was settled before anybody was told of it is no news.
  const told = rows.filter(({ state }) => notice.ts !== null || state === 'ends' || state === 'ended');
  const forApprovers = isForApprovers(notice);
  const head = headOf(
    told.map(({ row }) => row),
    forApprovers,
  );
  const more = told.length - ORDERS_SHOWN;
  const mentioned = notice.ts === null && notice.audience === 'approvers' ? groups(mention) : '';
  return {
    text: head,
    blocks: [
      section(`${mentioned === '' ? '' : `${mentioned}\n`}*${head}*${forApprovers ? `\n${NOBODY_REMINDED}` : ''}`),
      ...told.slice(0, ORDERS_SHOWN).flatMap(({ row, order, state }) => rowBlocks(row, order, state, forApprovers)),
      ...(told.filter(({ row }) => isToRenew(row, now)).length > 1
        ? actions([button('Renew several', ACTION.reminderRenewSeveral)])
        : []),
      context(
        `${more > 0 ? `And ${more} more: see \`/proxy orders\`. ` : ''}Ends are computed by us; the vendor tells none.`,
      ),
    ],
  };
}

const NOBODY_REMINDED = 'Their owners were never known, have left, or may not renew any more.';

/** Also where an owner could not be written to, and it was passed on. */
function isForApprovers({ audience, text }: Notice): boolean {
  return audience === 'approvers' || (text ?? '').startsWith('reminder:approvers:');
}

/** For a phone's notification. */
function headOf(rows: readonly ReminderRow[], forApprovers: boolean): string {
  const ended = rows.every(({ rung }) => rung === AFTER_END);
  const verb = ended ? 'ended' : rows.some(({ rung }) => rung === AFTER_END) ? 'end soon or have ended' : 'end soon';
  const [only, ...others] = rows;
  if (only && others.length === 0)
    return `${forApprovers ? 'Order' : 'Your order'} ${orderNumber(only.orderId)} ${ended ? 'has ended' : 'ends soon'}`;
  return `${rows.length} ${forApprovers ? 'orders' : 'of your orders'} ${ended ? 'have ended' : verb}`;
}

function rowBlocks(row: ReminderRow, order: Order | null, state: ReminderState, forApprovers: boolean): Block[] {
  const lines = [
    [`*Order ${orderNumber(row.orderId)}*`, sizeOf(row), order ? planName(order.plan) : null]
      .filter((part) => part !== null)
      .join(' · '),
    standing(row, order, state),
    forApprovers ? `Owner: ${row.owner === null ? 'not known' : person(row.owner)}` : null,
    order?.note ? `Note: ${literal(order.note, 80)}` : null,
    ...nextLines(row, order, state),
  ];
  return [section(lines.filter((line) => line !== null).join('\n')), ...actions(buttonsFor(row, order, state))];
}

function sizeOf({ facts }: ReminderRow): string | null {
  const placed = placedOf(facts);
  return placed && `${ips(placed.quantity)} (${countriesShort(placed.basket)})`;
}

function standing({ endsAt, facts }: ReminderRow, order: Order | null, state: ReminderState): string {
  switch (state) {
    case 'ends':
      return `Ends about ${day(endsAt)}`;
    case 'ended':
      return `Ended about ${day(endsAt)}, by our reckoning`;
    case 'renewed': {
      const last = facts.renewals.at(-1);
      const by = last ? ` by ${person(last.requester)}` : '';
      return `✅ Renewed${by}: runs until about ${day(order?.endsAt ?? endsAt)}`;
    }
    case 'let_end':
      return `Let end by ${person(saidLast(facts)?.by ?? '')}: it ends about ${day(endsAt)}`;
    case 'handed_over':
      return `Handed over${order?.owner == null ? '' : ` to ${person(order.owner)}`}; it ends about ${day(endsAt)}`;
    case 'gone':
      return 'Its end is no longer known: see `/proxy orders`.';
    default:
      return state satisfies never;
  }
}

/** What happens with it by itself. */
function nextLines(
  { endsAt, rung, renewal }: ReminderRow,
  order: Order | null,
  state: ReminderState,
): (string | null)[] {
  if (state === 'let_end' && renewal && isKept(renewal) && (renewal.state === 'sending' || renewal.state === 'unknown'))
    return [
      `Its renewal (request ${literal(renewal.id, 60)}): ${stateWord(renewal.state)}. ${tooLateToWithdraw(renewal)}`,
    ];
  if (state !== 'ends' && state !== 'ended') return [];
  return [
    renewal ? `Its renewal (request ${literal(renewal.id, 60)}): ${stateWord(renewal.state)}` : null,
    state === 'ends' && order?.intent === 'keep' && !renewal
      ? 'It is kept: its renewal is filed before it ends.'
      : null,
    state === 'ends' && order?.remindAgain != null && order.remindAgain < rung
      ? `You are reminded again about ${day(endsAt - order.remindAgain * DAY_MS)}.`
      : null,
  ];
}

function buttonsFor(
  { orderId, rung, renewal }: ReminderRow,
  order: Order | null,
  state: ReminderState,
): types.Button[] {
  const renew = button('Renew', ACTION.reminderRenew, orderId, 'primary');
  switch (state) {
    case 'ends': {
      const again = order?.remindAgain ?? rung;
      return [
        ...(renewal ? [] : [renew]),
        button('Let it end', ACTION.reminderLetEnd, orderId),
        ...(again < rung || rung <= 0 ? [] : [button('Remind me tomorrow', ACTION.remindTomorrow, orderId)]),
      ];
    }
    case 'ended':
    case 'let_end':
      return renewal ? [] : [button('Renew', ACTION.reminderRenew, orderId)];
    case 'renewed':
    case 'handed_over':
    case 'gone':
      return [];
    default:
      return state satisfies never;
  }
}

/** @param by whose the order is */
export function notKeptMessage({
  text,
  by,
}: {
  readonly text: string | null;
  readonly by: string | null;
}): DrawnMessage {
  const what = literal(text ?? '', 2_000);
  return {
    text: what,
    blocks: [section(`*A kept order*\n${what}`), context(`Owner: ${by === null ? 'nobody' : person(by)}`)],
  };
}
