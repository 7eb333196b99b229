import type { types } from '@slack/bolt';
import { plural } from '../../src/plural.ts';
import { isKept } from '../../src/purchasing/model/filing.ts';
import { type OrderEntry, sentAt } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { OpenedOrder } from '../../src/purchasing/order-book.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { saidLast } from '../../src/purchasing/rules/orders.ts';
import { actions, type Block, button, fields, foreign, modal, paragraph, section } from '../blocks.ts';
import { reasonBlock } from '../facts.ts';
import { ago, countryLine, dayAsWritten, ips, orderNumber, person, planName, quoted, when } from '../format.ts';
import { historyLines } from '../history.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { LONGEST_REASON, personSelect, textInput } from '../inputs.ts';
import { originLine } from '../renew/order-lines.ts';
import { stateWord } from '../sentences.ts';
import { literal, plainLines } from '../text.ts';
import { stateText } from './list.ts';

export const ORDER_TITLE = 'Order';

/** A view takes 100 blocks. */
const SAID_SHOWN = 25;
const OPEN_SHOWN = 5;

/** Everything that is known of one order. @param problem why what was just pressed did nothing */
export function orderView(opened: OpenedOrder, problem?: string): types.ModalView {
  const { order, facts, now, endingWithinMs } = opened;
  const { owner, plan, basket, quantity, note, renewals } = order;
  return modal({
    callback: CALLBACK.plain,
    title: ORDER_TITLE,
    blocks: [
      ...(problem === undefined ? [] : [section(`⚠️ ${problem}`)]),
      ...paragraph([
        `*Order ${orderNumber(order.orderId)}*`,
        stateText(order, now, endingWithinMs),
        intentLine(opened),
        ...openLines(opened),
        keptInVainLine(opened),
      ]),
      fields([
        ['Owner', owner === null ? 'nobody' : person(owner)],
        [renewals === 0 ? 'Plan' : 'Plan last paid', planName(plan)],
      ]),
      ...paragraph([
        quantity === null ? '*What is in it is not known.*' : `*${ips(quantity)}*`,
        ...basket.map(countryLine),
      ]),
      ...(note === null ? [] : [foreign(plainLines(`Note: ${note}`, 2_800))]),
      ...actions(buttonsOf(opened)),
      { type: 'divider' },
      ...paidBlocks(opened),
      ...saidBlocks(facts.entries),
    ],
  });
}

/** What can be done with it. Whoever may not is refused all the same when they press. */
function buttonsOf({ order, mayChange, rights }: OpenedOrder): readonly types.Button[] {
  const { orderId, intent } = order;
  // One that is pressed is drawn so, and pressed again it takes back what it said. Which of these is meant is in the action and
  // not in what holds now: a button of a view that is out of date never says the opposite of what it showed.
  const toggle = (label: string, says: 'keep' | 'let_end', action: string) =>
    intent === says ? button(label, ACTION.neither, orderId, 'primary') : button(label, action, orderId);
  return [
    ...(rights.has('renew') ? [button('Renew', ACTION.renewOrder, orderId)] : []),
    ...(rights.has('buy') && order.basket.length > 0 ? [button('Buy again', ACTION.buyAgain, orderId)] : []),
    ...(mayChange
      ? [
          toggle('Keep', 'keep', ACTION.keep),
          toggle('Let it end', 'let_end', ACTION.letEnd),
          button('Hand over', ACTION.handOver, orderId),
          button('Note', ACTION.editNote, orderId),
        ]
      : []),
  ];
}

/** What its owner wants, who said so, and how to take it back. */
function intentLine({ order: { intent }, facts, mayChange }: OpenedOrder): string | null {
  if (intent === null) return null;
  const said = saidLast(facts);
  const by = said ? `, said by ${person(said.by)}, ${when(said.at)}` : '';
  const label = intent === 'keep' ? 'Keep' : 'Let it end';
  return [
    intent === 'keep' ? `✅ *Kept*: to be renewed before it ends${by}.` : `✅ *To be let end*${by}.`,
    ...(mayChange ? [`Press *${label}* again to take that back.`] : []),
  ].join(' ');
}

function openLines({ open, order }: OpenedOrder): readonly string[] {
  return open.slice(0, OPEN_SHOWN).map((purchase) => {
    const { id, state, requester } = purchase;
    const whose = isKept(purchase) ? `filed by itself for ${person(requester)}` : `asked for by ${person(requester)}`;
    const late = isKept(purchase) && order.intent !== 'keep' ? ` ${tooLateToWithdraw(purchase)}` : '';
    return `⏳ A renewal, ${whose}, is ${stateWord(state)} (request ${literal(id, 60)}).${late}`;
  });
}

