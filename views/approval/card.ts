import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { actions, type Block, button, fields, type Message, paragraph, section } from '../blocks.ts';
import { factsOf, finalButtons, type Labelled, reasonBlock, repeatLine, smallPrint } from '../facts.ts';
import {
  ago,
  balanceNow,
  capital,
  contentShort,
  deed,
  freezeLine,
  groups,
  person,
  requestShort,
  uncapital,
  when,
} from '../format.ts';
import { historyLines } from '../history.ts';
import { ACTION } from '../ids.ts';
import { orderLines, renewalWarnings } from '../renew/order-lines.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';

/** The card on which a request is decided; edited at each step, up to the outcome. */
export function approvalCard(record: PurchaseRecord, surroundings: Surroundings): Message {
  const { purchase } = record;
  const waits = purchase.state === 'requested';
  const mention = groups(surroundings.mention);
  return {
    text: cardText(purchase),
    blocks: [
      ...(mention === '' ? [] : [section(mention)]),
      section(waits ? `*Approval needed: ${uncapital(deed(purchase))}*` : headOf(purchase)),
      ...(waits ? paragraph(warningLines(record, surroundings)) : []),
      fields([...factsOf(purchase), ...askedFields(purchase, surroundings)]),
      ...(waits && purchase.kind === 'renew' ? paragraph(orderLines(surroundings.order, surroundings.now)) : []),
      ...paragraph(historyLines(record)),
      ...(isOver(purchase) ? [] : paragraph([freezeLine(surroundings.freeze)])),
      smallPrint(purchase),
      reasonBlock(purchase.reason),
      ...(waits ? decisionButtons(purchase) : actions(finalButtons(record))),
    ],
  };
}

/** For a phone's notification. */
function cardText(purchase: Purchase): string {
  if (purchase.state !== 'requested')
    return `${deed(purchase)} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
  const asks = purchase.kind === 'buy' ? 'asks for' : 'asks to renew';
  return `${person(purchase.requester)} ${asks} ${contentShort(purchase)}`;
}

/** Where the state does not name the purchase, it stands beside. */
function headOf(purchase: Purchase): string {
  const sentence = outcomeSentence(purchase);
  return purchase.state === 'completed' ? sentence : `${sentence}\n${capital(requestShort(purchase))}`;
}

/** What whoever decides must not overlook: a repeat, and what is odd about a renewal. */
export function warningLines(
  record: PurchaseRecord,
  { now, order }: { readonly now: number; readonly order: OrderFacts | null },
): readonly (string | null)[] {
  const { kind, plan } = record.purchase;
  return [repeatLine(record, now, ''), ...(kind === 'renew' ? renewalWarnings(order, plan, now) : [])];
}

function askedFields(purchase: Purchase, { balance, now }: Surroundings): readonly Labelled[] {
  const { createdAt, expiresAt, state } = purchase;
  if (state !== 'requested') return [['Asked', when(createdAt)]];
  return [
    ['Balance', balanceNow(balance, 'could not be read in time')],
    ['Asked', `${when(createdAt)} (${ago(createdAt, now)})\nOpen until ${when(expiresAt)}`],
  ];
}

/** On the card, and in the private list. */
export function decisionButtons({ id }: Pick<Purchase, 'id'>): readonly Block[] {
  return actions([button('Approve', ACTION.approve, id, 'primary'), button('Reject', ACTION.reject, id, 'danger')]);
}

/** Nothing more will be sent. */
function isOver({ state }: Purchase): boolean {
  return state !== 'requested' && state !== 'approved';
}
