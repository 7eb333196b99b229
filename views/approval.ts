import type { types } from '@slack/bolt';
import { keptOf } from '../src/purchasing/model/entries.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import type { OrderFacts } from '../src/purchasing/model/order.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import type { Surroundings, TwoPeople } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import {
  actions,
  type Block,
  button,
  confirmed,
  type DrawnMessage,
  fields,
  modal,
  paragraph,
  section,
} from './blocks.ts';
import { costFields } from './cost.ts';
import { cardPrint, factsOf, finalButtons, type Labelled, reasonBlock, repeatLine, smallPrint } from './facts.ts';
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
} from './format.ts';
import { decisionLine, historyLines, keptLine, settlementLine, wasUnknown, yesLines } from './history.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { reasonInput } from './inputs.ts';
import { orderLines, renewalWarnings } from './renew/order-lines.ts';
import { outcomeSentence, stateWord } from './sentences.ts';
import { type Decoded, decodeProse, type Values } from './state.ts';
import { talkLines } from './talk.ts';
import { unknownCardPlace } from './unknown.ts';

/**
 * The card on which a request is decided; edited at each step, up to the outcome. What is known of an unknown outcome stands on the
 * card that settles it.
 */
export function approvalCard(record: PurchaseRecord, around: Surroundings): DrawnMessage {
  const { purchase } = record;
  const waits = purchase.state === 'requested';
  const mention = groups(around.mention);
  const elsewhere = wasUnknown(record);
  return {
    text: cardText(record),
    blocks: [
      ...(mention === '' ? [] : [section(mention)]),
      section(waits ? `*Approval needed: ${uncapital(deed(purchase))}*` : headOf(purchase)),
      ...(waits ? paragraph([...warningLines(record, around), ...yesLines(record, around.twoPeople)]) : []),
      fields([...factsOf(purchase), ...costFields(record, around), ...askedFields(purchase, around)]),
      ...(waits && purchase.kind === 'renew' ? paragraph(orderLines(around.order, around.now)) : []),
      ...paragraph(elsewhere ? pointerLines(record, around) : historyLines(record)),
      ...paragraph(talkLines(record)),
      ...(isOver(purchase) ? [] : paragraph([freezeLine(around.freeze)])),
      cardPrint(record, around),
      reasonBlock(purchase.reason),
      ...(waits ? cardButtons(purchase) : actions(elsewhere ? [] : finalButtons(record))),
    ],
  };
}

function pointerLines(record: PurchaseRecord, around: Surroundings): readonly (string | null)[] {
  const pointer = `Everything that is known of it is on ${unknownCardPlace(around)}.`;
  return [keptLine(record), decisionLine(record), settlementLine(record), pointer];
}

/** For a phone's notification. */
function cardText(record: PurchaseRecord): string {
  const { purchase } = record;
  if (purchase.state !== 'requested')
    return `${deed(purchase)} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
  if (keptOf(record)) return `An order of ${person(purchase.requester)} is kept: renew ${contentShort(purchase)}`;
  const asks = purchase.kind === 'buy' ? 'asks for' : 'asks to renew';
  return `${person(purchase.requester)} ${asks} ${contentShort(purchase)}`;
}

/** The state, and the purchase where the state does not name it. */
function headOf(purchase: Purchase): string {
  const sentence = outcomeSentence(purchase);
  return purchase.state === 'completed' ? sentence : `${sentence}\n${capital(requestShort(purchase))}`;
}

/** Warnings to whoever decides: a repeat, and what is odd about a renewal. */
function warningLines(
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
export function decisionButtons(purchase: Pick<Purchase, 'id'>): readonly Block[] {
  return actions(decidingButtons(purchase));
}

function decidingButtons({ id }: Pick<Purchase, 'id'>): readonly types.Button[] {
  return [button('Approve', ACTION.approve, id, 'primary'), button('Reject', ACTION.reject, id, 'danger')];
}

function cardButtons(purchase: Purchase): readonly Block[] {
  const takeBack = takeBackButton(ACTION.takeBack, purchase.id);
  const ask = button('Ask a question', ACTION.ask, purchase.id);
  return actions([...decidingButtons(purchase), ask, ...(purchase.firstApprover === null ? [] : [takeBack])]);
}

/** @param id of a purchase, or of a batch */
export function takeBackButton(action: string, id: string): types.Button {
  return confirmed(button('Take back', action, id), {
    title: 'Take your yes back?',
    text: 'Only whoever said yes can. The request then waits for two people again.',
    yes: 'Take back',
    no: 'Leave it',
  });
}

/** Nothing more will be sent. */
function isOver({ state }: Purchase): boolean {
  return state !== 'requested' && state !== 'approved';
}

/** What is decided on, and what whoever decides must know besides. */
export interface DecisionSubject {
  readonly record: PurchaseRecord;
  readonly now: number;
  /** Of the order to renew. */
  readonly order: OrderFacts | null;
  readonly freeze: Freeze | null;
  readonly twoPeople: TwoPeople | null;
  readonly costs: Surroundings['costs'];
}

export function approveView(draftId: string, subject: DecisionSubject): types.ModalView {
  const { freeze, twoPeople, record } = subject;
  const isFirst = twoPeople !== null && record.purchase.firstApprover === null;
  return modal({
    callback: CALLBACK.approve,
    title: 'Approve request',
    draftId,
    submit: 'Approve',
    close: 'Cancel',
    blocks: [
      ...decidedOn(subject),
      section(
        isFirst
          ? '*Approve* says the first of two yeses: nothing is sent before somebody else says yes too. Until then you can take it back.'
          : freeze
            ? '*Approve* lets exactly this be sent to the vendor as soon as spending is no longer frozen, and real money is spent.'
            : '*Approve* sends exactly this to the vendor, and real money is spent. It cannot be taken back once it is sent.',
      ),
      ...paragraph([freezeLine(freeze)]),
      smallPrint(subject.record.purchase),
    ],
  });
}

export function rejectView(draftId: string, subject: DecisionSubject): types.ModalView {
  return modal({
    callback: CALLBACK.reject,
    title: 'Reject request',
    draftId,
    submit: 'Reject',
    close: 'Cancel',
    // Theirs, since a reason of one's own is asked for below.
    blocks: [...decidedOn(subject, 'Their reason'), reasonInput('Told to the person who asked')],
  });
}

/** Why it is rejected, or what is wrong with that. */
export function decodeReject(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.reason, ACTION.reason, 'Say in a few words why');
}

/** What is decided on, once more. */
function decidedOn(subject: DecisionSubject, reasonLabel?: string): readonly Block[] {
  const { record, order, now } = subject;
  const { purchase } = record;
  return [
    ...paragraph([...warningLines(record, subject), ...yesLines(record, subject.twoPeople)]),
    fields([...factsOf(purchase), ...costFields(record, { costs: subject.costs, balance: null })]),
    ...(purchase.kind === 'renew' ? paragraph(orderLines(order, now)) : []),
    reasonBlock(purchase.reason, reasonLabel),
  ];
}