/** Of a kept renewal that goes on, though the order is not kept any more. */
export function tooLateToWithdraw({ state }: Pick<Purchase, 'state'>): string {
  return state === 'unknown'
    ? '*It is too late to withdraw it*: money may have been spent, and an approver has to settle it. The order is not renewed by itself after that.'
    : '*It is too late to withdraw it*: money may be leaving. If it comes through, the order runs on as long as that pays for, and is not renewed by itself after that.';
}

/** Whoever says Keep again must know that it does not help. */
function keptInVainLine({ keptInVain }: OpenedOrder): string | null {
  if (keptInVain === null) return null;
  const { id, state } = keptInVain;
  return `Its renewal for this end (request ${literal(id, 60)}) is ${stateWord(state)}, and is not filed again by itself: press *Renew* if it is still wanted.`;
}

/** Each purchase, the newest first. */
function paidBlocks({ facts, paid, now }: OpenedOrder): readonly Block[] {
  const left = facts.renewals.length + (facts.bought ? 1 : 0) - paid.length;
  return [
    ...paid.toReversed().flatMap((record) => paidBlock(record, now)),
    ...(left > 0 ? [section(`And ${plural(left, 'renewal')} between the first and these.`)] : []),
    ...(facts.bought ? [] : [section(originLine(facts))]),
  ];
}

function paidBlock(record: PurchaseRecord, now: number): readonly Block[] {
  const { purchase } = record;
  const { id, kind, requester, plan, reason } = purchase;
  const at = sentAt(purchase);
  return [
    ...paragraph([
      `*${kind === 'buy' ? 'Bought' : 'Renewed'}* by ${person(requester)}, ${when(at)} (${ago(at, now)})`,
      `${planName(plan)} · request ${literal(id, 60)}`,
      ...historyLines(record),
    ]),
    reasonBlock(reason),
  ];
}

/** What people said of it, the newest first. */
function saidBlocks(entries: readonly OrderEntry[]): readonly Block[] {
  if (entries.length === 0) return [];
  const left = entries.length - SAID_SHOWN;
  return paragraph([
    '*What was said of it*',
    ...entries.slice(-SAID_SHOWN).reverse().map(saidLine),
    left > 0 ? `and ${left} more before` : null,
  ]);
}

function saidLine({ by, at, detail }: OrderEntry): string {
  const who = `${person(by)}, ${when(at)}`;
  switch (detail.kind) {
    case 'order_imported':
      return `Imported by ${who}${detail.boughtAt === null ? '' : `, as bought on ${dayAsWritten(detail.boughtAt)}`}`;
    case 'order_owner':
      return `Handed over to ${person(detail.owner)} by ${who}`;
    case 'order_note':
      return detail.note === '' ? `Note removed by ${who}` : `Note by ${who}: ${quoted(detail.note, LONGEST_REASON)}`;
    case 'order_intent':
      return `${INTENT_SAID[detail.intent ?? 'neither']} by ${who}`;
    case 'order_remind_again':
      return `To be reminded of again the next day: ${who}`;
    default:
      return detail satisfies never;
  }
}

const INTENT_SAID = {
  keep: '“Keep” was said',
  let_end: '“Let it end” was said',
  neither: 'That was taken back',
} as const;

export function handOverView(draftId: string, { order, open }: OpenedOrder): types.ModalView {
  const { owner, orderId } = order;
  return modal({
    callback: CALLBACK.handOver,
    title: 'Hand over',
    draftId,
    submit: 'Hand over',
    close: 'Back',
    blocks: [
      section(
        [
          `Order ${orderNumber(orderId)} belongs to ${owner === null ? 'nobody' : person(owner)}. Whoever owns it is told when it ends, and decides whether it is renewed.`,
          ...open.filter(isKept).map(handedOverWithout),
        ].join('\n'),
      ),
      personSelect(BLOCK.heir, ACTION.heir, 'New owner, who may renew orders'),
    ],
  });
}

/** Its facts are frozen, and it is filed once for an end: withdrawn, the order would end. */
function handedOverWithout({ id, requester }: Purchase): string {
  return `The renewal that it has filed by itself (request ${literal(id, 60)}) stays in the name of ${person(requester)} and goes on. The new owner ends it with *Let it end*, as long as it is not sent.`;
}

export function noteView(draftId: string, { order: { orderId, note } }: OpenedOrder): types.ModalView {
  return modal({
    callback: CALLBACK.orderNote,
    title: 'Note',
    draftId,
    submit: 'Save',
    close: 'Back',
    blocks: [
      section(`On order ${orderNumber(orderId)}, for everybody who opens it.`),
      textInput({
        block: BLOCK.note,
        action: ACTION.note,
        label: 'Note',
        placeholder: 'What is it for?',
        hint: 'Leave it empty to have none.',
        initial: note ?? '',
        optional: true,
        multiline: true,
        longest: LONGEST_REASON,
      }),
    ],
  });
}
