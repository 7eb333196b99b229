import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { isKnown } from '../../src/purchasing/rules/filing.ts';
import { balanceNow, freezeLine } from '../amounts.ts';
import { actions, type Block, button, context, fields, foreign, type Message, paragraph, section } from '../blocks.ts';
import { contentLines, contentShort, deed, planLines } from '../describe.ts';
import { canEnterOrderId, decisionLine, hasAnswerToShow, settlementLine, storyLines, wasUnknown } from '../history.ts';
import { ACTION } from '../ids.ts';
import { groups, person } from '../people.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';
import { literal, plainLines } from '../text.ts';
import { unknownCardPlace } from '../unknown/place.ts';
import { ago, when } from '../when.ts';

/**
 * The card on which a request is decided; edited at each step, up to the outcome. What is known of an unknown outcome stands on the
 * card that settles it.
 */
export function approvalCard(record: PurchaseRecord, around: Surroundings): Message {
  const { purchase } = record;
  const waits = purchase.state === 'requested';
  const mention = groups(around.mention);
  const elsewhere = wasUnknown(record);
  return {
    text: cardText(purchase),
    blocks: [
      ...(mention === '' ? [] : [section(mention)]),
      section(`${waits ? '*Approval needed*' : outcomeSentence(purchase)}\n*${deed(purchase)}*`),
      ...facts(purchase, around),
      ...paragraph(elsewhere ? pointerLines(record, around) : storyLines(record)),
      ...(isOver(purchase) ? [] : paragraph([freezeLine(around.freeze)])),
      requestLine(purchase),
      reasonBlock(purchase),
      ...(waits ? decisionButtons(purchase) : actions(elsewhere ? [] : finalButtons(record))),
    ],
  };
}

function pointerLines(record: PurchaseRecord, around: Surroundings): readonly (string | null)[] {
  const pointer = `Everything that is known of it is on ${unknownCardPlace(around)}.`;
  return [decisionLine(record), settlementLine(record), pointer];
}

/** For a phone's notification. */
function cardText(purchase: Purchase): string {
  if (purchase.state !== 'requested')
    return `${deed(purchase)} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
  const asks = purchase.kind === 'buy' ? 'asks for' : 'asks to renew';
  return `${person(purchase.requester)} ${asks} ${contentShort(purchase)}`;
}

function facts(purchase: Purchase, { balance, now, order }: Surroundings): readonly Block[] {
  const waits = purchase.state === 'requested';
  return [
    fields([
      ['Who', person(purchase.requester)],
      ['What', contentLines(purchase)],
      ['Plan', planLines(purchase.plan, purchase.kind)],
      ...(waits ? ([['Balance', balanceNow(balance, 'could not be read in time')]] as const) : []),
      waits
        ? [
            'Asked',
            `${when(purchase.createdAt)} (${ago(purchase.createdAt, now)}), open until ${when(purchase.expiresAt)}`,
          ]
        : ['Asked', when(purchase.createdAt)],
    ]),
    ...(order && purchase.kind === 'renew' ? paragraph([orderLine(order)]) : []),
  ];
}

/** Whose order it is that would be renewed; that its size is unknown stands under "What". */
function orderLine(order: OrderFacts): string | null {
  if (!isKnown(order)) return '*Attention: this bot has never seen this order.* Check every digit of its id.';
  const { bought } = order;
  return bought ? `This order was bought by ${person(bought.requester)}, ${when(bought.changedAt)}.` : null;
}

/** On the card, and in the private list. */
export function decisionButtons({ id }: Pick<Purchase, 'id'>): readonly Block[] {
  return actions([button('Approve', ACTION.approve, id, 'primary'), button('Reject', ACTION.reject, id, 'danger')]);
}

/** Nothing more will be sent. */
function isOver({ state }: Purchase): boolean {
  return state !== 'requested' && state !== 'approved';
}

/** What can be done with a purchase whose answer is in: on the card and on the receipt. */
export function finalButtons(record: PurchaseRecord) {
  const { id } = record.purchase;
  return [
    ...(canEnterOrderId(record) ? [button('Enter order id', ACTION.enterOrderId, id)] : []),
    ...(hasAnswerToShow(record) ? [button('Show the answer', ACTION.showAnswer, id)] : []),
  ];
}

/** The reason in a block of its own, as it was typed; the last of all facts, so that nothing in it can pass for one of them. */
export function reasonBlock({ reason }: Pick<Purchase, 'reason'>): Block {
  return foreign(plainLines(`Reason: ${reason.trim() === '' ? 'none given' : reason}`, 2_800));
}

/** By which the ledger knows it. */
export function requestLine({ id }: Pick<Purchase, 'id'>): Block {
  return context(`Request ${literal(id, 60)}`);
}
